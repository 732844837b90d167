import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRegistry, type ListedEntry } from '@tutti/certificates';
import type { Bls } from '@tutti/wasm-bls';
import { formatSecrets } from '../apps/node-cli/src/node/identity.ts';
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

/** Writes `NAME.json`, the registry of the entries, and `NAME.INDEX.key`, the secrets of each node, to a folder. */
export function writeMembers(
  folder: string,
  name: string,
  { entries, secrets }: Awaited<ReturnType<typeof insecureEntries>>,
): { readonly registry: string; readonly keys: string[] } {
  const registry = join(folder, `${name}.json`);
  writeFileSync(registry, formatRegistry(entries));
  const keys = entries.map((entry, index) => {
    const path = join(folder, `${name}.${index}.key`);
    writeFileSync(path, formatSecrets([entry], [secrets[index]!]), { mode: 0o600 });
    return path;
  });
  return { registry, keys };
}
