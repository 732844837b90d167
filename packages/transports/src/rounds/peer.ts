import { requireBytes, requireFunction, requireMethods, requireObject } from '@tutti/core/input';
import { claimedBy, markOf } from '../channel/channel.ts';
import { Counts } from '../counts.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { LastOf } from '../lastOf.ts';
import type { Refusal } from '../refusals.ts';
import type { Clock } from '../runtime/clock.ts';
import { processClock } from '../runtime/clockFromNow.ts';
import { requireTransport, type Transport } from '../transport/transport.ts';
import type { Group } from './group.ts';
import { type PeerConfig, peerConfig, type RoundPlan } from './plan.ts';
import type { RoundProtocol } from './protocol.ts';
import { rememberedSecrets } from './rememberedSecrets.ts';
import { type RoundReport, RoundSession } from './roundSession.ts';
import { SharedTransport } from './sharedTransport.ts';

/** For how many rounds nobody hears who lied for the first time, and at most: each lie after such a time doubles it. */
const minRounds = 2;
const maxRounds = 64;

/**
 * Whom a peer does not hear for some rounds, because a contribution of theirs did not verify. The channel says who sent
 * it and the session what it is about, and honest members send nothing that they did not verify: nobody can have
 * another one struck. Two numbers a member at most.
 */
export class Strikes {
  readonly #struck = new Map<number, { readonly until: number; readonly rounds: number }>();
  #opened = 0;

  /** @returns the round's place among those that were opened. */
  open(): number {
    return this.#opened++;
  }

  /** A member lied in a round, or beside the rounds. Lies in rounds that were open side by side are one. */
  strike(index: number, round: number = this.#opened): void {
    const { until, rounds } = this.#struck.get(index) ?? { until: 0, rounds: 0 };
    if (round < until) return;
    const isAgain = round < until + rounds;
    const next = isAgain ? Math.min(maxRounds, 2 * rounds) : minRounds;
    this.#struck.set(index, { until: this.#opened + next, rounds: next });
  }

