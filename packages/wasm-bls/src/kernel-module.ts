import { initSync } from '../kernel/tutti_bls.js';
import { BlsLoadError } from './load-error.ts';

/** The kernel lies beside src/ and dist/ alike, so one address serves both; bundlers read this very expression. */
const kernelUrl = (): URL => new URL('../kernel/tutti_bls_bg.wasm', import.meta.url);

let started: Promise<void> | undefined;

/**
 * Compiles and starts the kernel once for this thread; a failure is forgotten, so that a later call tries again.
 *
 * @throws BlsLoadError with the code `kernel-missing` or `kernel-rejected`, and the cause.
 */
export function startKernel(): Promise<void> {
  started ??= start().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function start(): Promise<void> {
  const url = kernelUrl();
  const bytes = await readKernel(url);
  try {
    initSync({ module: await WebAssembly.compile(bytes) });
  } catch (cause) {
    throw new BlsLoadError('kernel-rejected', `BLS kernel ${url.href}: this runtime does not run it`, { cause });
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
