import { describe } from 'vitest';
import { sampled } from '../../../tests/sampled.ts';
import { loadBls } from '../src/index.ts';
import { describeBls } from './compliance.ts';
import { describePointStore } from './storeCompliance.ts';

const variants = ['min-pk', 'min-sig'] as const;
/** noble-curves is slow, and is one program for both. */
const onNoble = sampled<(typeof variants)[number]>(variants, 1);

for (const variant of variants) {
  const [wasm, noble] = [await loadBls({ kernel: 'wasm', variant }), await loadBls({ kernel: 'noble', variant })];
  for (const [bls, other] of [[wasm, noble], ...(onNoble.includes(variant) ? [[noble, wasm] as const] : [])] as const) {
    describe(`${bls.name}, ${variant}`, () => {
      describeBls(bls);
      describePointStore(bls, other);
    });
  }
}
