import { expect, test } from 'vitest';
import { loadBls } from '../src/index.ts';
import { fieldCheck } from './field.mjs';
import { fuzz } from './fuzz.mjs';

test('unusual inputs cause no trap, no point that noble-curves refuses, and the same answers', async () => {
  const [kernel, noble] = [await loadBls({ engine: 'wasm' }), await loadBls({ engine: 'noble' })];
  const answers = fuzz({ kernel, noble, field: fieldCheck, inputs: 1200, seed: 20_261_122, compared: 4 });
  // Each kind of result occurs, so the inputs reach every check of the decoder.
  for (const code of ['accepted', 'length', 'encoding', 'not-on-curve', 'not-in-subgroup'])
    expect(answers[code], code).toBeGreaterThan(10);
});
