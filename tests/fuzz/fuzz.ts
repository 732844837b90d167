import { RandomStream } from '@tutti/core';

/** A decoder of what untrusted peers send or files hold, and what it must keep. */
export interface FuzzedDecoder<Input = unknown> {
  readonly name: string;
  /** Of all inputs, the share that this one gets: under 1 for what is slow. */
  readonly share?: number;
  /** An input: mostly a valid one, mutated. */
  draw(random: RandomStream): Input;
  /**
   * Decodes, and looks at what came of it. Returns how it ended, `value` or the refusal's code; throws when the decoder
   * broke its word: an exception that is not documented, a value that does not hold, memory beyond its bound.
   */
  decode(input: Input): string;
}

export interface FuzzReport {
  readonly inputs: number;
  /** How often each outcome came. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

/**
 * Inputs are a few kB; a decoder that takes so long for one, whatever else the machine does, does not end in bounded
 * time.
 */
const longestMs = 10_000;
/** What may be held after so many inputs; a decoder that keeps what it was given goes over it in a long run. */
const maxHeldBytes = 512 * 2 ** 20;
const inputsBetweenLooks = 4096;

/** An input after which the decoder broke its word; seed, name and number give the input again. */
export class BrokenDecoder extends Error {
  constructor(name: string, seed: number, number: number, input: unknown, cause: unknown) {
    const shown = input instanceof Uint8Array ? `bytes ${Buffer.from(input).toString('hex')}` : JSON.stringify(input);
    super(`${name}, seed ${seed}, input ${number}: ${(cause as Error).stack}\n${shown.slice(0, 4000)}`, { cause });
    this.name = 'Broken';
  }
}

/**
 * Gives a decoder so many inputs.
 *
 * @throws Broken at the first that it does not take as it should.
 */
export function fuzz(decoder: FuzzedDecoder, inputs: number, seed: number): FuzzReport {
  const outcomes: Record<string, number> = {};
  const heldAtFirst = heldBytes();
  let slowestMs = 0;
  for (let number = 0; number < inputs; number++) {
    const input = decoder.draw(new RandomStream(number, `${decoder.name} ${seed}`));
    const began = performance.now();
    try {
      const outcome = decoder.decode(input);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const tookMs = performance.now() - began;
      slowestMs = Math.max(slowestMs, tookMs);
      if (tookMs > longestMs) throw new Error(`took ${tookMs} ms`);
      if (number % inputsBetweenLooks === 0 && heldBytes() - heldAtFirst > maxHeldBytes)
        throw new Error(`holds ${heldBytes() - heldAtFirst} bytes more than at first`);
    } catch (error) {
      throw new BrokenDecoder(decoder.name, seed, number, input, error);
    }
  }
  return { inputs, outcomes, slowestMs };
}

/** Fails with what does not hold. */
export function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
