/** The compliance suite as one module that any engine runs, see run.mjs. */
import type { Arithmetic } from '../../src/arithmetic.ts';
import { loadBls } from '../../src/index.ts';
import { describeBls } from '../compliance.ts';
import { describePointStore } from '../storeCompliance.ts';
import { describe, runTests } from './harness.ts';

/**
 * Runs the suite on one of the kernels, noble-curves beside it.
 *
 * @param arithmetic - of the kernel that `source` is.
 * @returns how many tests passed and which failed; undefined where the engine does not have that arithmetic.
 */
export async function run(
  arithmetic: Arithmetic,
  source: BufferSource,
): Promise<Awaited<ReturnType<typeof runTests>> | undefined> {
  const wasm = await loadBls({ arithmetic, source }).catch((error: { code?: string; message: string }) => {
    if (error.code === 'kernel-rejected' && error.message.startsWith('arithmetic: ')) return undefined;
    throw error;
  });
  if (wasm === undefined) return undefined;
  const noble = await loadBls({ kernel: 'noble' });
  describe(wasm.name, () => {
    describeBls(wasm);
    describePointStore(wasm, noble);
  });
  return runTests();
}
