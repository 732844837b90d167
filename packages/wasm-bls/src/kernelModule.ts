import { initSync } from '../kernel/tutti_bls.js';
import { type Arithmetic, fastest, runs } from './arithmetic.ts';
import { answersRight } from './knownAnswer.ts';
import { BlsLoadError } from './loadError.ts';

/** The kernels lie beside src/ and dist/ alike, so one address serves both; bundlers read these very expressions. */
const urls: Readonly<Record<Arithmetic, () => URL>> = {
  scalar: () => new URL('../kernel/tutti_bls_bg.wasm', import.meta.url),
  simd: () => new URL('../kernel/tutti_bls_simd_bg.wasm', import.meta.url),
  wide: () => new URL('../kernel/tutti_bls_wide_bg.wasm', import.meta.url),
};

/** Where a kernel's WebAssembly comes from: its address, its bytes, or a module that was compiled already. */
export type KernelSource = URL | string | BufferSource | WebAssembly.Module;

let started: Promise<Arithmetic> | undefined;
/** Why this thread has no kernel for good: the one that it started cannot be replaced. */
let spoilt: BlsLoadError | undefined;

/**
 * Compiles and starts the kernel once for this thread; a failure is forgotten, so that a later call tries again.
 *
 * @param arithmetic - which kernel; undefined is the one that was started, or else the fastest here (arithmetic.ts).
 * @param source - of the kernel to start, instead of the one beside this file; of that arithmetic, or else scalar.
 * @throws BlsLoadError with the code `kernel-missing` or `kernel-rejected`, and the cause. A kernel that was handed in
 *   and gives a wrong answer stays this thread's: later calls are refused too.
 */
export async function startKernel(arithmetic?: Arithmetic, source?: KernelSource): Promise<void> {
  if (spoilt !== undefined) throw spoilt;
  started ??= start(source === undefined ? arithmetic : (arithmetic ?? 'scalar'), source).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  const running = await started;
  if (arithmetic !== undefined && arithmetic !== running)
    throw new BlsLoadError(
      'kernel-rejected',
      `arithmetic: expected ${running}, as this thread has started, got ${arithmetic}`,
    );
}

/** What an engine lacks that does not run a kernel. */
const lacking: Readonly<Record<Arithmetic, string>> = {
  scalar: '',
  simd: 'this engine has no relaxed SIMD, or does not fuse',
  wide: 'this engine has no wide arithmetic, or computes it wrongly',
};

async function start(asked: Arithmetic | undefined, source: KernelSource | undefined): Promise<Arithmetic> {
  const arithmetic = asked ?? (await fastest());
  if (asked !== undefined && !(await runs(asked)))
    throw new BlsLoadError('kernel-rejected', `arithmetic: ${asked}: ${lacking[asked]}`);
  const from = source ?? urls[arithmetic]();
  const url = typeof from === 'string' || from instanceof URL ? addressOf(from) : undefined;
  const name = url === undefined ? 'that was handed in' : url.href;
  const given = url === undefined ? (from as BufferSource | WebAssembly.Module) : await readKernel(url);
  try {
    initSync({ module: given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given) });
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel ${name}: ${whyNotStarted(cause)}`, { cause });
  }
  // Our own was chosen for this engine; this one was not. And what engines have had for years is not asked again.
  if ((source !== undefined || arithmetic === 'wide') && !answersRight()) {
    spoilt = new BlsLoadError(
      'kernel-rejected',
      `BLS kernel ${name}: expected a known signature, got another; ask for kernel.wasm, with arithmetic: 'scalar'`,
    );
    throw spoilt;
  }
  return arithmetic;
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
