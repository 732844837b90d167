import { expect, test } from 'vitest';
import { type Decoded, loadBls } from '../src/index.ts';
import { fieldCheck } from './field.mjs';
import { fuzz } from './fuzz.mjs';

test('unusual inputs cause no trap, no point that noble-curves refuses, and the same answers', async () => {
  const [kernel, noble] = [await loadBls({ engine: 'wasm' }), await loadBls({ engine: 'noble' })];
  const answers = fuzz({ kernel, noble, field: fieldCheck, inputs: 1200, seed: 20_261_122, compared: 4 });
  // Each kind of result occurs, so the inputs reach every check of the decoder.
  for (const code of ['accepted', 'length', 'encoding', 'not-on-curve', 'not-in-subgroup'])
    expect(answers[code], code).toBeGreaterThan(10);
});

test('a difference in a rejected input is found if every input is compared', async () => {
  const kernel = await loadBls({ engine: 'wasm' });
  const rejected: Decoded = { ok: false, code: 'infinity' };
  const decodePublicKey = (bytes: Uint8Array): Decoded =>
    kernel.decodePublicKey(bytes).ok ? kernel.decodePublicKey(bytes) : rejected;
  const asked = { kernel, noble: { ...kernel, decodePublicKey }, field() {}, inputs: 40, seed: 1, compared: 1 };
  expect(() => fuzz(asked)).toThrow(/^input \d+ of seed 1, publicKey/);
});
