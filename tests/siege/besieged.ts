import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { descriptors, heldUpMs } from './proc.mjs';

/** Result of one siege. */
export interface Siege {
  readonly target: string;
  readonly attacks: readonly string[];
  /** Number of packets, messages and connections of the attackers. */
  readonly sent: number;
  /** Number of started rounds. */
  readonly rounds: number;
  /** Descriptions of the rounds that at least one honest node did not finish, and of other losses. */
  readonly lost: readonly string[];
  readonly refused: Readonly<Record<string, number>>;
  /** Error codes that `refused` must contain. */
  readonly expected: readonly string[];
  /** Memory growth in the second half, MB: of this process after a collection, or of the target's processes. */
  readonly grownMb: number;
  /** Additional open files and sockets: of this process, or of the target's processes in the second half. */
  readonly descriptorsLeft: number;
}

/** Maximum number of rounds of a siege that continues until it has seen every refusal. */
const maxRounds = 500;
const minRounds = 3;

/** Ends a siege when its time is over, 3 rounds are done, and each code was counted or 500 rounds are done. */
export class Course {
  readonly #endsMs: number;
  readonly #codes: readonly string[];
  readonly #growth: { look(): void };

  constructor(seconds: number, codes: readonly string[], growth: { look(): void }) {
    this.#endsMs = performance.now() + 1000 * seconds;
    this.#codes = codes;
    this.#growth = growth;
  }

  get secondsLeft(): number {
    return (this.#endsMs - performance.now()) / 1000;
  }

  /** Returns whether another round follows. Call this method before each round, with the number of finished rounds. */
  goesOn(rounds: number, refused: () => Readonly<Record<string, number>>): boolean {
    if (rounds > 0) this.#growth.look();
    if (rounds < minRounds || this.secondsLeft > 0) return true;
    const counted = refused();
    return rounds < maxRounds && this.#codes.some((code) => !counted[code]);
  }
}

/** Offset of a packet's counter (docs/reference/channel-and-wire.md), and length of its tag, bytes. */
const counterAt = 23;
const tagBytes = 16;

/** Returns a packet with one changed bit in its tag, and an unused counter, so that it is not a replay. */
export function forged(packet: Uint8Array): Uint8Array {
  const bytes = packet.slice();
  bytes[counterAt]! ^= 0xff;
  bytes[bytes.length - 1 - randomInt(tagBytes)]! ^= 1 << randomInt(8);
  return bytes;
}

/** Adds counts to the sums, separately for each code. */
export function addTo(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [code, times] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + times;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the memory that this process uses inside and outside its heap, bytes. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the resident memory of a process, bytes, or 0 if the system does not report it. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Duration after which a round counts as lost, ms. */
const patienceMs = 90_000;
const lookMs = 10;

/** Returns whether a condition holds in time. Waits of this process and the given ones for a core do not count. */
export async function settled(holds: () => boolean, pids: readonly number[] = []): Promise<boolean> {
  const waits = () => (['self', ...pids] as const).map(heldUpMs);
  const begunMs = performance.now();
  const before = waits();
  while (!holds()) {
    const heldUp = Math.max(...waits().map((wait, k) => wait - before[k]!));
    if (performance.now() - begunMs - heldUp > patienceMs) return false;
    // The loop pauses, because a busy loop would take a core from the processes whose result it awaits.
    await new Promise((looked) => setTimeout(looked, lookMs));
  }
  return true;
}

/** Measures the memory growth of this process in the second half of the siege. */
export class Growth {
  #half: number | undefined;
  readonly #halfMs: number;

  constructor(seconds: number) {
    this.#halfMs = performance.now() + 500 * seconds;
  }

  look(): void {
    if (this.#half === undefined && performance.now() >= this.#halfMs) this.#half = heldBytes();
  }

  get mb(): number {
    return Math.round((heldBytes() - (this.#half ?? heldBytes())) / 1e5) / 10;
  }
}

/** Measures the memory growth of other processes in the second half of the siege. */
export class ProcessGrowth {
  readonly #pids: readonly number[];
  readonly #halfMs: number;
  #half: Held | undefined;
  #last: Held | undefined;

  constructor(pids: readonly number[], seconds: number) {
    this.#pids = pids;
    this.#halfMs = performance.now() + 500 * seconds;
  }

  /** Call this method while the processes run: a process that has ended uses no memory. */
  look(): void {
    const held = this.#pids.map((pid) => ({ bytes: residentBytes(pid), descriptors: descriptors(pid) }));
    if (held.some(({ bytes }) => bytes === 0)) return;
    const sumOf = (what: keyof Held) => held.reduce((sum, one) => sum + one[what], 0);
    this.#last = { bytes: sumOf('bytes'), descriptors: sumOf('descriptors') };
    if (performance.now() >= this.#halfMs) this.#half ??= this.#last;
  }

  get mb(): number {
    return Math.round(this.#more('bytes') / 1e5) / 10;
  }

  get descriptors(): number {
    return Math.max(0, this.#more('descriptors'));
  }

  #more(what: keyof Held): number {
    return this.#half === undefined || this.#last === undefined ? 0 : this.#last[what] - this.#half[what];
  }
}

interface Held {
  readonly bytes: number;
  readonly descriptors: number;
}
