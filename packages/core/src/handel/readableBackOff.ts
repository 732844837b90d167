import type { AggregationScheme } from '../contribution/scheme.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import type { Contribution } from '../protocol.ts';
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
  hasOutput(): boolean;
  /** Sends Out_l. */
  send(level: Level, peer: number): void;
}

const lacks = ({ size, count }: Level): number => size - count;

/**
 * Back-off of a readable node: a level with nothing new to send falls quiet. The node then only asks for what it lacks,
 * one peer at a time over all levels, and ever more rarely. A node that is switched off (`backOff: false`) never falls
 * quiet.
 *
 * Intentional divergence: in v1.03 section 3.5.1 each active level contacts a peer every period, forever. See
 * docs/mechanisms/back-off.md.
 */
export class BackOff {
  readonly #node: Node;
  readonly #isOn: boolean;
  /** Periods in which the current Out_l was sent. */
  readonly #contacts = new Map<Level, number>();
  /** Quiet levels, with the number of periods before each may ask. */
  readonly #quiet = new Map<Level, number>();
  /** Questions since the node last learnt something, the last level in turn, and periods before the next question. */
  #questions = 0;
  #lastLevel = 0;
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
    if (this.#isOn && this.#isPatienceOver(level)) this.#quiet.set(level, level.number);
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

  /** A period ends on a quiet level. */
  passPeriod(level: Level): void {
    this.#quiet.set(level, Math.max(0, this.#quiet.get(level)! - 1));
  }

  /** In_l of a level improved: the node asks as often as at first. */
  startOver(): void {
    this.#questions = 0;
    this.#pause = 0;
  }

  /**
   * A period ends. Quiet levels take turns to ask, with a gap that doubles from question to question. A node without an
   * output that has asked in vain asks every other time on the level of which it lacks the most.
   */
  takeTurn(): void {
    if (!this.#isOn || this.#pause-- > 0) return;
    this.#pause = 0;
    const ready = this.#node.levels.filter((level) => this.#quiet.get(level) === 0 && lacks(level) > 0);
    if (ready.length === 0) return;
    if (!this.#node.hasOutput() && this.#questions >= backOffRule.questionsInVain && this.#questions % 2 === 1) {
      const most = ready.reduce((best, level) => (lacks(level) > lacks(best) ? level : best));
      if (this.#ask(most, this.#lastLevel)) return;
    }
    const later = ready.filter(({ number }) => number > this.#lastLevel);
    const earlier = ready.filter(({ number }) => number <= this.#lastLevel);
    [...later, ...earlier].some((level) => this.#ask(level, level.number));
  }

  /**
   * Asks the next peer of a level that is not blacklisted; with an output, the next whose contribution is lacking.
   * Returns whether there is one.
   */
  #ask(level: Level, turn: number): boolean {
    const { id, priorities, scheme, blacklist, hasOutput } = this.#node;
    const places = priorities.places(level.block);
    for (let passed = 0; passed < places; passed++) {
      const peer = priorities.contact(id, level.block, (level.place + passed) % places);
      if (peer < 0 || blacklist.has(peer) || (hasOutput() && scheme.contains(level.in, peer))) continue;
      level.place = (level.place + passed + 1) % places;
      this.#node.send(level, peer);
      this.#pause = this.#gap(level) - 1;
      this.#questions = this.#questions === 15 ? 14 : this.#questions + 1; // the gap has long reached its maximum
      this.#lastLevel = turn;
      return true;
    }
    return false;
  }

  /** Periods from a question to the next. Without an output, the gap doubles half as fast after a few in vain. */
  #gap(level: Level): number {
    const { questionsInVain, leastPerPeer, longestGap } = backOffRule;
    const isSlow = !this.#node.hasOutput() && this.#questions >= questionsInVain;
    const doublings = isSlow ? (this.#questions + questionsInVain - 1) >> 1 : this.#questions;
    return Math.min(longestGap, Math.max(2 ** (doublings + 1), Math.ceil(leastPerPeer / lacks(level))));
  }
}
