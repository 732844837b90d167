import { formatRegistry, type ListedEntry } from '@tutti/certificates';
import type { Bls, Variant } from '@tutti/wasm-bls';
import { breathe, type Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { type NodeSecrets, registryEntry } from '../nodeKeys.ts';
import { requireNamed, writeWhole } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { type AddressOptions, addressOf, requireAddresses } from './addressFlags.ts';
import { formatSecrets, secretsPathOf } from './secretsFile.ts';

export interface NewRegistry extends AddressOptions {
  readonly count: number;
  /** Variant, which determines the group of the keys. Default: `min-pk`. */
  readonly variant?: Variant;
  /** Path of the registry; its secrets are written to the same folder. */
  readonly out: string;
  /** True if existing files may be replaced. */
  readonly force?: boolean;
}

/**
 * Generates the keys of nodes, and writes their registry and their secrets. Only the owner can read the secrets.
 *
 * @param secretsOf returns the secrets of the node with that index.
 * @returns the path of the secrets.
 * @throws UsageError for impossible addresses; WorldError `file-exists`, `no-such-folder` or `cannot-write`;
 * Interrupted.
 */
export async function makeRegistry(
  wanted: NewRegistry,
  secretsOf: (bls: Bls, index: number) => NodeSecrets,
  context: Context,
): Promise<string> {
  const { count, out, force } = wanted;
  const secretsPath = secretsPathOf(out);
  requireAddresses(wanted, count);
  for (const path of [out, secretsPath]) requireNamed(path, force);

  const bls = await loadKernel(wanted.variant);
  const progress = new Progress(context);
  const entries: ListedEntry[] = [];
  const secrets: NodeSecrets[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const own = secretsOf(bls, index);
      const { transport, endpoint } = addressOf(wanted, index);
      secrets.push(own);
      entries.push({ ...registryEntry(bls, own, endpoint), transport });
      progress.count('making keys', index + 1, count, 'nodes');
      await breathe(context);
    }
  } finally {
    progress.done();
  }
  // Secrets are written first, because a registry without secrets is useless.
  writeWhole(secretsPath, formatSecrets(entries, secrets), 0o600);
  writeWhole(out, formatRegistry(entries));
  return secretsPath;
}

export function nodesOf(count: number): string {
  return counted(count, 'node');
}
