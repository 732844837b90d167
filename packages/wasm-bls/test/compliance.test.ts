import { describe } from 'vitest';
import { loadBls } from '../src/index.ts';
import { describeBls } from './compliance.ts';
import { describePointStore } from './storeCompliance.ts';

for (const variant of ['min-pk', 'min-sig'] as const) {
  const [wasm, noble] = [await loadBls({ kernel: 'wasm', variant }), await loadBls({ kernel: 'noble', variant })];
  for (const [bls, other] of [
    [wasm, noble],
    [noble, wasm],
  ] as const) {
    describe(`${bls.name}, ${variant}`, () => {
      describeBls(bls);
      describePointStore(bls, other);
    });
  }
}
