import type { Endpoint, RegistryTransport } from '@tutti/core';
import type { Transport } from '@tutti/transports';
import { openTransport } from '@tutti/transports/node';
import type { SigningKernel } from './joinOptions.ts';

/** Opens a transport in Node. In Node, the package's `imports` replace `host.ts` with this file. */
export function openNamed(kind: RegistryTransport, { host, port }: Endpoint): Promise<Transport> {
  return openTransport({ kind, host, port });
}

/**
 * Name of the optional peer package that contains the kernels. A caller with its own kernel does not need the package.
 */
const packageOfKernels = '@tutti/wasm-bls';

/**
 * Loads the default kernel.
 *
 * @param load imports the kernels' package.
 * @throws TypeError if the kernels' package is not installed; the error of `load` if the package is installed but
 * cannot be loaded.
 */
export async function defaultKernel(
  load: () => Promise<{ loadBls(): Promise<SigningKernel> }> = () => import(packageOfKernels),
): Promise<SigningKernel> {
  const { loadBls } = await load().catch((cause) => {
    if (cause?.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const line = `kernel: expected one, or ${packageOfKernels} to be installed next to @tutti/certificates`;
    throw new TypeError(line, { cause });
  });
  return loadBls();
}
