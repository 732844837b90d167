/** The compliance suite as one module that any engine can run; see run.mjs. */
import type { Arithmetic } from '../../src/arithmetic.ts';
import { loadBls } from '../../src/index.ts';
import { describeBls } from '../compliance.ts';
import { describeRounds } from '../roundCompliance.ts';
import { describePointStore } from '../storeCompliance.ts';
import { describe, runTests } from './harness.ts';

/** Runs the suite on both variants of a kernel and on noble-curves; undefined if the engine lacks the arithmetic. */
export async function run(
  arithmetic: Arithmetic,
  source: BufferSource,
): Promise<Awaited<ReturnType<typeof runTests>> | undefined> {
  const wasm = await loadBls({ arithmetic, source }).catch((error: { code?: string; message: string }) => {
    if (error.code === 'kernel-rejected' && error.message.startsWith('arithmetic: ')) return undefined;
    throw error;
  });
  if (wasm === undefined) return undefined;
  for (const variant of ['min-pk', 'min-sig'] as const) {
    const [own, noble] = [await loadBls({ arithmetic, variant }), await loadBls({ engine: 'noble', variant })];
    describe(`${own.name}, ${variant}`, () => {
      describeBls(own);
      describeRounds(own);
      describePointStore(own, noble);
    });
  }
  return runTests();
}
