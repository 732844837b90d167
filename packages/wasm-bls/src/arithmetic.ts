import { fuses } from './fuses.ts';
import { BlsLoadError, causeOf } from './loadError.ts';

/**
 * Field arithmetics of the WASM kernels. The first three arithmetics are this project's own C code (crate/field):
 * `scalar` needs no extension of WebAssembly, `simd` needs relaxed SIMD, and `wide` needs wide arithmetic. `upstream`
 * is blst's own portable C, unmodified. All arithmetics give the same results.
 */
export const arithmetics = ['scalar', 'simd', 'wide', 'upstream'] as const;
/** One of {@link arithmetics}. */
export type Arithmetic = (typeof arithmetics)[number];

/**
 * A module with one function, (a, b, c, d) => a * b + (d * 2^64 + c) mod 2^128, which returns the low and the high
 * half: type, function, export `wide`, code.
 *
 * local.get 0, local.get 1, i64.mul_wide_u, local.get 2, local.get 3, i64.add128
 */
const probe = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x0a, 0x01, 0x60, 0x04, 0x7e, 0x7e, 0x7e, 0x7e, 0x02, 0x7e, 0x7e],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x07, 0x08, 0x01, 0x04, 0x77, 0x69, 0x64, 0x65, 0x00, 0x00],
  ...[0x0a, 0x10, 0x01, 0x0e, 0x00],
  ...[0x20, 0x00, 0x20, 0x01, 0xfc, 0x16, 0x20, 0x02, 0x20, 0x03, 0xfc, 0x13, 0x0b],
);

/** Returns whether this engine supports wide arithmetic, with correct carries. */
async function multipliesWide(): Promise<boolean> {
  if (!WebAssembly.validate(probe)) return false;
  const { instance } = await WebAssembly.instantiate(probe);
  const wide = instance.exports.wide as (a: bigint, b: bigint, c: bigint, d: bigint) => readonly [bigint, bigint];
  const word = (value: bigint): bigint => BigInt.asUintN(64, value);
  const all = word(-1n);
  return [
    [all, all, all, 1n],
    [0x89f3_fffc_fffc_fffdn, 0xb9fe_ffff_ffff_aaabn, all, 0n],
    [1n << 63n, 2n, 0n, all],
  ].every(([a, b, c, d]) => {
    const [low, high] = wide(a!, b!, c!, d!);
    return BigInt.asUintN(128, a! * b! + (d! << 64n) + c!) === (word(high) << 64n) + word(low);
  });
}

/** Returns whether this engine runs the kernel with the given arithmetic correctly. */
export async function runs(arithmetic: Arithmetic): Promise<boolean> {
  if (arithmetic === 'simd') return fuses();
  return arithmetic === 'wide' ? multipliesWide() : true;
}

/**
 * Kernels that are faster than the scalar one, by engine, fastest first. The choice is a table because an available
 * instruction is not necessarily fast. The V8 entry is based on measurements (docs/internals/rejected-ideas.md). An
 * earlier version of SpiderMonkey reportedly took twice as long per product with wide arithmetic.
 */
const fasterThanScalar: Readonly<Record<'v8' | 'other', readonly Arithmetic[]>> = {
  v8: ['wide', 'simd'],
  other: ['simd'],
};

/**
 * Returns the name of the table row for this engine. Node, Deno and Electron report their engine; other engines are
 * identified by the browser's name.
 */
export function engineName(
  versions: Readonly<Record<string, string | undefined>> | undefined = globalThis.process?.versions,
  userAgent: string | undefined = globalThis.navigator?.userAgent,
): 'v8' | 'other' {
  return versions?.v8 !== undefined || /\bChrom(?:e|ium)\//.test(userAgent ?? '') ? 'v8' : 'other';
}

/** Returns the fastest kernel that this engine runs. */
export async function fastest(engine: 'v8' | 'other' = engineName()): Promise<Arithmetic> {
  for (const arithmetic of fasterThanScalar[engine]) if (await runs(arithmetic)) return arithmetic;
  return 'scalar';
}

/** Reasons why an engine does not run a kernel. Every engine runs the kernels without an entry. */
const lacking: Readonly<Partial<Record<Arithmetic, string>>> = {
  simd: 'this engine has no relaxed SIMD or no fused multiply-add',
  wide: 'this engine has no wide arithmetic, or computes it wrongly',
};

/**
 * Returns the requested arithmetic or, without a request, the fastest one that the engine runs. The function tests the
 * engine with modules of a few instructions.
 *
 * @throws BlsLoadError `kernel-rejected` if this engine does not run the arithmetic, or if the page's policy forbids
 * WebAssembly.
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
 * Returns the reason why an engine rejects a kernel, recognised by phrases in the engine's message: the runtime allows
 * no compilation, the page's policy forbids WebAssembly, or no address space is left (some engines reserve gigabytes
 * for a module's memory). For any other reason, the result contains the engine's message.
 */
export function whyNotStarted(cause: unknown): string {
  const words = causeOf(cause);
  if (/code generation disallowed/i.test(words))
    return "this runtime, like Cloudflare Workers, cannot compile WebAssembly; pass kernel/tutti_bls_bg.wasm as a compiled module in source, or engine: 'noble'";
  if (/content security policy|\bCSP\b|unsafe-eval/i.test(words))
    return "this page's policy forbids WebAssembly; allow script-src 'wasm-unsafe-eval', or use noble-curves";
  return cause instanceof RangeError && /memory/i.test(words)
    ? 'no address space is available for its memory; raise the limit of this process (ulimit -v), or use noble-curves'
    : `this runtime cannot run the kernel${words === '' ? '' : ` (${words})`}`;
}
