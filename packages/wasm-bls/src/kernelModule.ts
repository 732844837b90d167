import * as kernel from '../kernel/tutti_bls.js';
import { shownName } from './arguments.ts';
import { type Arithmetic, chosenArithmetic, whyNotStarted } from './arithmetic.ts';
import { inlined } from './inlined.ts';
import { passesSelfTest } from './knownAnswer.ts';
import { BlsLoadError } from './loadError.ts';

/**
 * Addresses of the kernel files. The kernel files are next to both src/ and dist/, so the same relative addresses work
 * from both folders. Bundlers recognise only expressions of exactly this form.
 */
const urls: Readonly<Record<Arithmetic, () => URL>> = {
  scalar: () => new URL('../kernel/tutti_bls_bg.wasm', import.meta.url),
  simd: () => new URL('../kernel/tutti_bls_simd_bg.wasm', import.meta.url),
  wide: () => new URL('../kernel/tutti_bls_wide_bg.wasm', import.meta.url),
  upstream: () => new URL('../kernel/tutti_bls_upstream_bg.wasm', import.meta.url),
};

/**
 * Source of a kernel's WebAssembly: the kernel's address, its bytes, a compiled module, or the text `inline` for the
 * kernel embedded in this package's code.
 */
export type KernelSource = URL | string | BufferSource | WebAssembly.Module;

/** Operations of the started kernel that the self-test calls. */
const tested = {
  publicKey: (secretKey: Uint8Array) => kernel.public_key(secretKey),
  sign: (secretKey: Uint8Array, message: Uint8Array) => kernel.sign(secretKey, message),
  verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => kernel.verify(key, message, signature),
};

let started: Promise<Arithmetic> | undefined;
/** Error to report if the kernel started on this thread is faulty. A started kernel cannot be replaced. */
let spoilt: BlsLoadError | undefined;

/**
 * Compiles and starts the kernel, once per thread. After a failure, a later call tries again.
 *
 * @param arithmetic - arithmetic of the kernel; if undefined, that of the kernel already started, or else the fastest
 * one for this engine (arithmetic.ts).
 * @param source - source of the kernel, used instead of the file next to this module. The source's arithmetic must be
 * `arithmetic`, or scalar if `arithmetic` is undefined.
 * @throws BlsLoadError with the code `kernel-missing` or `kernel-rejected`. If the started kernel fails its self-test,
 * this thread cannot replace it, and later calls are rejected too.
 */
export async function startKernel(arithmetic?: Arithmetic, source?: KernelSource): Promise<void> {
  if (spoilt !== undefined) throw spoilt;
  const earlier = started;
  started ??= start(arithmetic, source).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  const running = await (earlier?.catch(() => undefined) ?? started);
  // The earlier call failed because of its own arguments.
  if (running === undefined) return startKernel(arithmetic, source);
  if (arithmetic !== undefined && arithmetic !== running)
    throw new BlsLoadError(
      'kernel-rejected',
      `arithmetic: expected ${running}, as this thread has started, got ${arithmetic}`,
    );
}

async function start(asked: Arithmetic | undefined, source: KernelSource | undefined): Promise<Arithmetic> {
  const isCustom = source !== undefined && source !== 'inline';
  const arithmetic = await chosenArithmetic(isCustom ? (asked ?? 'scalar') : asked);
  const { name, given } = await readKernel(arithmetic, source);
  try {
    kernel.initSync({ module: given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given) });
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel ${name}: ${whyNotStarted(cause)}`, { cause });
  }
  // A kernel from `source` may be any module, and engines have supported wide arithmetic only recently. The package's
  // other kernels need no self-test.
  if ((isCustom || arithmetic === 'wide') && !passesSelfTest(tested)) {
    spoilt = new BlsLoadError(
      'kernel-rejected',
      `BLS kernel ${name}: the self-test produced a wrong signature; load kernel/tutti_bls_bg.wasm with arithmetic: 'scalar' instead`,
    );
    throw spoilt;
  }
  return arithmetic;
}

/** A kernel in a form that WebAssembly accepts, and the kernel's name for error messages. */
interface ReadKernel {
  readonly name: string;
  readonly given: BufferSource | WebAssembly.Module;
}

async function readKernel(arithmetic: Arithmetic, source: KernelSource | undefined): Promise<ReadKernel> {
  if (source === undefined) return ownKernel(arithmetic);
  if (source === 'inline') return embeddedKernel(arithmetic);
  if (typeof source !== 'string' && !(source instanceof URL)) return { name: 'from the option source', given: source };
  const url = addressOf(source);
  return { name: url.href, given: await readFile(url) };
}

async function embeddedKernel(arithmetic: Arithmetic): Promise<ReadKernel> {
  try {
    return { name: 'in the code', given: await inlined(arithmetic) };
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', 'BLS kernel: the embedded kernel cannot be decoded', { cause });
  }
}

/**
 * Reads the kernel's file next to this module, or the text in the code if the file cannot be read or is not
 * WebAssembly. Some bundlers do not copy files named in the code, and some policies forbid every fetch.
 */
async function ownKernel(arithmetic: Arithmetic): Promise<ReadKernel> {
  try {
    const url = ownAddress(arithmetic);
    const given = await readFile(url);
    if (!isWebAssembly(given))
      throw new BlsLoadError('kernel-missing', `BLS kernel ${url.href}: not a WebAssembly module`);
    return { name: url.href, given };
  } catch (missing) {
    const embedded = await embeddedKernel(arithmetic).catch(() => {
      throw missing;
    });
    console.warn(`${(missing as Error).message}; using the kernel that is embedded in the code instead`);
    return embedded;
  }
}

/** Returns the kernel's address. In a classic script, this module has no address. */
function ownAddress(arithmetic: Arithmetic): URL {
  try {
    return urls[arithmetic]();
  } catch (cause) {
    const line = `BLS kernel ${arithmetic}: this script has no URL from which to load the kernel`;
    throw new BlsLoadError('kernel-missing', line, { cause });
  }
}

/**
 * Returns whether bytes are a WebAssembly module. Some servers answer every request, including that for the kernel,
 * with their HTML page.
 */
function isWebAssembly(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, at) => bytes[at] === byte);
}

function addressOf(address: URL | string): URL {
  try {
    return new URL(address, globalThis.location?.href);
  } catch (cause) {
    throw new BlsLoadError('kernel-missing', `BLS kernel: expected a URL, got ${shownName(address)}`, { cause });
  }
}

/**
 * Reads the kernel's bytes, either from the file system, if the address is a file's and a file system is available, or
 * over the network.
 */
async function readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
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
