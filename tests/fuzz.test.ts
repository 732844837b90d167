import { expect, it } from 'vitest';
import { cliDecoders } from './fuzz/cliDecoders.ts';
import { coreDecoders } from './fuzz/coreDecoders.ts';
import { type FuzzedDecoder, fuzz } from './fuzz/fuzz.ts';
import { pageDecoders } from './fuzz/pageDecoders.ts';
import { signatureDecoders } from './fuzz/signatureDecoders.ts';
import { transportDecoders } from './fuzz/transportDecoders.ts';

const decoders = [
  ...coreDecoders,
  ...transportDecoders,
  ...cliDecoders,
  ...pageDecoders,
  ...signatureDecoders,
] as FuzzedDecoder[];

/** For each decoder. A part of the suite has to be short; `npm run fuzz` gives more. */
const inputs = Number(process.env.TUTTI_FUZZ_INPUTS ?? (process.env.CI ? 20_000 : 2_000));
const seed = Number(process.env.TUTTI_FUZZ_SEED ?? 1);

/** So that a decoder with a small share sees something in the short part too. */
const FEWEST = 50;

it.each(decoders.map((decoder) => [decoder.name, decoder] as const))(
  '%s: anything is read, or refused as documented',
  { timeout: 24 * 3600 * 1000 },
  (name, decoder) => {
    const report = fuzz(decoder, Math.max(FEWEST, Math.ceil(inputs * (decoder.share ?? 1))), seed);
    if (process.env.TUTTI_FUZZ_INPUTS) console.log(name, JSON.stringify(report));
    // A fuzzer that never gets past the checks, or never is refused, tests little.
    expect(Object.keys(report.outcomes).length).toBeGreaterThan(1);
    expect(report.outcomes.value).toBeGreaterThan(0);
  },
);
