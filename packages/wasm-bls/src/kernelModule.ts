import * as kernel from '../kernel/tutti_bls.js';
import { shownName } from './arguments.ts';
import type { Arithmetic } from './arithmetic.ts';
import { chosenArithmetic, whyNotStarted } from './chosenArithmetic.ts';
import { inlined } from './inlined.ts';
import { answersRight } from './knownAnswer.ts';
import { BlsLoadError } from './loadError.ts';

/** The kernels lie beside src/ and dist/ alike, so one address serves both; bundlers read these very expressions. */
const urls: Readonly<Record<Arithmetic, () => URL>> = {
  scalar: () => new URL('../kernel/tutti_bls_bg.wasm', import.meta.url),
  simd: () => new URL('../kernel/tutti_bls_simd_bg.wasm', import.meta.url),
  wide: () => new URL('../kernel/tutti_bls_wide_bg.wasm', import.meta.url),
  upstream: () => new URL('../kernel/tutti_bls_upstream_bg.wasm', import.meta.url),
};

/** Where a kernel's WebAssembly comes from: its address, its bytes, or a module that was compiled already. */
export type KernelSource = URL | string | BufferSource | WebAssembly.Module;

/** The operations that known answers are asked of. */
const probed = {
  publicKey: (secretKey: Uint8Array) => kernel.public_key(secretKey),
  sign: (secretKey: Uint8Array, message: Uint8Array) => kernel.sign(secretKey, message),
  verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => kernel.verify(key, message, signature),
};

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

async function start(asked: Arithmetic | undefined, source: KernelSource | undefined): Promise<Arithmetic> {
  const arithmetic = await chosenArithmetic(asked);
  const { name, given } = source === undefined ? await ownKernel(arithmetic) : await kernelAt(source);
  try {
    kernel.initSync({ module: given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given) });
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel ${name}: ${whyNotStarted(cause)}`, { cause });
  }
  // Our own was chosen for this engine; this one was not. And what engines have had for years is not asked again.
  if ((source !== undefined || arithmetic === 'wide') && !answersRight(probed)) {
    spoilt = new BlsLoadError(
      'kernel-rejected',
      `BLS kernel ${name}: expected a known signature, got another; ask for kernel.wasm, with arithmetic: 'scalar'`,
    );
    throw spoilt;
  }
  return arithmetic;
}

/** A kernel as WebAssembly takes it, and its name in an error. */
interface ReadKernel {
  readonly name: string;
  readonly given: BufferSource | WebAssembly.Module;
}

async function kernelAt(source: KernelSource): Promise<ReadKernel> {
  if (typeof source !== 'string' && !(source instanceof URL)) return { name: 'that was handed in', given: source };
  const url = addressOf(source);
  return { name: url.href, given: await readKernel(url) };
}

/**
 * The kernel beside this file; or the one in the code, where there is no such file: some bundlers do not copy what the
 * code names, and some policies let a page fetch nothing.
 */
async function ownKernel(arithmetic: Arithmetic): Promise<ReadKernel> {
  try {
    const url = ownAddress(arithmetic);
    const given = await readKernel(url);
    if (!isWebAssembly(given)) throw new BlsLoadError('kernel-missing', `BLS kernel ${url.href}: is no WebAssembly`);
    return { name: url.href, given };
  } catch (missing) {
    const given = await inlined(arithmetic).catch(() => {
      throw missing;
    });
    console.warn(`${(missing as Error).message}; the one in the code serves`);
    return { name: 'in the code', given };
  }
}

/** In a classic script there is no address of this file. */
function ownAddress(arithmetic: Arithmetic): URL {
  try {
    return urls[arithmetic]();
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel ${arithmetic}: this script has no address`, { cause });
  }
}

/** A server that gives its page for every address gives it for the kernel's, too. */
function isWebAssembly(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, at) => bytes[at] === byte);
}

function addressOf(address: URL | string): URL {
  try {
    return new URL(address, globalThis.location?.href);
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel: expected an address, got ${shownName(address)}`, {
      cause,
    });
  }
}

/** The kernel's bytes: from the file system where the address is a file's and there is one, else over the network. */
async function readKernel(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (url.protocol === 'file:' && typeof process !== 'undefined') {
      return await process.getBuiltinModule('node:fs/promises').readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel ${url.href}: cannot be read`, { cause });
  }
}
