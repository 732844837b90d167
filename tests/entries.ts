import type { ListedEntry } from '@tutti/certificates';
import type { Bls } from '@tutti/wasm-bls';
import { insecureSecrets, registryEntry } from '../apps/node-cli/src/nodeKeys.ts';
import { freePorts } from './freePorts.ts';

/** Returns registry entries for nodes on free ports of this machine, and the secrets of each node. */
export async function insecureEntries(bls: Bls, nodes: number) {
  const ports = await freePorts(nodes);
  const secrets = ports.map((_, index) => insecureSecrets(bls, 1, index));
  const entries = ports.map(
    (port, index): ListedEntry => ({
      ...registryEntry(bls, secrets[index]!, { host: '127.0.0.1', port }),
      transport: 'udp',
    }),
  );
  return { secrets, entries };
}
