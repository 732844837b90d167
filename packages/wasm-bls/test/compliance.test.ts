import { describe } from 'vitest';
import { loadBls } from '../src/index.ts';
import { describeBls } from './compliance.ts';
import { describePointStore } from './storeCompliance.ts';

const [wasm, noble] = [await loadBls({ kernel: 'wasm' }), await loadBls({ kernel: 'noble' })];

for (const [bls, other] of [
  [wasm, noble],
  [noble, wasm],
] as const) {
  describe(bls.name, () => {
    describeBls(bls);
    describePointStore(bls, other);
  });
}
