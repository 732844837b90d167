import type { Endpoint, RegistryTransport } from '@tutti/core/registry';
import type { Transport } from '@tutti/transports';
import { openTransport } from '@tutti/transports/raw';
import type { SigningKernel } from './joinGroup.ts';

/** What a member opens and loads in Node, where the package's `imports` put this file in the place of `host.ts`. */
export function openNamed(kind: RegistryTransport, { host, port }: Endpoint): Promise<Transport> {
  return openTransport({ kind, host, port });
}

/** No package that this one needs: whoever has a kernel of their own does without. */
const packageOfKernels = '@tutti/wasm-bls';

/** @throws TypeError where the package of the kernels is not installed. */
export async function defaultKernel(): Promise<SigningKernel> {
  const { loadBls }: { loadBls(): Promise<SigningKernel> } = await import(packageOfKernels).catch(() => {
    throw new TypeError(`kernel: expected one, or ${packageOfKernels} to be installed beside @tutti/certificates`);
  });
  return loadBls();
}
