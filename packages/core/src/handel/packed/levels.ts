import { popcount } from '../../bytes.ts';
import type { Tree } from '../../overlay/tree.ts';
import type { Contribution } from '../../protocol.ts';
import type { Slab } from '../../slab.ts';
import { maxAsked, maxCredit, maxUseless, maxWait } from '../config.ts';
import type { Peers } from './peers.ts';

/** Number of integers in a row. */
export const levelInts = 8;

/** Columns of row l, for level l from 1 to L. Row L + 1 has only the column `out`, for the final aggregate. */
const column = {
  in: 0,
  inWeight: 1,
  out: 2,
  size: 3,
  window: 4,
  /** Bits 0 to 19: next place in the prioritisation vector. Bit 20: whether the level owes a message. */
  cursor: 5,
  /** On a level with at most 32 peers: one bit per silenced peer. On a larger level: number of silenced peers. */
  silenced: 6,
  /**
   * On a level that is not quiet: number of contacts since Out_l changed. On a quiet level, bit 31 is 1. Bits 20 to 30:
   * periods until the next question. Bits 12 to 19: useless answers. Bits 0 to 11: questions asked.
   */
  quiet: 7,
} as const;

/** Columns of row 0, which describes the node. Columns 1 to 4 are the record of the node's {@link Peers}. */
const nodeColumn = {
  frontier: 0,
  peersRecord: 1,
  /** Id of the last peer that sent a request, plus 1; 0 if no peer has sent one. */
  lastAsker: 5,
  credit: 6,
  /**
   * Bits 0 to 3: questions since {@link Levels.endPause}. Bits 4 to 9: level that asked the last question. Bits 10 and
   * above: periods to pause.
   */
  turns: 7,
} as const;

/** Offset from a node's rows to the record of its {@link Peers}, next to data that is read for every message. */
export const peersRecordAt = nodeColumn.peersRecord;

const placeMask = (1 << 20) - 1;
const owesBit = 1 << 20;

const quietBit = 1 << 31;
const waitShift = 20;
const uselessShift = 12;

const maxQuestions = 15;
const turnShift = 4;
const turnMask = 63;
const pauseShift = 10;

/**
 * The state that a node stores for every level (v1.03 section 3.4), as rows of integers: row 0 for the node, then one
 * row per level. `pending.ts` stores the pending contributions.
 */
export class Levels {
  readonly count: number;
  readonly #tree: Tree;
  readonly #initialWindow: number;
  readonly #slab: Slab;
  /** Address of the current node's rows. */
  #address = 0;

  constructor(tree: Tree, initialWindow: number, slab: Slab) {
    this.count = tree.levels;
    this.#tree = tree;
    this.#initialWindow = initialWindow;
    this.#slab = slab;
  }

  /** Allocates rows for a node and makes it the current node. @returns their address. */
  open(id: number): number {
    const address = this.#slab.reserve((this.count + 2) * levelInts);
    this.enter(address);
    for (let level = 1; level <= this.count; level++) {
      this.#set(level, column.size, this.#tree.size(this.#tree.peerBlock(id, level)));
      this.#set(level, column.window, this.#initialWindow);
    }
    this.#set(0, nodeColumn.frontier, 1);
    this.advanceFrontier();
    return address;
  }

  /** Makes the node with rows at this address the current node. */
  enter(address: number): void {
    this.#address = address;
  }

  /** Returns the number of peers on the level; 0 for an empty level. */
  size(level: number): number {
    return this.#get(level, column.size);
  }

  /** Returns In_l, the best contribution assembled from the level's peers. */
  in(level: number): Contribution {
    return this.#get(level, column.in);
  }

  /** Returns the number of individual contributions in In_l. */
  inWeight(level: number): number {
    return this.#get(level, column.inWeight);
  }

  setIn(level: number, contribution: Contribution, weight: number): void {
    this.#set(level, column.in, contribution);
    this.#set(level, column.inWeight, weight);
  }

  /** Returns whether In_l contains all of the level's peers. The result is false for an empty level. */
  inComplete(level: number): boolean {
    const size = this.#get(level, column.size);
    return size > 0 && this.#get(level, column.inWeight) === size;
  }

  /** Returns Out_l as last assembled, or noContribution if it must be assembled again. */
  out(level: number): Contribution {
    return this.#get(level, column.out);
  }

