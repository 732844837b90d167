import type { CryptoSuite } from '@tutti/transports';
import { messageHash } from '../verification/certificate.ts';
import { type Ask, roundNumber } from './ask.ts';
import { type RepeatedAnnouncement, startTimer } from './repeatedAnnouncement.ts';
import { inSigningOrder, type Ordered, type Turns } from './signingOrder.ts';

/** A message to be signed. */
export interface QueuedMessage {
  /** Name of the message's round, from `roundName`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Height of the message's round: the request's height; undefined if it names none or the message contains it. */
  readonly height: bigint | undefined;
  /** Request of another member; undefined for a message that this member's program requested. */
  readonly ask?: Ask;
}

/** A message that is being signed or is waiting to be signed. */
export interface SigningEntry extends Ordered, Omit<QueuedMessage, 'ask'> {
  /** Number of the message's round, from `roundNumber`. */
  readonly number: number;
  /** Members that requested the message, including later requests. */
  readonly origins: Set<number>;
  /** Requests for the message, by the member that signed each request. */
  readonly asks: Map<number, Ask>;
  /** Member to whose share of open rounds and waiting messages this message counts. */
  readonly account: number;
  /** Sequence number of the request that introduced the message. */
  readonly sequence: number;
  /** Members whose signatures were verified in the message's rounds, including this member. */
  readonly signers: Set<number>;
  readonly announcement: RepeatedAnnouncement;
  /** Whether this member's program requested the message. */
  isOwn: boolean;
  /** Whether the signed log has recorded the message. */
  isOnRecord: boolean;
  /** Number of ticks of the round without a certificate, since it was opened or last had a new signer. */
  ticks: number;
  /** Total number of ticks of the round without a certificate. */
  totalTicks: number;
  /**
   * Number of turns in which the message was open without a certificate and without the known support of a quorum, and
   * had no new signer for the minimum number of ticks.
   */
  turnsWithoutQuorum: number;
}

/** Options of a {@link SigningQueue}. */
export interface SigningQueueOptions {
  readonly crypto: CryptoSuite;
  readonly turns: Turns;
  /** Number of members of the group. */
  readonly size: number;
  readonly maxOpen: number;
  readonly maxWaiting: number;
  readonly giveUpMs: number;
  readonly periodMs: number;
  /** Returns whether a certificate of the message is stored. */
  readonly isStored: (name: string) => boolean;
  /** Returns the members whose signatures were verified in the round of a message; none if it is not running. */
  readonly signersOf: (entry: SigningEntry) => ReadonlySet<number>;
  /** Returns whether the known signers of a message have enough weight for a certificate. */
  readonly hasQuorum: (entry: SigningEntry) => boolean;
  /** Opens the round of a message. @returns whether the round may be opened. */
  readonly begin: (entry: SigningEntry) => boolean;
  /** Closes the round of a message, if it is running. */
  readonly stop: (entry: SigningEntry) => void;
  readonly onDropped: (why: 'busy' | 'too-many-of-one') => void;
  readonly onGaveUp: (entry: SigningEntry) => void;
}

/** Maximum total length of other members' waiting messages, bytes; minimum shares per member may exceed it. */
const waitingBytes = 64 * 2 ** 20;
const minShareBytes = 2 ** 20;

/** Number of dissemination periods per tick. */
const periodsPerTick = 8;
/** Minimum length of a tick, ms; a tick is never longer than `giveUpMs`. */
const minTickMs = 160;
/** Number of ticks per turn. */
const ticksPerTurn = 12;
/** Minimum number of ticks for which a round remains open before another round may displace it. */
const graceTicks = 4;
/** Maximum number of doublings of the number of turns that a message without a quorum skips. */
const maxSkipDoublings = 10;
/**
 * Factor by which a round with the support of a quorum may take longer than other rounds before the round is given up.
 */
const timesWithQuorum = 10;

/**
 * The messages that are being signed in open rounds, up to a maximum number, and the messages that wait for an open
 * round. All members start messages in the same order, and each turn has a different order. Members therefore work on
 * the same messages, and no message blocks other messages for long.
 *
 * Time is counted in ticks of the queue's own timer. A process that gets no CPU time therefore counts no ticks.
 */
export class SigningQueue {
  readonly #options: SigningQueueOptions;
  readonly #open = new Map<string, SigningEntry>();
  readonly #waiting = new Map<string, SigningEntry>();
  #turnTicks = 0;
  /** Timer of the queue. The timer runs while a message is waiting, or is open without a certificate. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isNextDue = false;
  #closed = false;

  constructor(options: SigningQueueOptions) {
    this.#options = options;
  }

  get counts(): { readonly open: number; readonly waiting: number } {
    return { open: this.#open.size, waiting: this.#waiting.size };
  }

  /** Returns the entry of a message that is being signed or waiting; otherwise undefined. */
  find(name: string): SigningEntry | undefined {
    return this.#open.get(name) ?? this.#waiting.get(name);
  }

