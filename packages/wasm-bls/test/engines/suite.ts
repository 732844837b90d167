/** The compliance suite as one module that any engine runs, see run.mjs. */
import { loadBls } from '../../src/index.ts';
import { describeBls } from '../compliance.ts';
import { describePointStore } from '../storeCompliance.ts';
import { describe, runTests } from './harness.ts';

/**
 * Runs the suite on one of the kernels, noble-curves beside it.
 *
 * @param simd - whether `source` is the kernel with SIMD.
 * @returns how many tests passed and which failed; undefined where the engine has no relaxed SIMD that fuses.
 */
export async function run(
  simd: boolean,
  source: BufferSource,
): Promise<Awaited<ReturnType<typeof runTests>> | undefined> {
  const wasm = await loadBls({ simd, source }).catch((error: { code?: string; message: string }) => {
    if (simd && error.code === 'kernel-rejected' && error.message.startsWith('simd: ')) return undefined;
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
