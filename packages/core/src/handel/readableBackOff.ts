import type { AggregationScheme } from '../contribution/scheme.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import { type Contribution, MessageFlag } from '../protocol.ts';
import { backOffRule, maxAsked, maxCredit, maxUseless, maxWait } from './config.ts';

/** Parts of a level that back-off reads. Back-off also advances the field `place`. */
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
  hasOutput(): boolean;
  /** Sends Out_l to one peer. */
  send(level: Level, peer: number, flags?: number): void;
  /** Sends Out_l to the next peers of the prioritisation vector. */
  contactNext(level: Level, count: number): void;
}

/** Wait and counters of a quiet level. */
interface Quiet {
  /** Number of periods before the level contacts a peer again. */
  wait: number;
  /** Number of peers contacted since the level became quiet or the node last received new contributions. */
  asked: number;
  /** Number of useless answers from these peers, which are answers without new contributions. */
  useless: number;
}

const lacks = ({ size, count }: Level): number => size - count;
const hasListeners = ({ silenced, size }: Level): boolean => silenced.size < size;

/**
 * Back-off of a readable node. A level with nothing new to send becomes quiet and only asks for missing contributions,
 * at growing intervals. With `backOff: false`, a level never becomes quiet.
 *
 * Intentional divergence: in v1.03 section 3.5.1 each active level contacts a peer in every period, without end. See
 * docs/concepts/back-off.md.
 */
export class BackOff {
  readonly #node: Node;
  readonly #isOn: boolean;
  readonly #periodUs: number;
  /** Number of periods in which each level has sent its current Out_l. */
  readonly #contacts = new Map<Level, number>();
  readonly #quiet = new Map<Level, Quiet>();
  /** Number of periods in which a quiet level sent nothing, less the messages sent in return. */
  #credit = 0;
  /** End of the last period included in the credit, microseconds. */
  #creditedUs = 0;
  /** Levels that owe a message to a peer, because the node had no credit for an answer. */
  readonly #owing = new Set<Level>();
  /** Last peer that sent a request, and the peer's level. */
  #asker: { readonly level: Level; readonly peer: number } | undefined;
  /**
   * State of a node with an output: number of turns since the node last received new contributions, level of the last
   * turn, and number of periods before the next turn.
   */
  #turns = 0;
  #turnLevel = 0;
  #pause = 0;

  constructor(node: Node, isOn: boolean, periodMs: number) {
    this.#node = node;
    this.#isOn = isOn;
    this.#periodUs = 1000 * periodMs;
  }

  isQuiet(level: Level): boolean {
    return this.#quiet.has(level);
  }

