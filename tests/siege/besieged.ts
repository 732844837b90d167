import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What came of one siege. */
export interface Siege {
  readonly target: string;
  readonly attacks: readonly string[];
  /** Packets, messages and connections of the attackers. */
  readonly sent: number;
  /** Rounds that were begun, and of those the ones that not every honest node finished. */
  readonly rounds: number;
  readonly lost: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Of this process, after a collection: growth over the second half, MB; undefined where the target has processes of its own. */
  readonly grownMb: number | undefined;
  /** Open files and sockets, more than before it began. */
  readonly descriptorsLeft: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that this process holds, in and out of its heap. */
export function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Files and sockets that this process has open; 0 where the system does not say. */
export function descriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Lets what was closed be gone. */
export async function settled(holds: () => boolean): Promise<void> {
  const endsMs = performance.now() + 20_000;
  while (!holds() && performance.now() < endsMs) await turn();
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
