import { describe } from 'vitest';
import { loadBls } from '../src/index.ts';
import { describeBls } from './compliance.ts';

for (const kernel of ['wasm', 'noble'] as const) {
  const bls = await loadBls({ kernel });
  describe(bls.name, () => describeBls(bls));
}