  setOut(level: number, contribution: Contribution): void {
    this.#set(level, column.out, contribution);
  }

  /** Returns whether Out_l contains all ids in the tiers below it. */
  outComplete(level: number): boolean {
    return this.#tree.firstOfTier(level) <= this.frontier;
  }

  /**
   * First level that has peers and an incomplete In, or L + 1 if every level's In is complete. This level belongs to
   * the highest tier whose Out is complete.
   */
  get frontier(): number {
    return this.#get(0, nodeColumn.frontier);
  }

  /** Advances the frontier past complete and empty levels. */
  advanceFrontier(): void {
    let frontier = this.frontier;
    while (frontier <= this.count && this.inWeight(frontier) === this.size(frontier)) frontier++;
    this.#set(0, nodeColumn.frontier, frontier);
  }

  /** Returns the number of individual contributions in the final aggregate, which is the union of In_0 and all In_l. */
  totalWeight(): number {
    let weight = 1;
    for (let level = 1; level <= this.count; level++) weight += this.inWeight(level);
    return weight;
  }

  window(level: number): number {
    return this.#get(level, column.window);
  }

  setWindow(level: number, size: number): void {
    this.#set(level, column.window, size);
  }

  /**
   * Returns the next place in the level's prioritisation vector and advances the place, which returns to 0 after
   * `places` places.
   */
  takePlace(level: number, places: number): number {
    const cursor = this.#get(level, column.cursor);
    const place = cursor & placeMask;
    this.#set(level, column.cursor, place + 1 === places ? cursor - place : cursor + 1);
    return place;
  }

  /** Returns whether the level is quiet: it has nothing new to send, and only asks for contributions that it lacks. */
  isQuiet(level: number): boolean {
    return this.#get(level, column.quiet) < 0;
  }

  /** Counts a period in which the level contacted a peer. @returns the number of contacts since Out_l changed. */
  countContact(level: number): number {
    const contacts = this.#get(level, column.quiet) + 1;
    this.#set(level, column.quiet, contacts);
    return contacts;
  }

  /**
   * Makes the level quiet and sets its numbers of questions and useless answers to 0. The level waits for `wait`
   * periods before its first question.
   */
  fallQuiet(level: number, wait: number): void {
    this.#set(level, column.quiet, quietBit | (wait << waitShift));
  }

  /** Ends the quiet state of a level and resets its number of contacts, after Out_l has changed. */
  endQuiet(level: number): void {
    this.#set(level, column.quiet, 0);
  }

  /** Shortens the wait of a quiet level by one period, down to 0. @returns whether the level is quiet. */
  passPeriod(level: number): boolean {
    const quiet = this.#get(level, column.quiet);
    if (quiet >= 0) return false;
    if (quiet >>> waitShift !== quietBit >>> waitShift) this.#set(level, column.quiet, quiet - (1 << waitShift));
    return true;
  }

  /** Returns whether the level is quiet and its wait has ended. */
  mayAsk(level: number): boolean {
    return this.#get(level, column.quiet) >>> waitShift === quietBit >>> waitShift;
  }

  /** Returns whether the level lacks contributions of its peers. */
  isLacking(level: number): boolean {
    return this.#get(level, column.inWeight) < this.#get(level, column.size);
  }

  /** Returns whether any level that lacks contributions may ask. */
  isAnyAsking(): boolean {
    for (let level = this.frontier; level <= this.count; level++) {
      if (this.mayAsk(level) && this.isLacking(level)) return true;
    }
    return false;
  }

  /** Sets the number of periods that a quiet level waits from now on, 0 to `maxWait`. */
  setWait(level: number, periods: number): void {
    const counts = this.#get(level, column.quiet) & ~(maxWait << waitShift);
    this.#set(level, column.quiet, counts | (periods << waitShift));
  }

  /** Returns the number of questions asked on a quiet level, up to `maxAsked`. */
  asked(level: number): number {
    return this.#get(level, column.quiet) & maxAsked;
  }

  countQuestion(level: number): void {
    if (this.asked(level) < maxAsked) this.#set(level, column.quiet, this.#get(level, column.quiet) + 1);
  }

