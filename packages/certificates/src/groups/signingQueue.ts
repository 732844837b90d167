import type { CryptoSuite } from '@tutti/transports/parts';
import type { Telling } from './announcer.ts';
import type { Ask } from './ask.ts';
import { inSigningOrder, type Ordered, type Turns } from './signingOrder.ts';

/** One message that is being signed, or waits to be. */
export interface SigningEntry extends Ordered {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Height that was named for it. */
  readonly height: bigint | undefined;
  /** Who requested it, with the requests of others. */
  readonly origins: Set<number>;
  readonly asks: Map<number, Ask>;
  /** The member whose share of the places it takes. */
  readonly account: number;
  /** Number of the request by which it came. */
  readonly sequence: number;
  /** Members whose signatures were verified in its rounds, with this member. */
  readonly signers: Set<number>;
  readonly telling: Telling;
  /** Whether this member's program asked for it. */
  isOwn: boolean;
  isOnRecord: boolean;
  /** Whether the protocol runs. */
  isPlayed: boolean;
  /** Beats of its round without a certificate: since it was opened or had one more signer, and in all. */
  beats: number;
  allBeats: number;
  /** Turns in which it was open and nothing came of it, while no quorum was known to support it. */
  vainTurns: number;
}

export interface SigningQueueOptions {
  readonly crypto: CryptoSuite;
  readonly turns: Turns;
  /** Members of the group. */
  readonly size: number;
  readonly maxOpen: number;
  readonly maxWaiting: number;
  readonly giveUpMs: number;
  readonly periodMs: number;
  /** Whether there is a certificate of a message. */
  readonly isKept: (name: string) => boolean;
  /** Members whose signatures were verified in a round that is played. */
  readonly signersOf: (statement: SigningEntry) => ReadonlySet<number>;
  /** Whether the signers of a message that are known weigh enough for a certificate. */
  readonly hasQuorum: (statement: SigningEntry) => boolean;
  /** Opens a round. @returns whether it may be. */
  readonly begin: (statement: SigningEntry) => boolean;
  /** Leaves a round's protocol. */
  readonly rest: (statement: SigningEntry) => void;
  readonly onDropped: (why: 'busy' | 'too-many-of-one') => void;
  readonly onGaveUp: (statement: SigningEntry) => void;
}

/** Messages of others that wait hold no more bytes than this together, unless each member's least share is more. */
const waitingBytes = 64 * 2 ** 20;
const minShareBytes = 2 ** 20;

/** A beat is this many periods, and at least this long, ms. */
const beatPeriods = 8;
const minBeatMs = 160;
/** Beats of a turn. */
const turnBeats = 12;
/** Beats that a round keeps its place at least. */
const graceBeats = 4;
/** Doublings of the turns that a message without a quorum leaves out. */
const maxVain = 10;
/** A round that has the support of a quorum is given up after this many times the time of another. */
const timesWithQuorum = 10;

/**
 * Messages that are being signed, so many at a time, and those that wait for a place. All members give places in one
 * order, which is another one in each turn, so that they work on the same messages and none is in the way for long.
 *
 * It counts time in beats of its own timer. A process that gets no CPU time counts none.
 */
export class SigningQueue {
  readonly #options: SigningQueueOptions;
  readonly #open = new Map<string, SigningEntry>();
  readonly #waiting = new Map<string, SigningEntry>();
  #turnBeats = 0;
  /** Runs while something waits, or is open without a certificate. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isNextDue = false;
  #closed = false;

  constructor(options: SigningQueueOptions) {
    this.#options = options;
  }

  get counts(): { readonly open: number; readonly waiting: number } {
    return { open: this.#open.size, waiting: this.#waiting.size };
  }

  /** Of a message that is being signed, or waits. */
  find(name: string): SigningEntry | undefined {
    return this.#open.get(name) ?? this.#waiting.get(name);
  }

