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

/** Loads the default kernel. @throws TypeError if the kernels' package is not installed. */
export async function defaultKernel(): Promise<SigningKernel> {
  const { loadBls }: { loadBls(): Promise<SigningKernel> } = await import(packageOfKernels).catch(() => {
    throw new TypeError(`kernel: expected one, or ${packageOfKernels} to be installed next to @tutti/certificates`);
  });
  return loadBls();
}
