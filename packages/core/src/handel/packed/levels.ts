import { popcount } from '../../contribution/popcount.ts';
import type { Tree } from '../../overlay/tree.ts';
import type { Contribution } from '../../protocol.ts';
import { Slab } from '../../slab.ts';
import { maxAsked, maxUseless, maxWait } from '../config.ts';

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
 * The column `quiet`. On a level that is not quiet: contacts since Out_l changed. On a quiet level, which has the sign
 * bit set: periods to wait before the level asks, in bits 20 to 30; questions asked, in bits 0 to 11, and useless
 * answers to them, in bits 12 to 19.
 */
const quietBit = 1 << 31;
const waitShift = 20;
const uselessShift = 12;

/** The column `quiet` of line 0: questions since the node learnt something, the level asked last, periods to pause. */
const questionsMask = 15;
/** The column of line 0 with the peer that asked last: its id plus 1, or 0. */
const askerColumn = column.cursor;
const turnShift = 4;
const turnMask = 63;
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

  /** Whether the level is quiet: it has nothing new to say, and only asks for what it lacks. */
  isQuiet(level: number): boolean {
    return this.#get(level, column.quiet) < 0;
  }

  /** Counts a period with a contact. @returns how many there were since Out_l changed. */
  countContact(level: number): number {
    const contacts = this.#get(level, column.quiet) + 1;
    this.#set(level, column.quiet, contacts);
    return contacts;
  }

  /** Makes the level quiet, with no questions asked; it first waits for so many periods. */
  fallQuiet(level: number, wait: number): void {
    this.#set(level, column.quiet, quietBit | (wait << waitShift));
  }

  /** Out_l changed, so there is something new to say. */
  endQuiet(level: number): void {
    this.#set(level, column.quiet, 0);
  }

  /** Shortens the wait of a quiet level by a period. @returns whether the level is quiet. */
  passPeriod(level: number): boolean {
    const quiet = this.#get(level, column.quiet);
    if (quiet >= 0) return false;
    if (quiet >>> waitShift !== quietBit >>> waitShift) this.#set(level, column.quiet, quiet - (1 << waitShift));
    return true;
  }

  /** Whether the level is quiet and has waited. */
  mayAsk(level: number): boolean {
    return this.#get(level, column.quiet) >>> waitShift === quietBit >>> waitShift;
  }

  /** Whether contributions of the level's peers are lacking. */
  isLacking(level: number): boolean {
    return this.#get(level, column.inWeight) < this.#get(level, column.size);
  }

  /** Whether any level may ask that lacks something. Every period of every node wants to know, mostly in vain. */
  isAnyAsking(): boolean {
    for (let level = this.frontier; level <= this.count; level++) {
      if (this.mayAsk(level) && this.isLacking(level)) return true;
    }
    return false;
  }

  /** Periods that a quiet level waits from now on, 0 to `maxWait`. */
  setWait(level: number, periods: number): void {
    const counts = this.#get(level, column.quiet) & ~(maxWait << waitShift);
    this.#set(level, column.quiet, counts | (periods << waitShift));
  }

  /** Questions asked on a quiet level, up to `maxAsked`. */
  asked(level: number): number {
    return this.#get(level, column.quiet) & maxAsked;
  }

  countQuestion(level: number): void {
    if (this.asked(level) < maxAsked) this.#set(level, column.quiet, this.#get(level, column.quiet) + 1);
  }

  /** Useless answers on a quiet level, up to `maxUseless`. */
  useless(level: number): number {
    return (this.#get(level, column.quiet) >>> uselessShift) & maxUseless;
  }

  countUseless(level: number): void {
    const one = 1 << uselessShift;
    if (this.useless(level) < maxUseless) this.#set(level, column.quiet, this.#get(level, column.quiet) + one);
  }

  /** The last peer that sent something without saying that it has its level complete; -1 for none. */
  get lastAsker(): number {
    return this.#get(0, askerColumn) - 1;
  }

  set lastAsker(peer: number) {
    this.#set(0, askerColumn, peer + 1);
  }

  /** The place of the prioritisation vector that is contacted next. */
  cursor(level: number): number {
    return this.#get(level, column.cursor);
  }

  setCursor(level: number, place: number): void {
    this.#set(level, column.cursor, place);
  }

  /** Questions of a node with an output since it last learnt something; 14 and 15 take turns from then on. */
  get questions(): number {
    return this.#get(0, column.quiet) & questionsMask;
  }

  /** The level whose turn it was last. */
  get askedLevel(): number {
    return (this.#get(0, column.quiet) >>> turnShift) & turnMask;
  }

  /** A node with an output asked in a level's turn: its next question is after so many periods. */
  countTurn(level: number, pause: number): void {
    const questions = this.questions === questionsMask ? questionsMask - 1 : this.questions + 1;
    this.#set(0, column.quiet, questions | (level << turnShift) | (pause << pauseShift));
  }

  /** Lets a period pass between turns. @returns false where none is left to. */
  passPause(): boolean {
    const asking = this.#get(0, column.quiet);
    if (asking >>> pauseShift === 0) return false;
    this.#set(0, column.quiet, asking - (1 << pauseShift));
    return true;
  }

  /** The node learnt something, so that it asks as often as at first. */
  endPause(): void {
    this.#set(0, column.quiet, this.askedLevel << turnShift);
  }

  /** The counts of a node's turns in one integer, for the model checker. */
  get asking(): number {
    return this.#get(0, column.quiet);
  }

  /** The counts of a level's quiet in one integer, for the model checker. */
  quiet(level: number): number {
    return this.#get(level, column.quiet);
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
