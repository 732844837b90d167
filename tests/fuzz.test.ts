/// <reference types="vite/client" />
import { expect, it } from 'vitest';
import { cliDecoders } from './fuzz/cliDecoders.ts';
import { coreDecoders } from './fuzz/coreDecoders.ts';
import { BrokenDecoder, type FuzzedDecoder, fuzz } from './fuzz/fuzz.ts';
import { mutatedBytes } from './fuzz/mutate.ts';
import { pageDecoders } from './fuzz/pageDecoders.ts';
import { signatureDecoders } from './fuzz/signatureDecoders.ts';
import { transportDecoders } from './fuzz/transportDecoders.ts';

const ofExtensions = import.meta.glob<{ decoders: unknown[] }>('../extensions/*/tests/decoders.ts', { eager: true });

const decoders = [
  ...coreDecoders,
  ...transportDecoders,
  ...cliDecoders,
  ...pageDecoders,
  ...signatureDecoders,
  ...Object.values(ofExtensions).flatMap(({ decoders }) => decoders),
] as FuzzedDecoder[];

/** Number of inputs for each decoder. The suite must be fast; `npm run fuzz` uses more inputs. */
const inputs = Number(process.env.TUTTI_FUZZ_INPUTS ?? (process.env.CI ? 6_000 : 300));
const seed = Number(process.env.TUTTI_FUZZ_SEED ?? 1);

/** Minimum number of inputs, so that a decoder with a small share is also tested in a short run. */
const fewest = 30;

it.each(decoders.map((decoder) => [decoder.name, decoder] as const))(
  '%s: every input is read, or refused as documented',
  { timeout: 24 * 3600 * 1000 },
  (name, decoder) => {
    const report = fuzz(decoder, Math.max(fewest, Math.ceil(inputs * (decoder.share ?? 1))), seed);
    if (process.env.TUTTI_FUZZ_INPUTS) console.log(name, JSON.stringify(report));
    // A fuzzer whose inputs are all refused, or all accepted, tests very little.
    expect(Object.keys(report.outcomes).length).toBeGreaterThan(1);
    expect(report.outcomes.value).toBeGreaterThan(0);
  },
);

it('a decoder that violates its contract is reported with the seed and the number of the input', () => {
  const careless: FuzzedDecoder<Uint8Array> = {
    name: 'careless',
    draw: (random) => mutatedBytes(random, [Uint8Array.of(1, 2, 3, 4)]),
    decode(bytes) {
      if (bytes.length > 2) return 'value';
      throw new TypeError('too few to read a number');
    },
  };
  expect(() => fuzz(careless, 1000, 7)).toThrow(BrokenDecoder);
  expect(() => fuzz(careless, 1000, 7)).toThrow(/^careless, seed 7, input \d+: TypeError: too few/);
});