  /** Returns whether periods have anything left to do on a level: a peer to contact, or a contribution to ask for. */
  isAtWork(level: Level): boolean {
    if (!this.#isOn) return hasListeners(level);
    return lacks(level) > 0 || (hasListeners(level) && (!this.isQuiet(level) || this.#owing.has(level)));
  }

  /** Ends the quiet state of a level after a change of Out_l, which gives the level something new to send. */
  wake(level: Level): void {
    this.#contacts.delete(level);
    this.#quiet.delete(level);
  }

  /** Counts a period in which a level contacted a peer. After enough contacts, the level becomes quiet. */
  countContact(level: Level): void {
    if (!this.#isOn) return;
    const contacts = (this.#contacts.get(level) ?? 0) + 1;
    this.#contacts.set(level, contacts);
    if (!hasListeners(level) || contacts >= this.#contactsBeforeQuiet(level)) this.#fallQuiet(level, level.number);
  }

  /**
   * Returns the number of contacts after which a level becomes quiet. A few contacts are enough. A node without an
   * output contacts each listening peer once if the node lacks more than half of the level's contributions, because a
   * few peers may all be dead. If such a node has found a Byzantine peer, it contacts each listening peer once on every
   * incomplete level.
   */
  #contactsBeforeQuiet(level: Level): number {
    const { hasOutput, blacklist } = this.#node;
    const listeners = level.size - level.silenced.size;
    if (lacks(level) === 0) return backOffRule.contactsIfComplete;
    if (hasOutput()) return backOffRule.contacts;
    if (blacklist.size > 0) return Math.max(backOffRule.contactsIfByzantine, listeners);
    const lacksMost = 2 * level.count < level.size;
    return lacksMost ? Math.max(backOffRule.contacts, listeners) : backOffRule.contacts;
  }

  /** Makes a level quiet. The first wait of a level is its number, so levels begin to ask at different times. */
  #fallQuiet(level: Level, wait: number): void {
    this.#quiet.set(level, { wait, asked: 0, useless: 0 });
  }

  // Messages of a quiet level

  /**
   * Ends a period on a quiet level. The level contacts a peer if it owes a message, or else asks for missing
   * contributions. If the level sends nothing in this period, the node may send one message later. On average the node
   * sends at most one message per active level and period.
   */
  passPeriod(level: Level, sinceStartUs: number): void {
    const quiet = this.#quiet.get(level)!;
    quiet.wait = Math.max(0, quiet.wait - 1);
    if (this.#owing.delete(level)) this.#node.contactNext(level, 1);
    else if (!this.#askInTime(level, quiet, sinceStartUs)) this.#saveCredit(level, 1);
  }

  #saveCredit(level: Level, periods: number): void {
    if (hasListeners(level)) this.#credit = Math.min(maxCredit, this.#credit + periods);
  }

  /**
   * Handles a request on a quiet level. A node without credit does not answer the peer, because a Byzantine peer may
   * ask forever. The level then contacts the next peer in its prioritisation vector at the end of the period. Periods
   * that were skipped for lack of anything to do give credit as well.
   */
  reply(level: Level, peer: number, untilUs: number): void {
    const periodUs = Math.round(this.#periodUs);
    const idle = Math.max(0, Math.floor((untilUs - this.#creditedUs) / periodUs));
    this.#creditedUs += idle * periodUs;
    for (const one of this.#node.levels) this.#saveCredit(one, idle);
    if (!this.#answer(level, peer)) this.#owing.add(level);
  }

  /** Answers a peer if the node has credit. Returns whether the node had credit. */
  #answer(level: Level, peer: number): boolean {
    if (this.#credit === 0) return false;
    this.#credit--;
    this.#node.send(level, peer, MessageFlag.answer);
    return true;
  }

  // A node without an output

  /**
   * Asks a peer on behalf of a node without an output. Any peer that is not blacklisted is suitable, because the
   * missing peers may never answer. Each level has its own wait. Returns whether the node asked a peer.
   */
  #askInTime(level: Level, quiet: Quiet, sinceStartUs: number): boolean {
    if (this.#node.hasOutput() || quiet.wait > 0 || lacks(level) === 0) return false;
    const longest = this.#longestWait(sinceStartUs);
    quiet.wait = longest;
    if (!this.#ask(level, (peer) => !this.#node.blacklist.has(peer))) return false;
    quiet.asked = Math.min(maxAsked, quiet.asked + 1);
    quiet.wait = Math.min(longest, this.#waitAfter(level, quiet));
    return true;
  }

  /**
   * Returns the longest wait of a level, in periods. Over all levels, a node asks at least once in a few periods. No
   * level waits for longer than the time since the node's start.
   */
  #longestWait(sinceStartUs: number): number {
    const asking = [...this.#quiet.keys()].filter((level) => lacks(level) > 0).length;
    const periods = Math.floor(sinceStartUs / this.#periodUs);
    return Math.max(1, Math.min(maxWait, backOffRule.longestWaitPerLevel * asking, periods));
  }

  /**
   * Returns the wait until a level's next question, in periods. The wait doubles with useless answers, whose count is
   * weighted by the square of their share of the questions. If peers are dead or messages are lost, a few answers say
   * little about the remaining peers. Unanswered questions count little. Between doublings the wait grows linearly. The
   * first questions are rarer, because the answers are still in transit.
   */
  #waitAfter(level: Level, { asked, useless }: Quiet): number {
    const share = useless / (asked + backOffRule.doubtedQuestions);
    const perDoubling = Math.max(backOffRule.unansweredPerDoubling, backOffRule.unansweredPerLacking * lacks(level));
    const doublings = backOffRule.doublingsPerUseless * useless * share * share + (asked - useless) / perDoubling;
    const whole = Math.floor(doublings);
    const min = asked <= backOffRule.firstQuestions ? 2 : 1;
    return Math.max(min, Math.floor(2 ** whole * (1 + doublings - whole)));
  }

  /** Counts an answer without new contributions, at most one answer per question. */
  countUseless(level: Level): void {
    const quiet = this.#quiet.get(level);
    if (quiet === undefined || this.#node.hasOutput()) return;
    quiet.useless = Math.min(maxUseless, quiet.asked, quiet.useless + 1);
  }

  /**
   * Resets the rate of questions after an improvement of a level's In_l, because peers may also have new contributions.
   */
  startOver(): void {
    this.#restartTurns();
    if (this.#node.hasOutput()) return;
    for (const level of this.#quiet.keys()) this.#fallQuiet(level, backOffRule.waitAfterLearning);
  }

  // A node with an output

  /**
   * Answers a peer that improved In_l of a node that has an output. The peer may not have received any message from
   * this node yet.
   */
  answerImprovement(level: Level, peer: number): void {
    if (this.#isOn && this.#node.hasOutput() && !level.silenced.has(peer)) this.#answer(level, peer);
  }

  /**
   * Handles a message without the flag for a complete level, which counts as a request. In its next turn, a node with
   * an output sends Out_l to the last such peer. If the level is quiet, a node with an output also asks questions at its
   * initial rate again, because an answer may get lost.
   */
  noteAsker(level: Level, peer: number): void {
    this.#asker = { level, peer };
    if (this.#node.hasOutput() && this.isQuiet(level)) this.#restartTurns();
  }

  /** Ends a period of the node. */
  endPeriod(nowUs: number): void {
    this.#creditedUs = nowUs;
    if (this.#node.hasOutput()) this.#takeTurn();
  }

  /**
   * Ends a period at a node with an output. The node's quiet levels take turns, with a pause that doubles after each
   * turn. In its turn, a level asks a peer whose contribution is missing. In the same turn, the last peer that sent a
   * request receives Out_l of that peer's level again.
   */
  #takeTurn(): void {
    if (this.#pause > 0) {
      this.#pause--;
      return;
    }
    if (this.#credit === 0) return;
    const { levels, scheme, blacklist } = this.#node;
    const ready = levels.filter((level) => this.#quiet.get(level)?.wait === 0 && lacks(level) > 0);
    const later = ready.filter(({ number }) => number > this.#turnLevel);
    const isLacked = (level: Level) => (peer: number) => !blacklist.has(peer) && !scheme.contains(level.in, peer);
    const asked = [...later, ...ready].find((level) => this.#ask(level, isLacked(level)));
    if (asked === undefined) return;
    this.#credit--;
    const asker = this.#asker;
    if (asker !== undefined && !asker.level.silenced.has(asker.peer)) this.#answer(asker.level, asker.peer);
    this.#turnLevel = asked.number;
    this.#pause = Math.min(backOffRule.longestPause, 2 ** (this.#turns + 1)) - 1;
    this.#turns++;
  }

  #restartTurns(): void {
    this.#turns = 0;
    this.#pause = 0;
  }

  /** Asks the next wanted peer of the prioritisation vector. Returns whether the vector contains a wanted peer. */
  #ask(level: Level, isWanted: (peer: number) => boolean): boolean {
    const { id, priorities } = this.#node;
    const places = priorities.places(level.block);
    for (let place = level.place; place < level.place + places; place++) {
      const peer = priorities.contact(id, level.block, place % places);
      if (peer < 0 || !isWanted(peer)) continue;
      level.place = (place + 1) % places;
      this.#node.send(level, peer);
      return true;
    }
    return false;
  }
}