  /** Whether one more message from this member's own program may wait. */
  get hasRoomForOwn(): boolean {
    return [...this.#waiting.values()].filter(({ isOwn }) => isOwn).length < this.#options.maxWaiting;
  }

  /**
   * Returns whether a message that another member requested may wait. Earlier requests of a member take precedence over
   * later requests of that member.
   */
  hasRoomFor({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>, length: number): boolean {
    const ofOne = this.#waitingOf(origin);
    if (ofOne.some((one) => one.sequence > sequence)) return true;
    return ofOne.length < this.share && bytesOf(ofOne) + length <= this.#shareBytes;
  }

  /** Starts a message's round, or queues the message. */
  admit(entry: SigningEntry): void {
    this.#waiting.set(entry.name, entry);
    this.#fill();
    this.#keepBounds(entry.account);
    this.#startTimer();
  }

  /**
   * Starts waiting messages while there is room for open rounds. The start happens in a later microtask, because a call
   * from a node may be in progress.
   */
  next(): void {
    if (this.#isNextDue || this.#waiting.size === 0) return;
    this.#isNextDue = true;
    queueMicrotask(() => {
      this.#isNextDue = false;
      this.#fill();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { announcement } of [...this.#open.values(), ...this.#waiting.values()]) announcement.stop();
    this.#open.clear();
    this.#waiting.clear();
  }

  /** Maximum number of waiting messages per other member. */
  get share(): number {
    const { maxOpen, maxWaiting, size } = this.#options;
    return Math.max(maxOpen, Math.floor(maxWaiting / size));
  }

  get #shareBytes(): number {
    return Math.max(minShareBytes, Math.floor(waitingBytes / this.#options.size));
  }

  /** Open rounds without a certificate. */
  get #running(): SigningEntry[] {
    return [...this.#open.values()].filter(({ name }) => !this.#options.isStored(name));
  }

  #waitingOf(account: number): SigningEntry[] {
    return [...this.#waiting.values()].filter((one) => !one.isOwn && one.account === account);
  }

  #fill(): void {
    if (this.#closed || this.#waiting.size === 0) return;
    const { isStored } = this.#options;
    for (const entry of this.#waiting.values()) if (isStored(entry.name)) this.#forget(entry);
    const order = this.#inOrder();
    for (const [place, entry] of order.entries()) {
      if (!this.#waiting.has(entry.name)) continue;
      if (!this.#makeRoomForMember(entry, order.slice(place + 1))) continue;
      // A message that skips this turn is started only if there is free room, and does not displace another message.
      if (!this.#makeRoom(isTurnOf(entry, this.#options.turns.now) ? order.slice(place + 1) : [])) return;
      this.#waiting.delete(entry.name);
      this.#begin(entry);
    }
  }

  #inOrder(): SigningEntry[] {
    const { crypto, turns } = this.#options;
    const isOut = (one: SigningEntry) => !isTurnOf(one, turns.now);
    const all = inSigningOrder([...this.#running, ...this.#waiting.values()], turns.now, crypto);
    return [...all.filter((one) => !isOut(one)), ...all.filter(isOut)];
  }

  /**
   * Returns whether the member that requested a message may have one more open round. If the member's rounds occupy
   * half of the maximum number of open rounds, one of them that comes later in the order is postponed, if possible.
   */
  #makeRoomForMember({ isOwn, account }: SigningEntry, later: readonly SigningEntry[]): boolean {
    if (isOwn) return true;
    const ofOne = this.#running.filter((entry) => !entry.isOwn && entry.account === account);
    if (ofOne.length < Math.max(1, this.#options.maxOpen >> 1)) return true;
    return this.#postponeLast(later.filter((one) => ofOne.includes(one)));
  }

  /**
   * Returns whether there is room for one more open round. If there is none, the function closes the oldest round that
   * has its certificate. Without such a round, it postpones the last of the rounds that come later in the order and
   * have been open for the minimum time.
   */
  #makeRoom(later: readonly SigningEntry[]): boolean {
    const { maxOpen, isStored } = this.#options;
    if (this.#open.size < maxOpen) return true;
    const certified = [...this.#open.values()].find((entry) => isStored(entry.name));
    if (certified === undefined) return this.#postponeLast(later);
    this.#closeRound(certified);
    return true;
  }

  #postponeLast(later: readonly SigningEntry[]): boolean {
    const last = later.findLast((one) => this.#open.has(one.name) && one.ticks >= graceTicks);
    if (last === undefined) return false;
    this.#open.delete(last.name);
    this.#options.stop(last);
    if (!last.isOwn) last.announcement.stop();
    this.#waiting.set(last.name, last);
    return true;
  }

  #begin(entry: SigningEntry): void {
    entry.ticks = 0;
    this.#open.set(entry.name, entry);
    if (this.#options.begin(entry)) return;
    this.#open.delete(entry.name);
    entry.announcement.stop();
  }

  /** Enforces the limits of waiting messages, in total and per member, by dropping the latest requests. */
  #keepBounds(account: number): void {
    const { maxWaiting, onDropped } = this.#options;
    let ofOne = this.#waitingOf(account);
    while (ofOne.length > this.share || bytesOf(ofOne) > this.#shareBytes) {
      this.#forget(latestOf(ofOne));
      onDropped('too-many-of-one');
      ofOne = this.#waitingOf(account);
    }
    const others = [...this.#waiting.values()].filter(({ isOwn }) => !isOwn);
    if (others.length <= maxWaiting) return;
    this.#forget(latestOf(this.#waitingOf(mostFrequent(others.map((one) => one.account)))));
    onDropped('busy');
  }

  #forget(entry: SigningEntry): void {
    entry.announcement.stop();
    this.#waiting.delete(entry.name);
  }

  #closeRound(entry: SigningEntry): void {
    entry.announcement.stop();
    this.#open.delete(entry.name);
    this.#options.stop(entry);
  }

  /** Starts the queue's timer if it is required and not running. */
  #startTimer(): void {
    if (this.#timer !== undefined || this.#closed) return;
    if (this.#waiting.size === 0 && this.#running.length === 0) return;
    this.#timer = startTimer(() => {
      this.#timer = undefined;
      this.#tick();
      this.#startTimer();
    }, this.#tickMs);
  }

  /**
   * Records new signers of a round. A round that gets new signers cannot be displaced for the minimum number of ticks.
   */
  #noteSigners(entry: SigningEntry): void {
    const before = entry.signers.size;
    for (const index of this.#options.signersOf(entry)) entry.signers.add(index);
    if (entry.signers.size > before) entry.ticks = 0;
  }

  get #tickMs(): number {
    const { periodMs, giveUpMs } = this.#options;
    return Math.min(giveUpMs, Math.max(minTickMs, periodsPerTick * periodMs));
  }

  #tick(): void {
    const { turns, giveUpMs, hasQuorum, onGaveUp } = this.#options;
    for (const entry of this.#running) {
      entry.ticks++;
      entry.totalTicks++;
      this.#noteSigners(entry);
      const spentMs = entry.totalTicks * this.#tickMs;
      if (spentMs < giveUpMs || (spentMs < timesWithQuorum * giveUpMs && hasQuorum(entry))) continue;
      this.#closeRound(entry);
      onGaveUp(entry);
    }
    if (this.#waiting.size > 0 && ++this.#turnTicks >= ticksPerTurn) {
      this.#turnTicks = 0;
      turns.next();
      for (const entry of this.#running) if (entry.ticks >= graceTicks && !hasQuorum(entry)) entry.turnsWithoutQuorum++;
    }
    this.#fill();
  }
}

/**
 * Returns whether a message takes part in a turn. A message without a quorum skips an increasing number of turns; a
 * hash determines which turns.
 */
function isTurnOf({ turnsWithoutQuorum, drawn }: SigningEntry, turn: number): boolean {
  if (turnsWithoutQuorum === 0 || drawn === undefined || drawn.turn !== turn) return true;
  return drawn.number % 2 ** Math.min(maxSkipDoublings, turnsWithoutQuorum) === 0;
}

function bytesOf(entries: readonly SigningEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function latestOf(entries: readonly SigningEntry[]): SigningEntry {
  return entries.reduce((latest, one) => (one.sequence > latest.sequence ? one : latest));
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/**
 * Returns the entry of a message before it is signed.
 *
 * @param by request that introduces the message.
 * @param self registry index of this member.
 */
export function entryOf(
  { name, bytes, height, ask }: QueuedMessage,
  { origin, sequence }: Pick<Ask, 'origin' | 'sequence'>,
  self: number,
): Omit<SigningEntry, 'announcement'> {
  return {
    name,
    number: roundNumber(messageHash(bytes), height),
    bytes,
    height,
    account: origin,
    sequence,
    isOwn: ask === undefined,
    origins: new Set([origin]),
    asks: new Map(ask && [[origin, ask]]),
    signers: new Set([self]),
    drawn: undefined,
    isOnRecord: false,
    ticks: 0,
    totalTicks: 0,
    turnsWithoutQuorum: 0,
  };
}
