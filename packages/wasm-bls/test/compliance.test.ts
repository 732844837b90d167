import { describe } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { type Bls, loadBls } from '../src/index.ts';
import { describeBls } from './compliance.ts';
import { describeRounds } from './roundCompliance.ts';
import { describePointStore } from './storeCompliance.ts';

const variants = ['min-pk', 'min-sig'] as const;
/** noble-curves is slow, so it runs in CI only. `agreement.test.ts` compares it with the kernel everywhere. */
const onNoble: readonly (typeof variants)[number][] = isWhole ? variants : [];

for (const variant of variants) {
  const [wasm, noble] = [await loadBls({ engine: 'wasm', variant }), await loadBls({ engine: 'noble', variant })];
  const pairs: [bls: Bls, other: Bls][] = [[wasm, noble]];
  if (onNoble.includes(variant)) pairs.push([noble, wasm]);
  // The native library has only this variant.
  if (variant === 'min-pk') pairs.push([await loadBls({ engine: 'native' }), wasm]);
  for (const [bls, other] of pairs) {
    describe(`${bls.name}, ${variant}`, () => {
      describeBls(bls);
      describeRounds(bls);
      describePointStore(bls, other);
    });
  }
}
