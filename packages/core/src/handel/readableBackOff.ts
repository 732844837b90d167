import type { AggregationScheme } from '../contribution/scheme.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import { type Contribution, MessageFlag } from '../protocol.ts';
import { backOffRule } from './config.ts';

/** Parts of a level that back-off reads. It moves `place` on. */
interface Level {
  readonly number: number;
  readonly block: number;
  readonly size: number;
  readonly in: Contribution;
  readonly count: number;
  readonly silenced: ReadonlySet<number>;
  place: number;
}

/** Parts of a node that back-off reads. */
interface Node {
  readonly id: number;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  readonly levels: readonly Level[];
  readonly blacklist: ReadonlySet<number>;
  readonly knownIndividuals: ReadonlySet<number>;
  hasOutput(): boolean;
  /** Sends Out_l. */
  send(level: Level, peer: number, flags?: number): void;
}

/** Times and counts of a quiet level. */
interface Quiet {
  /** Periods before the level asks. */
  wait: number;
  /** Questions since the node last learnt something. */
  asked: number;
  /** Answers to them that brought nothing. */
  useless: number;
  /** Place of the prioritisation vector where the next push starts. */
  pushPlace: number;
}

const lacks = ({ size, count }: Level): number => size - count;

/**
 * Back-off of a readable node: a level with nothing new to send falls quiet and only asks for what it lacks, ever more
 * rarely. A node that is switched off (`backOff: false`) never falls quiet.
 *
 * Intentional divergence: in v1.03 section 3.5.1 each active level contacts a peer every period, forever. See
 * docs/mechanisms/back-off.md.
 */
export class BackOff {
  readonly #node: Node;
  readonly #isOn: boolean;
  /** Periods in which the current Out_l was sent. */
  readonly #contacts = new Map<Level, number>();
  /** Quiet levels. */
  readonly #quiet = new Map<Level, Quiet>();
  /** Turns of a node with an output since it last learnt something, its last level, and periods before the next. */
  #turns = 0;
  #turnLevel = 0;
  #pause = 0;

  constructor(node: Node, isOn: boolean) {
    this.#node = node;
    this.#isOn = isOn;
  }

  isQuiet(level: Level): boolean {
    return this.#quiet.has(level);
  }

