import type { Endpoint, RegistryTransport } from '@tutti/core';
import type { Transport } from '@tutti/transports';
import type { SigningKernel } from './joinOptions.ts';

/** Rejects, because there are no sockets outside Node. In Node, `host.node.ts` replaces this file. */
export async function openNamed(kind: RegistryTransport, _at: Endpoint): Promise<Transport> {
  throw new TypeError(
    `transport: expected a Transport outside Node, got the name '${kind}'; open one with @tutti/transports`,
  );
}

/** Rejects, because a caller outside Node must pass a kernel. In Node, `host.node.ts` replaces this file. */
export async function defaultKernel(): Promise<SigningKernel> {
  throw new TypeError('kernel: expected `await loadBls()` of @tutti/wasm-bls, got undefined');
}
