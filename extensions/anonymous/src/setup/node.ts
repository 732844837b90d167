import { type Contribution, noContribution, type Port, type ProtocolNode, requirePort, TraceKind } from '@tutti/core';
import {
  expected,
  requireArray,
  requireFunction,
  requireInteger,
  requireMethods,
  requireObject,
} from '@tutti/core/input';
import { type SetupConfig, validateSetupConfig } from './config.ts';
import { Inbox, nobody, type Waiting } from './inbox.ts';
import { Roll } from './roll.ts';
import type { RegistrationScheme } from './scheme.ts';

/** Kinds of messages, which take the place of Handel's level. */
export const SetupMessage = {
  /** A registration that arrives by a route that does not reveal its sender; the sender is {@link nobody}. */
  register: 1,
  /** A registration relayed by a member that has verified it. */
  relay: 2,
  /** The names of the registrations that a member has. */
  list: 3,
} as const;

/** Flag for a list that is an answer to another list, and is not itself answered. */
export const answerFlag = 1;

/**
 * Flag of a list whose sender still has registrations to verify. Even an equal list with this flag does not count as
 * agreement, because a waiting registration may exclude an author.
 */
export const unfinishedFlag = 2;

/** Reason why a set-up node rejected a message. */
export type SetupRefusal =
  | 'unknown-message'
  | 'unknown-flags'
  | 'sender-out-of-range'
  | 'blacklisted'
  | 'late'
  | 'flooded'
  | 'excluded-author'
  | 'invalid-registration';

/**
 * Maximum number of names on a list per member. Each author has one name, and each waiting registration has its own. A
 * member relays at most this number of registrations per author: one, or the two that exclude the author.
 */
export const maxListedNames = 2;

const registrationMethods = ['name', 'relate', 'relateClaim', 'list', 'names', 'retain', 'release'];

const Timer = { list: 1, send: 2, end: 3 } as const;

/** Parameters of a {@link SetupNode}. */
export interface SetupOptions {
  /** Index of the member in the public registry; this node reads the member's inbox. */
  readonly id: number;
  readonly scheme: RegistrationScheme;
  readonly config: SetupConfig;
  /** Registrations by the member itself, which need not be verified; an honest member has one. */
  readonly own: readonly Contribution[];
  readonly port: Port;
  /** Returns a secret, uniformly distributed integer from 0 to under `bound`. */
  readonly random: (bound: number) => number;
}

/**
 * A node of the set-up phase (v1.03 section 5.3), behind the port of Handel's node. The node sends its own registration
 * to some inboxes by a route that does not reveal the sender. From then on, the node treats this registration like any
 * other, and has it only once it has received it. Members compare lists of the names that they have, and relay missing
 * registrations under their own names. The node ends when every member has registered and all have sent the same list
 * with nothing left to verify, or at the time limit. At the end, the node outputs the accepted registrations.
 *
 * Intentional divergence: in the paper, each signer broadcasts. With relays, a hidden member need not reach every
 * inbox, no member can split the others by sending different messages, and lost packets are replaced. With `contacts`
 * equal to the number of members, the protocol is the paper's broadcast.
 */
export class SetupNode implements ProtocolNode {
  readonly #id: number;
  readonly #scheme: RegistrationScheme;
  readonly #config: SetupConfig;
  readonly #own: readonly Contribution[];
  readonly #port: Port;
  readonly #random: (bound: number) => number;
  readonly #roll: Roll;
  readonly #inbox: Inbox;
  readonly #invalid = new Set<string>();
  readonly #refused = new Map<SetupRefusal, number>();
  readonly #blacklist = new Set<number>();
  /** Members whose last list equalled this node's list, with nothing left to verify. */
  readonly #agreeing = new Set<number>();
  /** List of the current names; noContribution until it is made. */
  #list: Contribution = noContribution;
  /** Registration that is being verified. */
  #checking: (Waiting & { readonly ticket: number }) | undefined;
  /** Peers in the order in which they are sent lists, and the index of the next peer. */
  readonly #order: number[];
  #place = 0;
  #startUs = -1;
  #ended = false;

  /**
   * @throws TypeError for an argument that is missing or has the wrong type; RangeError for an id or a parameter out of
   * its range.
   */
  constructor(options: SetupOptions) {
    requireObject('options', options);
    const { id, scheme, config, own, port, random } = options;
    requireMethods('scheme', scheme, registrationMethods);
    requireArray('own', own);
    requirePort(port);
    requireFunction('random', random);
    requireInteger('id', id, 0, scheme.members - 1);
    validateSetupConfig(config);
    this.#id = id;
    this.#scheme = scheme;
    this.#config = config;
    this.#own = own;
    this.#port = port;
    this.#random = random;
    this.#roll = new Roll(scheme);
    const bounds = { anonymous: config.maxAnonymous, relayed: maxListedNames * scheme.members };
    this.#inbox = new Inbox(scheme, bounds, random);
    for (const one of own) scheme.retain(one);
    this.#order = drawIds(scheme.members, scheme.members, random).filter((peer) => peer !== id);
  }

