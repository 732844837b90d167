import { popcount } from '../../contribution/popcount.ts';
import type { Tree } from '../../overlay/tree.ts';
import type { Contribution } from '../../protocol.ts';
import { Slab } from '../../slab.ts';

/** Columns of a level's line; `silenced` holds the peers' bits on a small level, their number on a larger one. */
const column = {
  in: 0,
  inWeight: 1,
  out: 2,
  size: 3,
  window: 4,
  cursor: 5,
  silenced: 6,
  quiet: 7,
} as const;
/** Integers of a level's line. */
export const levelInts = 8;

/**
 * In the column of quiet: how many contacts there were since Out_l changed; or, with this bit, how many periods the
 * quiet level still lets pass before it asks.
 */
const quietBit = 1 << 30;

/**
 * In the column of quiet of line 0, from bit 0 up: how many questions the node has asked since it learnt something;
 * whose turn it was last; how many periods are to pass before the next question.
 */
const questionsMask = 15;
const askedShift = 4;
const askedMask = 63;
const pauseShift = 10;

/**
 * The offset from a node's lines to the record of its {@link Peers}: in line 0, which no level uses, next to what every
 * message reads.
 */
export const peersRecordAt = 1;

/**
 * The state that a node keeps for every level (v1.03 section 3.4), one line of integers per level: In_l, Out_l, the
 * window, and how far the prioritisation vector has been walked. `pending.ts` keeps the pending contributions.
 */
export class Levels {
  readonly count: number;
  readonly #tree: Tree;
  readonly #initialWindow: number;
  readonly #slab: Slab;
  /** Where the lines of the node that is turned to lie. */
  #address = 0;

  /** Opens the lines of one node. */
  constructor(tree: Tree, id: number, initialWindow: number, slab = new Slab()) {
    this.count = tree.levels;
    this.#tree = tree;
    this.#initialWindow = initialWindow;
    this.#slab = slab;
    this.open(id);
  }

  /** Makes lines for another node and turns to them. @returns where they lie. */
  open(id: number): number {
    const address = this.#slab.reserve((this.count + 2) * levelInts);
    this.enter(address);
    for (let level = 1; level <= this.count; level++) {
      this.#set(level, column.size, this.#tree.size(this.#tree.peerBlock(id, level)));
      this.#set(level, column.window, this.#initialWindow);
    }
    this.#slab.ints[this.#address] = 1;
    this.advanceFrontier();
    return address;
  }

  /** Turns to the node whose lines lie there. */
  enter(address: number): void {
    this.#address = address;
  }

  /** How many peers the level has; an empty level is skipped everywhere. */
  size(level: number): number {
    return this.#get(level, column.size);
  }

  /** In_l, the best contribution assembled from the level's peers. */
  in(level: number): Contribution {
    return this.#get(level, column.in);
  }

  inWeight(level: number): number {
    return this.#get(level, column.inWeight);
  }

  setIn(level: number, contribution: Contribution, weight: number): void {
    this.endPause();
    this.#set(level, column.in, contribution);
    this.#set(level, column.inWeight, weight);
  }

  /** In_l complete: all of the level's peers are in. Never true for an empty level. */
  inComplete(level: number): boolean {
    const size = this.#get(level, column.size);
    return size > 0 && this.#get(level, column.inWeight) === size;
  }

  /** Out_l as last assembled, or noContribution when it has to be assembled anew. */
  out(level: number): Contribution {
    return this.#get(level, column.out);
  }

  setOut(level: number, contribution: Contribution): void {
    this.#set(level, column.out, contribution);
  }

  /** Out_l complete: all ids of the tiers below are in. */
  outComplete(level: number): boolean {
    return this.#tree.firstOfTier(level) <= this.frontier;
  }

  /**
   * The first level whose In is not complete, and so of the highest tier whose Out is; L + 1 once everything is in. In
   * the unused line 0.
   */
  get frontier(): number {
    return this.#slab.ints[this.#address]!;
  }

  /** Moves the frontier over complete and empty levels. */
  advanceFrontier(): void {
    let frontier = this.frontier;
    while (frontier <= this.count && this.inWeight(frontier) === this.size(frontier)) frontier++;
    this.#slab.ints[this.#address] = frontier;
  }

  /** The weight of the final aggregate, In_0 and all In_l. */
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