  /** Returns the number of useless answers on a quiet level, up to `maxUseless`. */
  useless(level: number): number {
    return (this.#get(level, column.quiet) >>> uselessShift) & maxUseless;
  }

  countUseless(level: number): void {
    const one = 1 << uselessShift;
    if (this.useless(level) < maxUseless) this.#set(level, column.quiet, this.#get(level, column.quiet) + one);
  }

  /** Last peer that sent a message without the flag for a complete level; -1 if no peer has sent one. */
  get lastAsker(): number {
    return this.#get(0, nodeColumn.lastAsker) - 1;
  }

  set lastAsker(peer: number) {
    this.#set(0, nodeColumn.lastAsker, peer + 1);
  }

  /** Returns the next place in the level's prioritisation vector. */
  cursor(level: number): number {
    return this.#get(level, column.cursor) & placeMask;
  }

  setCursor(level: number, place: number): void {
    this.#set(level, column.cursor, (this.#get(level, column.cursor) & ~placeMask) | place);
  }

  /** Returns whether a quiet level owes a message to a peer that sent a request. */
  owes(level: number): boolean {
    return this.#get(level, column.cursor) > placeMask;
  }

  setOwes(level: number, owes: boolean): void {
    this.#set(level, column.cursor, this.cursor(level) | (owes ? owesBit : 0));
  }

  /**
   * Number of periods in which a quiet level sent nothing, less the messages sent in return. Range 0 to `maxCredit`.
   */
  get credit(): number {
    return this.#get(0, nodeColumn.credit);
  }

  addCredit(change: number): void {
    this.#set(0, nodeColumn.credit, Math.min(maxCredit, this.credit + change));
  }

  /** Number of questions that a node with an output has asked since the last {@link endPause}, up to 15. */
  get questions(): number {
    return this.turns & maxQuestions;
  }

  /** Level of the last question that a node with an output asked in a turn. */
  get askedLevel(): number {
    return (this.turns >>> turnShift) & turnMask;
  }

  /**
   * Counts a question that a node with an output asked in a level's turn. The next question follows after `pause`
   * periods.
   */
  countTurn(level: number, pause: number): void {
    const questions = Math.min(maxQuestions, this.questions + 1);
    this.#set(0, nodeColumn.turns, questions | (level << turnShift) | (pause << pauseShift));
  }

  /** Counts a period of the pause between turns. @returns false if the pause is over. */
  passPause(): boolean {
    const { turns } = this;
    if (turns >>> pauseShift === 0) return false;
    this.#set(0, nodeColumn.turns, turns - (1 << pauseShift));
    return true;
  }

  /**
   * Resets the count of questions after new contributions or a request on a quiet level, so that the node asks at the
   * initial rate again.
   */
  endPause(): void {
    this.#set(0, nodeColumn.turns, this.askedLevel << turnShift);
  }

  /** All counts of a node's turns, packed into one integer, for the model checker. */
  get turns(): number {
    return this.#get(0, nodeColumn.turns);
  }

  /** Returns the column `quiet` of a level, for the model checker. */
  quiet(level: number): number {
    return this.#get(level, column.quiet);
  }

  /** Returns the number of silenced peers on the level. */
  silencedCount(level: number): number {
    const silenced = this.#get(level, column.silenced);
    return this.isSmall(level) ? popcount(silenced) : silenced;
  }

  /** Adds 1 to, or subtracts 1 from, the number of silenced peers of a level that is not small. */
  countSilenced(level: number, change: 1 | -1): void {
    this.#set(level, column.silenced, this.#get(level, column.silenced) + change);
  }

  /** Returns whether the level has at most 32 peers, so that one integer has a bit for each peer. */
  isSmall(level: number): boolean {
    return this.#get(level, column.size) <= 32;
  }

  /** Returns whether a peer of a small level is silenced. The ids of a small peer set differ in their low 5 bits. */
  isSilenced(level: number, peer: number): boolean {
    return ((this.#get(level, column.silenced) >>> (peer & 31)) & 1) === 1;
  }

  setSilenced(level: number, peer: number): void {
    this.#set(level, column.silenced, this.#get(level, column.silenced) | (1 << (peer & 31)));
  }

  clearSilenced(level: number, peer: number): void {
    this.#set(level, column.silenced, this.#get(level, column.silenced) & ~(1 << (peer & 31)));
  }

  #get(level: number, which: number): number {
    return this.#slab.ints[this.#address + level * levelInts + which]!;
  }

  #set(level: number, which: number, value: number): void {
    this.#slab.ints[this.#address + level * levelInts + which] = value | 0;
  }
}
