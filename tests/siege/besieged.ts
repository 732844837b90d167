import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { descriptors, heldUpMs } from './proc.mjs';

export { descriptors };

/** What came of one siege. */
export interface Siege {
  readonly target: string;
  readonly attacks: readonly string[];
  /** Packets, messages and connections of the attackers. */
  readonly sent: number;
  /** Rounds that were begun. */
  readonly rounds: number;
  /** What was seen of each that not every honest node finished, and of whatever else was lost. */
  readonly lost: readonly string[];
  readonly refused: Readonly<Record<string, number>>;
  /** Codes that must be among them. */
  readonly expected: readonly string[];
  /**
   * Growth over the second half, MB: of what this process holds after a collection, or of what the target's own
   * processes have resident.
   */
  readonly grownMb: number;
  /**
   * Open files and sockets: of this process, more than before it began; or of the target's own processes, more than at
   * half of the time.
   */
  readonly descriptorsLeft: number;
}

/** A siege that has to see each refusal goes on for no more rounds than this. */
const maxRounds = 500;
const minRounds = 3;

/**
 * How long a siege goes on: until its time is up and each code that it is to see was counted. No time is asked for in
 * the test suite.
 */
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

  /** To be asked before each round, and told how many there were. */
  goesOn(rounds: number, refused: () => Readonly<Record<string, number>>): boolean {
    if (rounds > 0) this.#growth.look();
    if (rounds < minRounds || this.secondsLeft > 0) return true;
    const counted = refused();
    return rounds < maxRounds && this.#codes.some((code) => !counted[code]);
  }
}

/** Where a packet's counter begins (docs/reference/channel-and-wire.md), and the length of its tag. */
const counterAt = 23;
const tagBytes = 16;

/** A packet with a bit of its tag changed, and a counter that was never heard: it would be refused as replayed. */
export function forged(packet: Uint8Array): Uint8Array {
  const bytes = packet.slice();
  bytes[counterAt]! ^= 0xff;
  bytes[bytes.length - 1 - randomInt(tagBytes)]! ^= 1 << randomInt(8);
  return bytes;
}

/** Adds counts to counts. */
export function addTo(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [code, times] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + times;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that this process holds, in and out of its heap. */
export function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What a process has resident, bytes; 0 where the system does not say. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A round that takes longer is lost. */
const patienceMs = 90_000;
const lookMs = 10;

/**
 * Lets what was begun or closed come to its end. Time in which the processes concerned, or this one, stood in the line
 * for a core is no time that they took: on a machine that does much else a round takes minutes and is not lost.
 *
 * @returns whether it did.
 */
export async function settled(holds: () => boolean, pids: readonly number[] = []): Promise<boolean> {
  const waits = () => (['self', ...pids] as const).map(heldUpMs);
  const begunMs = performance.now();
  const before = waits();
  while (!holds()) {
    const heldUp = Math.max(...waits().map((wait, k) => wait - before[k]!));
    if (performance.now() - begunMs - heldUp > patienceMs) return false;
    // A pause, and no turn: a constant loop takes a core from those that it waits for.
    await new Promise((looked) => setTimeout(looked, lookMs));
  }
  return true;
}

/** Measures growth from half of the time on. */
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

/** Measures growth of other processes from half of the time on. */
export class ProcessGrowth {
  readonly #pids: readonly number[];
  readonly #halfMs: number;
  #half: Held | undefined;
  #last: Held | undefined;

  constructor(pids: readonly number[], seconds: number) {
    this.#pids = pids;
    this.#halfMs = performance.now() + 500 * seconds;
  }

  /** While they live: a process that is gone holds nothing. */
  look(): void {
    const held = this.#pids.map((pid) => ({ bytes: residentBytes(pid), descriptors: descriptors(pid) }));
    if (held.some(({ bytes }) => bytes === 0)) return;
    this.#last = {
      bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
      descriptors: held.reduce((sum, { descriptors }) => sum + descriptors, 0),
    };
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
