import { type Arithmetic, fastest, runs } from './arithmetic.ts';
import { BlsLoadError, causeOf } from './loadError.ts';

/** What an engine lacks that does not run a kernel. */
const lacking: Readonly<Partial<Record<Arithmetic, string>>> = {
  simd: 'this engine has no relaxed SIMD, or does not fuse',
  wide: 'this engine has no wide arithmetic, or computes it wrongly',
};

/**
 * The arithmetic that is asked for, or else the fastest: an engine is tried with modules of a few instructions.
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
 * Why an engine refuses a kernel: its page's policy (each engine says it in its own words, with one of these in them);
 * that it compiles nothing at all, as on some servers; or that it reserves gigabytes of addresses for a module's memory,
 * of which it uses few. What it says itself is in the line where none of these is known.
 */
export function whyNotStarted(cause: unknown): string {
  const words = causeOf(cause);
  if (/code generation disallowed/i.test(words))
    return "this runtime compiles no WebAssembly (Cloudflare Workers do not); pass kernel.wasm as a compiled module in source, or kernel: 'noble'";
  if (/content security policy|\bCSP\b|unsafe-eval/i.test(words))
    return "this page's policy forbids WebAssembly; allow script-src 'wasm-unsafe-eval', or use noble-curves";
  return cause instanceof RangeError && /memory/i.test(words)
    ? 'no address space was to be had for its memory; raise the limit of this process (ulimit -v), or use noble-curves'
    : `this runtime does not run it${words === '' ? '' : ` (${words})`}`;
}