  /** The next of the `places` of the level's prioritisation vector, taken; it starts over at the end. */
  takePlace(level: number, places: number): number {
    const place = this.#get(level, column.cursor);
    this.#set(level, column.cursor, place + 1 === places ? 0 : place + 1);
    return place;
  }

  /** Whether the level has nothing new to say any more, and only asks for what it lacks. */
  isQuiet(level: number): boolean {
    return (this.#get(level, column.quiet) & quietBit) !== 0;
  }

  /** Counts a period with a contact. @returns how many there were since Out_l changed. */
  countContact(level: number): number {
    const contacts = this.#get(level, column.quiet) + 1;
    this.#set(level, column.quiet, contacts);
    return contacts;
  }

  /** From now on the level only asks, once so many periods have passed. */
  fallQuiet(level: number, periods: number): void {
    this.#set(level, column.quiet, quietBit | periods);
  }

  /** Out_l changed, so there is something new to say. */
  endQuiet(level: number): void {
    this.#set(level, column.quiet, 0);
  }

  /** Lets a period pass on a level that is quiet, where one is left to. @returns whether it is quiet. */
  passPeriod(level: number): boolean {
    const quiet = this.#get(level, column.quiet);
    if ((quiet & quietBit) === 0) return false;
    if (quiet !== quietBit) this.#set(level, column.quiet, quiet - 1);
    return true;
  }

  /** Whether the level is quiet, and has let its periods pass. */
  mayAsk(level: number): boolean {
    return this.#get(level, column.quiet) === quietBit;
  }

  /** Whether any level may ask that lacks something. Every period of every node wants to know, mostly in vain. */
  isAnyAsking(): boolean {
    for (let level = this.frontier; level <= this.count; level++) {
      if (this.mayAsk(level) && this.#get(level, column.inWeight) < this.#get(level, column.size)) return true;
    }
    return false;
  }

  /** Goes over the next `passed` of the `places` of the level's prioritisation vector, at most all of them. */
  passPlaces(level: number, passed: number, places: number): void {
    const cursor = this.#get(level, column.cursor) + passed;
    this.#set(level, column.cursor, cursor >= places ? cursor - places : cursor);
  }

  /** How many questions the node has asked since it last learnt something; 14 and 15 take turns from then on. */
  get questions(): number {
    return this.#get(0, column.quiet) & questionsMask;
  }

  /** The level whose turn it was last. */
  get askedLevel(): number {
    return (this.#get(0, column.quiet) >>> askedShift) & askedMask;
  }

  /** In a level's turn, a question is asked: the next one is after so many periods. */
  countQuestion(level: number, pause: number): void {
    const questions = this.questions === questionsMask ? questionsMask - 1 : this.questions + 1;
    this.#set(0, column.quiet, questions | (level << askedShift) | (pause << pauseShift));
  }

  /** Lets a period pass between questions. @returns false where none is left to. */
  passPause(): boolean {
    const asking = this.#get(0, column.quiet);
    if (asking >>> pauseShift === 0) return false;
    this.#set(0, column.quiet, asking - (1 << pauseShift));
    return true;
  }

  /** The node learnt something, so that it asks as often as at first. */
  endPause(): void {
    this.#set(0, column.quiet, this.askedLevel << askedShift);
  }

  /** What the node knows of its questions, for the model checker. */
  get asking(): number {
    return this.#get(0, column.quiet);
  }

  /**
   * How long the level has had nothing new to say and will be quiet, for the model checker: only states in which this
   * is equal behave alike.
   */
  quiet(level: number): number {
    return this.#get(level, column.quiet);
  }

  /** The place of the prioritisation vector that is taken next, for the model checker. */
  cursor(level: number): number {
    return this.#get(level, column.cursor);
  }

  /** How many peers of the level are silenced. */
  silencedCount(level: number): number {
    const silenced = this.#get(level, column.silenced);
    return this.isSmall(level) ? popcount(silenced) : silenced;
  }

  /** @param change 1 for one more, -1 for one fewer. */
  countSilenced(level: number, change = 1): void {
    this.#set(level, column.silenced, this.#get(level, column.silenced) + change);
  }

  /** Whether the level's peers fit the bits of one integer: half of all messages are on such levels. */
  isSmall(level: number): boolean {
    return this.#get(level, column.size) <= 32;
  }

  /** On a small level: which peers are silenced. Ids of a small peer set differ in their low 5 bits. */
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