  /** Whether periods have anything left to do on a level: a peer to contact, or something to ask for. */
  isAtWork(level: Level): boolean {
    const hasListeners = level.silenced.size < level.size;
    if (!this.#isOn) return hasListeners;
    return lacks(level) > 0 || (hasListeners && !this.isQuiet(level));
  }

  /** Out_l changed: the level has something new to send. */
  wake(level: Level): void {
    this.#contacts.delete(level);
    this.#quiet.delete(level);
  }

  /** A period contacted a peer on a level. The level falls quiet if that was often enough. */
  countContact(level: Level): void {
    if (this.#isOn && this.#isPatienceOver(level)) this.#fallQuiet(level, level.number);
  }

  /**
   * Patience is a few contacts. A node without an output contacts each listening peer once if it lacks more than half of
   * the level, since a few peers may all be dead, and on each level if it caught a liar.
   */
  #isPatienceOver(level: Level): boolean {
    const { hasOutput, blacklist } = this.#node;
    const listeners = level.size - level.silenced.size;
    if (listeners === 0) return true;
    const contacts = (this.#contacts.get(level) ?? 0) + 1;
    this.#contacts.set(level, contacts);
    if (lacks(level) === 0) return contacts >= backOffRule.contactsIfComplete;
    if (hasOutput()) return contacts >= backOffRule.contacts;
    if (blacklist.size > 0) return contacts >= Math.max(backOffRule.contactsAmongLiars, listeners);
    const lacksMost = 2 * level.count < level.size;
    return contacts >= (lacksMost ? Math.max(backOffRule.contacts, listeners) : backOffRule.contacts);
  }

  #fallQuiet(level: Level, wait: number): void {
    this.#quiet.set(level, { wait, asked: 0, useless: 0, pushPlace: 0 });
  }

  /** A period ends on a quiet level. A node without an output asks any peer that is not blacklisted. */
  passPeriod(level: Level): void {
    const quiet = this.#quiet.get(level)!;
    quiet.wait = Math.max(0, quiet.wait - 1);
    if (this.#node.hasOutput() || quiet.wait > 0 || lacks(level) === 0) return;
    const asking = [...this.#quiet.keys()].filter((one) => lacks(one) > 0).length;
    const longest = backOffRule.longestWaitPerLevel * asking;
    quiet.wait = longest;
    if (!this.#ask(level, (peer) => !this.#node.blacklist.has(peer))) return;
    quiet.asked++;
    quiet.wait = Math.min(longest, this.#waitAfter(level, quiet));
  }

  /** A useless answer doubles the wait, and so do many questions without an answer. Between doublings it grows evenly. */
  #waitAfter(level: Level, { asked, useless }: Quiet): number {
    const perDoubling = Math.max(backOffRule.unansweredPerDoubling, lacks(level));
    const unanswered = asked - useless;
    const power = 2 ** (useless + Math.floor(unanswered / perDoubling));
    return power + Math.floor((power * (unanswered % perDoubling)) / perDoubling);
  }

  /** An answer brought nothing. That tells more than silence, since a peer may be dead or a message lost. */
  countUseless(level: Level): void {
    const quiet = this.#quiet.get(level);
    if (quiet !== undefined && !this.#node.hasOutput()) quiet.useless = Math.min(quiet.asked, quiet.useless + 1);
  }

  /** In_l of a level improved: peers may have news as well, so the node asks as often as at first. */
  startOver(): void {
    this.#turns = 0;
    this.#pause = 0;
    if (this.#node.hasOutput()) return;
    for (const level of this.#quiet.keys()) this.#fallQuiet(level, backOffRule.waitAfterLearning);
  }

  /** A peer improved In_l of a node that has an output. It may not know this node yet, so it is answered. */
  thank(level: Level, peer: number): void {
    if (this.#isOn && this.#node.hasOutput() && !level.silenced.has(peer))
      this.#node.send(level, peer, MessageFlag.answer);
  }

  /**
   * A period ends at a node with an output. Its quiet levels take turns, with a pause that doubles from turn to turn: one
   * asks a peer whose contribution is lacking, and pushes to a peer that is known to be there.
   */
  takeTurn(): void {
    if (!this.#node.hasOutput() || this.#pause-- > 0) return;
    this.#pause = 0;
    const { scheme, blacklist } = this.#node;
    const inTurn = this.#readyAfter(this.#turnLevel);
    const isLacked = (level: Level) => (peer: number) => !blacklist.has(peer) && !scheme.contains(level.in, peer);
    const asked = inTurn.find((level) => this.#ask(level, isLacked(level)));
    if (asked === undefined) return;
    this.#readyAfter(asked.number - 1).some((level) => this.#push(level));
    this.#turnLevel = asked.number;
    this.#pause = Math.min(backOffRule.longestPause, 2 ** (this.#turns + 1)) - 1;
    this.#turns++;
  }

  /** Quiet levels that have waited and lack something, those after the given one first. */
  #readyAfter(last: number): Level[] {
    const ready = this.#node.levels.filter((level) => this.#quiet.get(level)?.wait === 0 && lacks(level) > 0);
    return [...ready.filter(({ number }) => number > last), ...ready.filter(({ number }) => number <= last)];
  }

  /** Asks the next such peer. Returns whether there is one. */
  #ask(level: Level, isWanted: (peer: number) => boolean): boolean {
    const found = this.#seek(level, level.place, isWanted);
    if (found === undefined) return false;
    level.place = found.next;
    this.#node.send(level, found.peer);
    return true;
  }

  /** Sends to the next peer that was heard and listens, marked as an answer. Returns whether there is one. */
  #push(level: Level): boolean {
    const quiet = this.#quiet.get(level)!;
    const isThere = (peer: number) => this.#node.knownIndividuals.has(peer) && !level.silenced.has(peer);
    const found = this.#seek(level, quiet.pushPlace, isThere);
    if (found === undefined) return false;
    quiet.pushPlace = found.next;
    this.#node.send(level, found.peer, MessageFlag.answer);
    return true;
  }

  /** The first such peer of the prioritisation vector from a place on, in a circle, and the place after it. */
  #seek(level: Level, first: number, isWanted: (peer: number) => boolean): { peer: number; next: number } | undefined {
    const { id, priorities } = this.#node;
    const places = priorities.places(level.block);
    for (let place = first; place < first + places; place++) {
      const peer = priorities.contact(id, level.block, place % places);
      if (peer >= 0 && isWanted(peer)) return { peer, next: (place + 1) % places };
    }
    return undefined;
  }
}