  isStruck(index: number, round: number = this.#opened): boolean {
    return round < (this.#struck.get(index)?.until ?? 0);
  }
}

/** The round that runs, and the one before it, which still answers late peers. */
const defaultMaxOpen = 2;

/** Closed rounds whose packets are told from others. */
const maxRemembered = 1024;

export interface PeerOptions {
  readonly group: Group;
  /** This peer's entry in the registry. */
  readonly index: number;
  /** Its X25519 secret key, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /** Signs a round's message with the key of the entry: of BLS 96 bytes, compressed G2. */
  readonly sign: (message: Uint8Array, plan: RoundPlan) => Uint8Array;
  /** At the entry's address. The peer takes it over, and closes it with itself. */
  readonly transport: Transport;
  /** Default: one that all peers of the process share. */
  readonly clock?: Clock;
  /**
   * At least the threshold, as a count of entries. Default of the rest: `defaultHandelConfig`, with a period that fits
   * the peers of this process (`fittingPeriodMs`) when a round is opened.
   */
  readonly config: PeerConfig;
  /** The protocol of its rounds, which all members have to agree on. Default: Handel. */
  readonly protocol?: RoundProtocol;
  /** Rounds open at a time, at least 1: opening one more closes the oldest. Default 2. */
  readonly maxOpen?: number;
  /** Called when a round gives an output, each heavier than the last. */
  readonly onOutput?: (report: RoundReport) => void;
  /** Called when a round is over for this peer, with all that it did. */
  readonly onClosed?: (report: RoundReport) => void;
  /** Called when a verification could not be carried out; never for what a peer sent. */
  readonly onFailure?: (error: Error) => void;
  /** Called with the registry index of a peer that sent an invalid contribution in a round. */
  readonly onLiar?: (index: number) => void;
  /** Called with a round that was closed, and the registry index that a packet for it claims, unproven, to be from. */
  readonly onLate?: (round: number, index: number) => void;
}

/** What a peer did in all of its rounds so far. */
export interface PeerTotals {
  readonly roundsStarted: number;
  /** That gave an output. */
  readonly roundsReached: number;
  /** That were closed without one. */
  readonly roundsMissed: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  /** Of sealed packets, without IP and UDP headers. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Verifications asked for. */
  readonly checked: number;
  /** Times that a node was told something. */
  readonly events: number;
  /** By code: refusals of the open rounds, and of packets that belonged to none. */
  readonly refused: Readonly<Record<string, number>>;
}

const sums = ['messagesSent', 'messagesReceived', 'bytesSent', 'bytesReceived', 'checked', 'events'] as const;

/**
 * A registry entry's owner: one identity on one transport, for round after round. A round's packets find it by their
 * session; what is of no open round is counted as `wrong-session` and dropped. Secrets shared with peers are kept from
 * round to round; all else goes with its round.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #crypto: CryptoSuite;
  readonly #transport: SharedTransport;
  readonly #sessions = new Map<number, RoundSession>();
  readonly #strikes = new Strikes();
  /** Numbers of closed rounds, by what their packets begin with. */
  readonly #ended = new LastOf<number>(maxRemembered);
  readonly #refused = new Counts<Refusal>();
  readonly #totals = {
    roundsStarted: 0,
    roundsReached: 0,
    roundsMissed: 0,
    messagesSent: 0,
    messagesReceived: 0,
    bytesSent: 0,
    bytesReceived: 0,
    checked: 0,
    events: 0,
  };
  #closed = false;

  /** @throws TypeError for what is missing or of another kind; RangeError for an index beyond the registry. */
  constructor(options: PeerOptions) {
    requireObject('options', options);
    const { group, index, networkSecret, sign, transport, clock = processClock, config, protocol } = options;
    requireMethods('group', group, ['enter', 'leave']);
    if (!Number.isInteger(index) || index < 0 || index >= group.size)
      throw new RangeError(`index: expected an integer from 0 to ${group.size - 1}, got ${index}`);
    requireBytes('networkSecret', networkSecret);
    requireFunction('sign', sign);
    requireTransport('transport', transport);
    requireMethods('clock', clock, ['nowUs']);
    requireObject('config', config);
    if (protocol !== undefined) requireMethods('protocol', protocol, ['createNode']);
    this.#options = options;
    this.#crypto = rememberedSecrets(group.crypto);
    this.#transport = new SharedTransport(transport, (packet) => this.#onStray(packet));
    group.peers.add(this);
  }

  /** Numbers of the rounds that are open, the oldest first. */
  get openRounds(): number[] {
    return [...this.#sessions.keys()];
  }

  /**
   * Signs a round's message and listens to its packets; `start` starts it. The oldest round is closed where it would be
   * one too many.
   *
   * @throws RangeError when a round of that number is open, and as `roundSession` does.
   */
  open(plan: RoundPlan): void {
    const { group, index, networkSecret, sign, config, protocol } = this.#options;
    const { clock = processClock, maxOpen = defaultMaxOpen } = this.#options;
    requireObject('plan', plan);
    if (this.#closed) throw new RangeError('peer: expected an open one, got one that was closed');
    if (this.#sessions.has(plan.number)) throw new RangeError(`round ${plan.number}: expected one that is not open`);
    const round = group.enter(plan);
    const place = this.#strikes.open();
    const session = new RoundSession({
      group,
      round,
      index,
      crypto: this.#crypto,
      networkSecret,
      signature: sign(round.message, plan),
      transport: this.#transport.open(round.session),
      clock,
      config: peerConfig(config, group.peers.size),
      protocol,
      onOutput: (session) => this.#options.onOutput?.(session.report()),
      onFailure: (error) => this.#options.onFailure?.(error),
      isStruck: (index) => this.#strikes.isStruck(index, place),
      onLiar: (index) => {
        this.#strikes.strike(index, place);
        this.#options.onLiar?.(index);
      },
    });
    this.#sessions.set(plan.number, session);
    for (const oldest of this.openRounds.slice(0, -maxOpen)) this.closeRound(oldest);
  }

  /**
   * Starts a round that was opened; late or not, the others tell it what it missed.
   *
   * @param originUs when the round began for everybody, µs by the peer's clock. Default: now.
   * @throws RangeError when no round of that number is open.
   */
  start(round: number, originUs?: number): void {
    this.#session(round).start(originUs);
    this.#totals.roundsStarted++;
  }

  /**
   * A transport of a session that is no round: it hears the packets of that session alone, on the peer's own transport.
   *
   * @param session 32 bytes, see `sessionId`.
   */
  besideRounds(session: Uint8Array): Transport {
    return this.#transport.open(session);
  }

  /**
   * Bans a member that sent, beside the rounds, what only a faulty member sends: it is not heard for some rounds, as
   * one that sent an invalid contribution.
   */
  strike(index: number): void {
    this.#strikes.strike(index);
  }

  /** Whether a member is not heard now. */
  isStruck(index: number): boolean {
    return this.#strikes.isStruck(index);
  }

  /**
   * Registry indices of the members whose signatures this peer verified in a round that is open.
   *
   * @throws RangeError when it is not.
   */
  signersOf(round: number): ReadonlySet<number> {
    return this.#session(round).signers;
  }

  /** What this peer did so far in a round that is open. @throws RangeError when it is not. */
  report(round: number): RoundReport {
    return this.#session(round).report();
  }

  /**
   * Leaves a round, and frees everything that it held.
   *
   * @throws RangeError when no round of that number is open.
   */
  closeRound(number: number): void {
    const session = this.#session(number);
    this.#sessions.delete(number);
    const report = session.report();
    void session.close();
    this.#ended.keep(`${markOf(session.round.session)}`, number);
    this.#options.group.leave(session.round);
    for (const sum of sums) this.#totals[sum] += report[sum];
    this.#refused.addAll(report.refused);
    if (session.reached) this.#totals.roundsReached++;
    else if (session.started) this.#totals.roundsMissed++;
    this.#options.onClosed?.(report);
  }

  /** What this peer did so far in all of its rounds, the open ones included. */
  totals(): PeerTotals {
    const totals = { ...this.#totals };
    const refused = new Counts<Refusal>();
    refused.addAll(this.#refused.toRecord());
    refused.addAll(this.#transport.strays);
    for (const session of this.#sessions.values()) {
      const counts = session.counts();
      for (const sum of sums) totals[sum] += counts[sum];
      refused.addAll(counts.refused);
      if (session.reached) totals.roundsReached++;
    }
    return { ...totals, refused: refused.toRecord() };
  }

  /** Closes all rounds and the transport; resolves when its address is free. The totals stay. */
  close(): Promise<void> {
    this.#closed = true;
    this.#options.group.peers.delete(this);
    for (const round of this.openRounds) this.closeRound(round);
    return this.#transport.close();
  }

  #onStray(packet: Uint8Array): void {
    const { mark, sender } = claimedBy(packet);
    const round = this.#ended.get(`${mark}`);
    if (round !== undefined && sender < this.#options.group.size) this.#options.onLate?.(round, sender);
  }

  #session(round: number): RoundSession {
    const session = this.#sessions.get(round);
    if (session === undefined) throw new RangeError(`round ${round}: expected one that is open`);
    return session;
  }
}