  start(): void {
    if (this.#startUs >= 0) throw new RangeError('start: expected only one call, got another call');
    this.#startUs = this.#port.nowUs();
    this.#sendOwn();
    this.#port.setTimer(this.#us(this.#config.periodMs * this.#config.retryPeriods), Timer.send);
    // The first delay is random, so that members do not all send at the same time.
    this.#port.setTimer(1 + this.#random(this.#us(this.#config.periodMs)), Timer.list);
    this.#port.setTimer(this.#us(this.#config.collectMs + this.#config.relayMs), Timer.end);
    this.#verifyNext();
    this.#endIfAgreed();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const refusal = this.#screen(from, level, individual, flags);
    if (refusal !== undefined) this.#refuse(refusal);
    else if (level === SetupMessage.list) this.#onList(from, aggregate, flags);
    else this.#onRegistration(from, aggregate);
  }

  onTimer(timer: number): void {
    if (timer === Timer.end) this.#end();
    else if (timer === Timer.send) this.#onSendTimer();
    else this.#onListTimer();
  }

  onVerified(ticket: number, valid: boolean): void {
    const checked = this.#checking;
    if (checked?.ticket !== ticket)
      throw new RangeError(expected('ticket', checked === undefined ? 'none' : `${checked.ticket}`, ticket));
    this.#checking = undefined;
    const name = this.#scheme.name(checked.registration);
    if (this.#ended) this.#refuse('late');
    else if (valid) this.#enrol(checked.registration);
    else this.#discredit(name, checked.from);
    this.#scheme.release(checked.registration);
    // The remaining registrations may all be settled, and the node is then finished.
    this.#verifyNext();
    this.#endIfAgreed();
  }

  /** Whether the node has ended and given its outputs. */
  get ended(): boolean {
    return this.#ended;
  }

  get roll(): Pick<Roll, 'accepted' | 'acceptedCount' | 'doubles'> {
    return this.#roll;
  }

  /** Number of members, including this one, whose last list equalled this node's list. */
  get agreeing(): number {
    return this.#agreeing.size + 1;
  }

  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused);
  }

