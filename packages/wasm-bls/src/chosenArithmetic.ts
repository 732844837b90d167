import { type Arithmetic, fastest, runs } from './arithmetic.ts';
import { BlsLoadError, causeOf } from './loadError.ts';

/** Features whose absence prevents an engine from running a kernel. */
const lacking: Readonly<Partial<Record<Arithmetic, string>>> = {
  simd: 'this engine has no relaxed SIMD or no fused multiply-add',
  wide: 'this engine has no wide arithmetic, or computes it wrongly',
};

/**
 * Returns the requested arithmetic, or else the fastest that the engine runs. It tests the engine with modules of a few
 * instructions.
 *
 * @throws BlsLoadError `kernel-rejected` if this engine does not run it, or its page's policy forbids WebAssembly.
 */
export async function chosenArithmetic(asked?: Arithmetic): Promise<Arithmetic> {
  let isRun: boolean;
  try {
    if (asked === undefined) return await fastest();
    isRun = await runs(asked);
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel: ${whyNotStarted(cause)}`, { cause });
  }
  if (!isRun) throw new BlsLoadError('kernel-rejected', `arithmetic: ${asked}: ${lacking[asked]}`);
  return asked;
}

/**
 * Returns the reason why an engine rejects a kernel. The page's policy may forbid it; each engine's message for that
 * contains one of these phrases. The engine may not compile anything, as on some servers. Or it may fail to reserve the
 * gigabytes of address space that some engines reserve for a module's memory. If none of these applies, the engine's
 * own message is returned.
 */
export function whyNotStarted(cause: unknown): string {
  const words = causeOf(cause);
  if (/code generation disallowed/i.test(words))
    return "this runtime, like Cloudflare Workers, cannot compile WebAssembly; pass kernel.wasm as a compiled module in source, or engine: 'noble'";
  if (/content security policy|\bCSP\b|unsafe-eval/i.test(words))
    return "this page's policy forbids WebAssembly; allow script-src 'wasm-unsafe-eval', or use noble-curves";
  return cause instanceof RangeError && /memory/i.test(words)
    ? 'no address space is available for its memory; raise the limit of this process (ulimit -v), or use noble-curves'
    : `this runtime cannot run the kernel${words === '' ? '' : ` (${words})`}`;
}