  /** Whether one more message of this member's program may wait. */
  get hasRoomForOwn(): boolean {
    return [...this.#waiting.values()].filter(({ isOwn }) => isOwn).length < this.#options.maxWaiting;
  }

  /** Whether a message that another member requested may wait: a member's earlier requests go before later ones. */
  hasRoomFor({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>, length: number): boolean {
    const ofOne = this.#waitingOf(origin);
    if (ofOne.some((one) => one.sequence > sequence)) return true;
    return ofOne.length < this.#share && bytesOf(ofOne) + length <= this.#shareBytes;
  }

  /** Begins, or has it wait. */
  admit(statement: SigningEntry): void {
    this.#waiting.set(statement.name, statement);
    this.#fill();
    this.#keepBounds(statement.account);
    this.#goOn();
  }

  /** Begins what waits, as far as there is room, in a later turn: this may be called inside a node's. */
  next(): void {
    if (this.#isNextDue || this.#waiting.size === 0) return;
    this.#isNextDue = true;
    queueMicrotask(() => {
      this.#isNextDue = false;
      this.#fill();
    });
  }

  /** Ends a message without a certificate. */
  drop(statement: SigningEntry): void {
    if (this.#open.has(statement.name)) this.#shut(statement);
    else this.#forget(statement);
    this.next();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { telling } of [...this.#open.values(), ...this.#waiting.values()]) telling.stop();
    this.#open.clear();
    this.#waiting.clear();
  }

  /** What may wait of each other member's. */
  get #share(): number {
    const { maxOpen, maxWaiting, size } = this.#options;
    return Math.max(maxOpen, Math.floor(maxWaiting / size));
  }

  get #shareBytes(): number {
    return Math.max(minShareBytes, Math.floor(waitingBytes / this.#options.size));
  }

  /** Rounds that are open without a certificate. */
  get #played(): SigningEntry[] {
    return [...this.#open.values()].filter(({ name }) => !this.#options.isKept(name));
  }

  #waitingOf(account: number): SigningEntry[] {
    return [...this.#waiting.values()].filter((one) => !one.isOwn && one.account === account);
  }

  #fill(): void {
    if (this.#closed || this.#waiting.size === 0) return;
    const { isKept } = this.#options;
    for (const statement of this.#waiting.values()) if (isKept(statement.name)) this.#forget(statement);
    const order = this.#inOrder();
    for (const [place, statement] of order.entries()) {
      if (!this.#waiting.has(statement.name)) continue;
      if (this.#isHeldByItsMember(statement, order.slice(place + 1))) continue;
      // What leaves out this turn takes a free place, and nobody else's.
      if (!this.#makeRoom(isTurnOf(statement, this.#options.turns.now) ? order.slice(place + 1) : [])) return;
      this.#waiting.delete(statement.name);
      this.#begin(statement);
    }
  }

  #inOrder(): SigningEntry[] {
    const { crypto, turns } = this.#options;
    const isOut = (one: SigningEntry) => !isTurnOf(one, turns.now);
    const all = inSigningOrder([...this.#played, ...this.#waiting.values()], turns.now, crypto);
    return [...all.filter((one) => !isOut(one)), ...all.filter(isOut)];
  }

  /**
   * Whether a message has to wait since its member has half of the places. A round of that member that comes later
   * makes room.
   */
  #isHeldByItsMember({ isOwn, account }: SigningEntry, later: readonly SigningEntry[]): boolean {
    if (isOwn) return false;
    const ofOne = this.#played.filter((round) => !round.isOwn && round.account === account);
    if (ofOne.length < Math.max(1, this.#options.maxOpen >> 1)) return false;
    return !this.#putOffLast(later.filter((one) => ofOne.includes(one)));
  }

  /**
   * Whether there is a place. Where there is none, closes the oldest round that has its certificate; or else puts off
   * the last of the rounds that come later in the order, and had their time.
   */
  #makeRoom(later: readonly SigningEntry[]): boolean {
    const { maxOpen, isKept } = this.#options;
    if (this.#open.size < maxOpen) return true;
    const certified = [...this.#open.values()].find((round) => isKept(round.name));
    if (certified === undefined) return this.#putOffLast(later);
    this.#shut(certified);
    return true;
  }

  #putOffLast(later: readonly SigningEntry[]): boolean {
    const last = later.findLast((one) => this.#open.has(one.name) && one.beats >= graceBeats);
    if (last === undefined) return false;
    this.#open.delete(last.name);
    this.#options.rest(last);
    if (!last.isOwn) last.telling.stop();
    this.#waiting.set(last.name, last);
    return true;
  }

  #begin(statement: SigningEntry): void {
    statement.beats = 0;
    this.#open.set(statement.name, statement);
    if (this.#options.begin(statement)) return;
    this.#open.delete(statement.name);
    statement.telling.stop();
  }

  /** Of what others requested no more waits than may, and of each its share: the latest requests are dropped. */
  #keepBounds(account: number): void {
    const { maxWaiting, onDropped } = this.#options;
    const ofOne = this.#waitingOf(account);
    if (ofOne.length > this.#share || bytesOf(ofOne) > this.#shareBytes) {
      this.#forget(latestOf(ofOne));
      onDropped('too-many-of-one');
    }
    const others = [...this.#waiting.values()].filter(({ isOwn }) => !isOwn);
    if (others.length <= maxWaiting) return;
    this.#forget(latestOf(this.#waitingOf(mostFrequent(others.map((one) => one.account)))));
    onDropped('busy');
  }

  #forget(statement: SigningEntry): void {
    statement.telling.stop();
    this.#waiting.delete(statement.name);
  }

  #shut(round: SigningEntry): void {
    round.telling.stop();
    this.#open.delete(round.name);
    this.#options.rest(round);
  }

  #goOn(): void {
    if (this.#timer !== undefined || this.#closed) return;
    if (this.#waiting.size === 0 && this.#played.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#beat();
      this.#goOn();
    }, this.#beatMs);
    if (typeof this.#timer === 'object') (this.#timer as { unref?(): void }).unref?.();
  }

  /** A round that gets more signers keeps its place. */
  #noteSigners(round: SigningEntry): void {
    if (!round.isPlayed) return;
    const before = round.signers.size;
    for (const index of this.#options.signersOf(round)) round.signers.add(index);
    if (round.signers.size > before) round.beats = 0;
  }

  #endTurn(): void {
    for (const round of this.#played)
      if (round.beats >= graceBeats && !this.#options.hasQuorum(round)) round.vainTurns++;
  }

  get #beatMs(): number {
    const { periodMs, giveUpMs } = this.#options;
    return Math.min(giveUpMs, Math.max(minBeatMs, beatPeriods * periodMs));
  }

  #beat(): void {
    const { turns, giveUpMs, hasQuorum, onGaveUp } = this.#options;
    for (const round of this.#played) {
      round.beats++;
      round.allBeats++;
      this.#noteSigners(round);
      const spentMs = round.allBeats * this.#beatMs;
      if (spentMs < giveUpMs || (spentMs < timesWithQuorum * giveUpMs && hasQuorum(round))) continue;
      this.#shut(round);
      onGaveUp(round);
    }
    if (this.#waiting.size > 0 && ++this.#turnBeats >= turnBeats) {
      this.#turnBeats = 0;
      turns.next();
      this.#endTurn();
    }
    this.#fill();
  }
}

/** Turns in which a message takes part: of those without a quorum ever fewer, and none that others leave out. */
function isTurnOf({ vainTurns, drawn }: SigningEntry, turn: number): boolean {
  if (vainTurns === 0 || drawn === undefined || drawn.turn !== turn) return true;
  return drawn.number % 2 ** Math.min(maxVain, vainTurns) === 0;
}

function bytesOf(statements: readonly SigningEntry[]): number {
  return statements.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function latestOf(statements: readonly SigningEntry[]): SigningEntry {
  return statements.reduce((latest, one) => (one.sequence > latest.sequence ? one : latest));
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