  #screen(from: number, level: number, individual: Contribution, flags: number): SetupRefusal | undefined {
    if (level !== SetupMessage.register && level !== SetupMessage.relay && level !== SetupMessage.list)
      return 'unknown-message';
    if (
      individual !== noContribution ||
      (flags & ~(level === SetupMessage.list ? answerFlag | unfinishedFlag : 0)) !== 0
    )
      return 'unknown-flags';
    const isMember = Number.isInteger(from) && from >= 0 && from < this.#scheme.members && from !== this.#id;
    if (level === SetupMessage.register ? from !== nobody : !isMember) return 'sender-out-of-range';
    return level === SetupMessage.relay && this.#blacklist.has(from) ? 'blacklisted' : undefined;
  }

  #onSendTimer(): void {
    if (this.#ended || !this.#isCollecting) return;
    this.#sendOwn();
    this.#port.setTimer(this.#us(this.#config.periodMs * this.#config.retryPeriods), Timer.send);
  }

  #onListTimer(): void {
    // The node sends lists even after its end, because other members still need to know that it agrees.
    const peers = this.#hasEveryAuthor ? this.#config.burst : 1;
    for (let i = 0; i < Math.min(peers, this.#order.length); i++) this.#sendNext();
    if (this.#sinceStartMs() < this.#config.collectMs + this.#config.relayMs)
      this.#port.setTimer(this.#us(this.#config.periodMs), Timer.list);
  }

  #onRegistration(from: number, registration: Contribution): void {
    const name = this.#scheme.name(registration);
    if (this.#roll.has(name) || this.#inbox.has(name, from)) return;
    if (this.#checking !== undefined && this.#scheme.name(this.#checking.registration) === name) return;
    const isLate = this.#ended || (from === nobody && this.#startUs >= 0 && !this.#isCollecting);
    if (isLate) this.#refuse('late');
    else if (this.#invalid.has(name)) this.#discredit(name, from);
    else if (this.#roll.isSettled(registration)) this.#refuse('excluded-author');
    else this.#enqueue(name, registration, from);
  }

  #enqueue(name: string, registration: Contribution, from: number): void {
    if (!this.#inbox.put(name, registration, from)) this.#refuse('flooded');
    if (from !== nobody) this.#listChanged();
    this.#verifyNext();
  }

  #onList(from: number, list: Contribution, flags: number): void {
    const listed = this.#scheme.names(list);
    const names = this.#roll.names;
    const unlisted = names.filter((name) => !listed.has(name));
    const isSame = unlisted.length === 0 && listed.size === names.length;
    if (isSame && (flags & unfinishedFlag) === 0) this.#agreeing.add(from);
    else this.#agreeing.delete(from);
    const missing = unlisted
      .flatMap((name) => this.#roll.registrationsOf(name))
      .filter((registration) => !listed.has(this.#scheme.name(registration)));
    // The answer to each peer begins at a random registration, so that answers from several members differ.
    const first = missing.length === 0 ? 0 : this.#random(missing.length);
    for (let i = 0; i < Math.min(missing.length, this.#config.burst); i++)
      this.#port.send(from, SetupMessage.relay, missing[(first + i) % missing.length]!, noContribution, 0);
    if ((flags & answerFlag) === 0) this.#sendTo(from, answerFlag);
    this.#endIfAgreed();
  }

  #enrol(registration: Contribution): void {
    const enrolment = this.#roll.enrol(registration);
    // While a relayed registration waits, the list contains the registration's name. The list therefore changes even if
    // the result is `known`.
    this.#listChanged();
    if (enrolment !== 'known') this.#agreeing.clear();
  }

  /**
   * Bans the member that relayed an invalid registration, because members must verify a registration before they relay
   * it.
   */
  #discredit(name: string, from: number): void {
    this.#refuse('invalid-registration');
    this.#invalid.add(name);
    this.#listChanged();
    if (from === nobody || this.#blacklist.has(from)) return;
    this.#blacklist.add(from);
    this.#inbox.forget(from);
    this.#port.trace(TraceKind.blacklisted, SetupMessage.relay, from, noContribution);
  }

  /** Drops the stored list, so that the next list is made of the current names. */
  #listChanged(): void {
    if (this.#list !== noContribution) this.#scheme.release(this.#list);
    this.#list = noContribution;
  }

  /**
   * Sends the member's own registration to newly drawn inboxes, until the registration has come back. The node's own
   * inbox may be among the drawn inboxes.
   */
  #sendOwn(): void {
    for (const own of this.#own) {
      if (this.#roll.has(this.#scheme.name(own)) || this.#roll.isSettled(own)) continue;
      for (const peer of drawIds(this.#scheme.members, this.#config.contacts, this.#random))
        this.#port.send(peer, SetupMessage.register, own, noContribution, 0);
    }
  }

  /**
   * Sends a list to the next peer. Once every member has registered, the node skips peers whose last list equalled its
   * own. A skipped peer that has received no equal list from this node sends its own list, and this node answers it.
   */
  #sendNext(): void {
    for (let tried = 0; tried < this.#order.length; tried++) {
      const peer = this.#order[this.#place]!;
      this.#place = (this.#place + 1) % this.#order.length;
      if (this.#hasEveryAuthor && this.#agreeing.has(peer)) continue;
      this.#sendTo(peer, 0);
      return;
    }
  }

  #sendTo(peer: number, flags: number): void {
    // The list includes unverified registrations relayed by members. If they were not on the list, other members would
    // send them repeatedly.
    if (this.#list === noContribution)
      this.#list = this.#scheme.list(
        [...this.#roll.names, ...this.#inbox.relayed].slice(0, maxListedNames * this.#scheme.members),
      );
    const unfinished = this.#isFinished ? 0 : unfinishedFlag;
    this.#port.send(peer, SetupMessage.list, this.#list, noContribution, flags | unfinished);
  }

  #verifyNext(): void {
    if (this.#checking !== undefined || this.#startUs < 0) return;
    for (let next = this.#inbox.take(); next !== undefined; next = this.#inbox.take()) {
      if (this.#ended) this.#refuse('late');
      else if (this.#roll.isSettled(next.registration)) this.#refuse('excluded-author');
      else {
        const ticket = this.#port.verify(next.registration, SetupMessage.relay, next.from);
        this.#checking = { ...next, ticket };
        return;
      }
      this.#listChanged();
      this.#scheme.release(next.registration);
    }
  }

  /** Ends the set-up early when no member is missing and all members have sent the same list. */
  #endIfAgreed(): void {
    const isAgreed = this.agreeing === this.#scheme.members;
    if (this.#hasEveryAuthor && isAgreed && this.#isFinished) this.#end();
  }

  /** Whether the node has verified all received registrations. */
  get #isFinished(): boolean {
    return this.#checking === undefined && this.#inbox.isEmpty;
  }

  /**
   * Whether every member has registered. Once every member has registered, the node sends lists to several members in
   * each period.
   */
  get #hasEveryAuthor(): boolean {
    return this.#roll.authors === this.#scheme.members;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const registration of this.#roll.accepted) this.#port.output(registration);
  }

  #refuse(code: SetupRefusal): void {
    this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1);
  }

  get #isCollecting(): boolean {
    return this.#sinceStartMs() < this.#config.collectMs;
  }

  #sinceStartMs(): number {
    return (this.#port.nowUs() - this.#startUs) / 1000;
  }

  #us(ms: number): number {
    return Math.max(1, Math.round(ms * 1000));
  }
}

/**
 * Returns at most `count` distinct ids from [0, members), in an order that depends only on the draws of the random
 * stream.
 */
function drawIds(members: number, count: number, random: (bound: number) => number): number[] {
  const all = Array.from({ length: members }, (_, i) => i);
  for (let i = 0; i < Math.min(count, members); i++) {
    const j = i + random(members - i);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, count);
}
