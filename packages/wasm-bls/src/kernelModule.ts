import { initSync } from '../kernel/tutti_bls.js';
import { fuses } from './fuses.ts';
import { answersRight } from './knownAnswer.ts';
import { BlsLoadError } from './loadError.ts';

/** The kernels lie beside src/ and dist/ alike, so one address serves both; bundlers read these very expressions. */
const scalarUrl = (): URL => new URL('../kernel/tutti_bls_bg.wasm', import.meta.url);
const simdUrl = (): URL => new URL('../kernel/tutti_bls_simd_bg.wasm', import.meta.url);

/** Where a kernel's WebAssembly comes from: its address, its bytes, or a module that was compiled already. */
export type KernelSource = URL | string | BufferSource | WebAssembly.Module;

let started: Promise<boolean> | undefined;
/** Why this thread has no kernel for good: the one that it started cannot be replaced. */
let spoilt: BlsLoadError | undefined;

/**
 * Compiles and starts the kernel once for this thread; a failure is forgotten, so that a later call tries again.
 *
 * @param simd - whether it is the kernel with SIMD; undefined is the one that was started, or else that one where this
 *   engine fuses (fuses.ts).
 * @param source - of the kernel to start, instead of the one beside this file; one with SIMD where `simd` is true.
 * @throws BlsLoadError with the code `kernel-missing` or `kernel-rejected`, and the cause. A kernel that was handed in
 *   and gives a wrong answer stays this thread's: later calls are refused too.
 */
export async function startKernel(simd?: boolean, source?: KernelSource): Promise<void> {
  if (spoilt !== undefined) throw spoilt;
  started ??= start(source === undefined ? simd : simd === true, source).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  const isSimd = await started;
  if (simd !== undefined && simd !== isSimd)
    throw new BlsLoadError('kernel-rejected', `simd: expected ${isSimd}, as this thread has started, got ${simd}`);
}

async function start(asked: boolean | undefined, source: KernelSource | undefined): Promise<boolean> {
  const simd = asked !== false && (await fuses());
  if (asked === true && !simd)
    throw new BlsLoadError('kernel-rejected', 'simd: this engine has no relaxed SIMD, or does not fuse');
  const from = source ?? (simd ? simdUrl() : scalarUrl());
  const url = typeof from === 'string' || from instanceof URL ? addressOf(from) : undefined;
  const name = url === undefined ? 'that was handed in' : url.href;
  const given = url === undefined ? (from as BufferSource | WebAssembly.Module) : await readKernel(url);
  try {
    initSync({ module: given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given) });
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel ${name}: ${whyNotStarted(cause)}`, { cause });
  }
  // Our own was chosen for this engine; this one was not.
  if (source !== undefined && !answersRight()) {
    spoilt = new BlsLoadError(
      'kernel-rejected',
      `BLS kernel ${name}: expected a known signature, got another; hand in kernel.wasm, or kernel-simd.wasm with simd: true`,
    );
    throw spoilt;
  }
  return simd;
}

/** An engine reserves gigabytes of addresses for a module's memory, of which it uses few. */
function whyNotStarted(cause: unknown): string {
  return cause instanceof RangeError && /memory/i.test(cause.message)
    ? 'no address space was to be had for its memory; raise the limit of this process (ulimit -v), or use noble-curves'
    : 'this runtime does not run it';
}

function addressOf(address: URL | string): URL {
  try {
    return new URL(address, globalThis.location?.href);
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel: expected an address, got ${JSON.stringify(address)}`, {
      cause,
    });
  }
}

/** The kernel's bytes: from the file system where the address is a file's and there is one, else over the network. */
async function readKernel(url: URL): Promise<BufferSource> {
  try {
    if (url.protocol === 'file:' && typeof process !== 'undefined') {
      return await process.getBuiltinModule('node:fs/promises').readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel ${url.href}: cannot be read`, { cause });
  }
}
