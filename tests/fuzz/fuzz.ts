import { RandomStream } from '@tutti/core';

/** A decoder of untrusted input from peers or files, with the inputs and checks for its test. */
export interface FuzzedDecoder<Input = unknown> {
  readonly name: string;
  /** Share of all inputs for this decoder. The share is below 1 for slow decoders. */
  readonly share?: number;
  /** Draws an input, mostly a mutated valid one. */
  draw(random: RandomStream): Input;
  /** Decodes and checks an input. @returns `value` or a refusal's code. @throws if the decoder is wrong. */
  decode(input: Input): string;
}

interface FuzzReport {
  readonly inputs: number;
  /** Number of inputs by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

/** Maximum duration of a decoder call on a few kB, ms. A longer one means that the time has no bound. */
const longestMs = 10_000;
/** Maximum growth of memory, bytes. A decoder that leaks its inputs exceeds this maximum in a long run. */
const maxHeldBytes = 512 * 2 ** 20;
const inputsBetweenLooks = 4096;

/** Error for an input that a decoder handles incorrectly. The seed, name and number reproduce the input. */
export class BrokenDecoder extends Error {
  constructor(name: string, seed: number, number: number, input: unknown, cause: unknown) {
    const shown = input instanceof Uint8Array ? `bytes ${Buffer.from(input).toString('hex')}` : JSON.stringify(input);
    super(`${name}, seed ${seed}, input ${number}: ${(cause as Error).stack}\n${shown.slice(0, 4000)}`, { cause });
    this.name = 'Broken';
  }
}

/** Tests a decoder with a number of inputs. @throws BrokenDecoder for the first input handled incorrectly. */
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

/** Throws an error with this text if the condition is false. */
export function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
