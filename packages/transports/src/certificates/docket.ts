import type { Telling } from './telling.ts';

/** One message that is being signed, or waits to be. */
export interface DocketEntry {
  /** As `roundName` makes it. */
  readonly name: string;
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Height that was named for it. */
  readonly height: bigint | undefined;
  /** Who asked for it; undefined for this member. */
  readonly from: number | undefined;
  readonly telling: Telling;
  /** When its round was opened. */
  sinceMs: number;
  isOnRecord: boolean;
  /** Whether the protocol runs. */
  isPlayed: boolean;
}

export interface DocketOptions {
  /** Members of the group. */
  readonly size: number;
  readonly mostOpen: number;
  readonly mostWaiting: number;
  readonly giveUpMs: number;
  readonly periodMs: () => number;
  /** Whether there is a certificate of a message. */
  readonly isKept: (name: string) => boolean;
  /** Whether this member was asked for a message's certificate. */
  readonly isAsked: (name: string) => boolean;
  /** Opens a round. @returns whether it may be. */
  readonly begin: (statement: DocketEntry) => boolean;
  /** Leaves a round's protocol. */
  readonly rest: (statement: DocketEntry) => void;
  readonly onDropped: (why: 'busy' | 'too-many-of-one') => void;
  readonly onGaveUp: (statement: DocketEntry) => void;
}

/**
 * Messages that are being signed, so many at a time, and those that wait for a place. All members begin what waits in
 * the order of the names, so that they work on the same ones.
 */
export class Docket {
  readonly #options: DocketOptions;
  readonly #open = new Map<string, DocketEntry>();
  readonly #waiting = new Map<string, DocketEntry>();
  /** How long the last round took that came to a certificate. */
  #tookMs = 0;
  /** Runs while something waits. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: DocketOptions) {
    this.#options = options;
  }

  get counts(): { readonly open: number; readonly waiting: number } {
    return { open: this.#open.size, waiting: this.#waiting.size };
  }

  /** Of a message that is being signed, or waits. */
  find(name: string): DocketEntry | undefined {
    return this.#open.get(name) ?? this.#waiting.get(name);
  }

  /** Whether one more message may wait, of another member or of this one. */
  hasRoomFor(name: string, from: number | undefined): boolean {
    const waiting = [...this.#waiting.values()].filter((one) => one.from === from);
    if (from === undefined) return waiting.length < this.#options.mostWaiting;
    return waiting.length < this.#share || lastByName(waiting).name > name;
  }

  /** Begins, or has it wait. */
  admit(statement: DocketEntry): void {
    if (this.#makeRoom(statement)) this.#begin(statement);
    else this.#wait(statement);
  }

  /** A message got its certificate. */
  certified(name: string): void {
    const round = this.#open.get(name);
    if (round !== undefined) this.#tookMs = performance.now() - round.sinceMs;
  }

  /** Begins what waits, as far as there is room, in a later turn: this may be called inside a node's. */
  next(): void {
    if (this.#waiting.size === 0) return;
    queueMicrotask(() => {
      const inOrder = [...this.#waiting.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const statement of inOrder) {
        if (!this.#waiting.has(statement.name)) continue;
        if (this.#options.isKept(statement.name)) this.#forget(statement);
        else if (this.#makeRoom(statement)) {
          this.#waiting.delete(statement.name);
          this.#begin(statement);
        }
      }
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { telling } of [...this.#open.values(), ...this.#waiting.values()]) telling.stop();
    this.#open.clear();
    this.#waiting.clear();
  }

  /** A round that has been open for twice as long as the last one took may be put off. */
  get #graceMs(): number {
    return Math.max(this.#options.periodMs(), 2 * this.#tookMs);
  }

  /** What may wait of each other member's. */
  get #share(): number {
    const { mostOpen, mostWaiting, size } = this.#options;
    return Math.max(mostOpen, Math.floor(mostWaiting / size));
  }

  #begin(statement: DocketEntry): void {
    statement.sinceMs = performance.now();
    this.#open.set(statement.name, statement);
    if (this.#options.begin(statement)) return;
    this.#open.delete(statement.name);
    statement.telling.stop();
  }

  /** Of what others ask for no more waits than may, and of each its share. */
  #wait(statement: DocketEntry): void {
    const { mostWaiting, isAsked, onDropped } = this.#options;
    this.#waiting.set(statement.name, statement);
    this.#lookAgain();
    const others = [...this.#waiting.values()].filter((one) => one.from !== undefined && !isAsked(one.name));
    const ofOne = others.filter((one) => one.from === statement.from);
    if (ofOne.length > this.#share) {
      this.#forget(lastByName(ofOne));
      onDropped('too-many-of-one');
    } else if (others.length > mostWaiting) {
      this.#forget(lastByName(others));
      onDropped('busy');
    }
  }

  #forget(statement: DocketEntry): void {
    statement.telling.stop();
    this.#waiting.delete(statement.name);
  }

  /** Looks again for places when rounds have been open for long enough to be put off. */
  #lookAgain(): void {
    if (this.#timer !== undefined || this.#closed || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.next();
      this.#lookAgain();
    }, this.#graceMs);
    if (typeof this.#timer === 'object') (this.#timer as { unref?(): void }).unref?.();
  }

  /**
   * Whether there is a place for a message. Where there is none, closes the oldest round that has its certificate or was
   * given up; or else, of those that had their time, the one with the last name, if that comes after this one's, and
   * puts it off. All members prefer the same messages that way: each with its places full of others, they would wait for
   * each other for ever. To put a round off before it had its time is to throw away what others do in it.
   */
  #makeRoom({ name, from }: DocketEntry): boolean {
    const { mostOpen, giveUpMs, isKept, onGaveUp } = this.#options;
    const rounds = [...this.#open.values()];
    // What another member has this one do now.
    const ofOne = rounds.filter((round) => from !== undefined && round.from === from && !isKept(round.name));
    if (ofOne.length >= Math.max(1, mostOpen >> 1)) return this.#isPutOff(ofOne, name);
    if (rounds.length < mostOpen) return true;
    const certified = rounds.find((round) => isKept(round.name));
    if (certified !== undefined) {
      this.#shut(certified);
      return true;
    }
    const [oldest] = rounds;
    if (performance.now() - oldest!.sinceMs < giveUpMs) return this.#isPutOff(rounds, name);
    this.#shut(oldest!);
    onGaveUp(oldest!);
    return true;
  }

  /** Puts the last of these rounds off that comes after a name and had its time. */
  #isPutOff(rounds: readonly DocketEntry[], name: string): boolean {
    const nowMs = performance.now();
    const late = rounds.filter((round) => nowMs - round.sinceMs >= this.#graceMs && round.name > name);
    if (late.length === 0) return false;
    const last = lastByName(late);
    this.#open.delete(last.name);
    this.#options.rest(last);
    this.#wait(last);
    return true;
  }

  #shut(round: DocketEntry): void {
    round.telling.stop();
    this.#open.delete(round.name);
    this.#options.rest(round);
  }
}

function lastByName(statements: readonly DocketEntry[]): DocketEntry {
  return statements.reduce((most, one) => (one.name > most.name ? one : most));
}
