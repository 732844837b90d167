import { availableParallelism } from 'node:os';
import { formatRegistry, type ListedEntry, type ListedRegistry, readRegistry } from '@tutti/certificates';
import { blsVariantOf, verifyEntry } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import type { Bls, Variant } from '@tutti/wasm-bls';
import { breathe, type Context } from '../context.ts';
import { kernelName, loadKernel } from '../kernel.ts';
import { type NodeSecrets, registryEntry } from '../nodeKeys.ts';
import { readNamed, readWhole, requireNamed, writeWhole } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { type AddressOptions, requireAddresses } from './addressFlags.ts';
import type { EntriesAnswer, EntriesTask } from './entriesThread.ts';
import { formatSecrets, secretsPathOf } from './identity.ts';

/**
 * Number of entries that a thread checks in one step: about 300 ms of work, so that the command can show progress and
 * react to Ctrl-C.
 */
const entriesAtATime = 32;

/**
 * Reads a registry and checks all of its entries. Checking an entry takes four pairings, 9 ms on one core (measured:
 * 1,000 entries, 9.0 s of CPU time), so the function uses several cores for more than {@link entriesAtATime} entries.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8`, `run-failed`, or a code that begins with `registry-`;
 * Interrupted.
 */
export async function loadRegistry(path: string, context: Context): Promise<ListedRegistry> {
  return verified(path, readRegistryFile(path), context);
}

/**
 * Reads a registry as {@link loadRegistry} does, but from a file that a document names. The document may name any file,
 * so the error for a file that is not a valid registry does not quote the file's content.
 *
 * @throws EnvironmentError `registry-path-invalid` for a file that is not a valid registry; errors of `readNamed`;
 * EnvironmentError for the first invalid entry found, or `run-failed`; Interrupted.
 */
export async function loadNamedRegistry(path: string, context: Context): Promise<ListedRegistry> {
  const text = readNamed(path);
  let registry: ListedRegistry;
  try {
    registry = readRegistry(text);
  } catch {
    throw new EnvironmentError(
      'registry-path-invalid',
      `${path}: expected the valid registry that the document names, got an invalid one; use --registry with that file to see the reason`,
    );
  }
  return verified(path, registry, context);
}

async function verified(path: string, registry: ListedRegistry, context: Context): Promise<ListedRegistry> {
  await verifyEntries(registry.entries, context).catch((error: unknown) => rethrowWithPath(path, error));
  return registry;
}

/**
 * Reads a registry file without checking the proofs of its entries.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8`, or a code that begins with `registry-`.
 */
export function readRegistryFile(path: string): ListedRegistry {
  try {
    return readRegistry(readWhole(path));
  } catch (error) {
    return rethrowWithPath(path, error);
  }
}

/**
 * Rethrows an error; if the error is about the content of the file, prefixes its message with the path of the file.
 *
 * @param codes beginning of the codes of errors about the content.
 */
export function rethrowWithPath(path: string, error: unknown, codes = 'registry-'): never {
  if (!(error instanceof EnvironmentError) || !error.code.startsWith(codes)) throw error;
  throw new EnvironmentError(error.code, `${path}: ${error.message}`, { cause: error });
}

/**
 * Verifies the entries of a registry.
 *
 * @throws EnvironmentError for the first invalid entry found, or `run-failed`; Interrupted.
 */
export async function verifyEntries(entries: readonly ListedEntry[], context: Context): Promise<void> {
  if (entries.length > entriesAtATime) return verifyOnAllCores(entries, context);
  const bls = await loadKernel(blsVariantOf(entries));
  for (const [index, entry] of entries.entries()) verifyEntry(entry, index, bls);
}

async function verifyOnAllCores(entries: readonly ListedEntry[], context: Context): Promise<void> {
  const kernel = kernelName(blsVariantOf(entries) === 'min-pk');
  const threads = Math.min(availableParallelism(), Math.ceil(entries.length / entriesAtATime));
  const pool = new ThreadPool<EntriesTask, EntriesAnswer>(
    threads,
    new URL('./entriesThread.js', import.meta.url),
    ({ first }) => `registry entries from ${first} on`,
  );
  const progress = new Progress(context);
  let checked = 0;
  try {
    await pool.during(context.signal, () =>
      Promise.all(
        partsOf(entries).map(async ({ first, entries: some }) => {
          const refusal = await pool.run({ first, entries: some, kernel });
          if (refusal !== undefined) throw new EnvironmentError(refusal.code, refusal.message);
          checked += some.length;
          progress.count('checking the registry', checked, entries.length, 'entries');
        }),
      ),
    );
  } finally {
    progress.done();
  }
}

/** Splits entries into parts of at most {@link entriesAtATime}. */
function partsOf(entries: readonly ListedEntry[]): { first: number; entries: readonly ListedEntry[] }[] {
  return Array.from({ length: Math.ceil(entries.length / entriesAtATime) }, (_, k) => {
    const first = k * entriesAtATime;
    return { first, entries: entries.slice(first, first + entriesAtATime) };
  });
}

/** Settings of a new registry. */
export interface NewRegistry extends AddressOptions {
  readonly count: number;
  /** Variant of BLS, which determines the group of the keys. Default: `min-pk`. */
  readonly variant?: Variant;
  /** Path of the registry; the secrets are written to the same folder. */
  readonly out: string;
  /** True if existing files may be replaced. */
  readonly force?: boolean;
}

/**
 * Generates keys for nodes, and writes the registry and the secrets of these nodes. Only the owner of the file can read
 * the secrets.
 *
 * @param secretsOf returns the secrets of the node with the given index.
 * @returns the path of the file with the secrets.
 * @throws UsageError for addresses that are not possible; EnvironmentError `file-exists`, `no-such-folder`,
 * `not-a-file` or `cannot-write`; Interrupted.
 */
export async function makeRegistry(
  wanted: NewRegistry,
  secretsOf: (bls: Bls, index: number) => NodeSecrets,
  context: Context,
): Promise<string> {
  const { count, out, force, transport, host, port } = wanted;
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
      secrets.push(own);
      entries.push({ ...registryEntry(bls, own, { host, port: port + index }), transport });
      progress.count('making keys', index + 1, count, 'nodes');
      await breathe(context);
    }
  } finally {
    progress.done();
  }
  // The function writes the secrets first, because a registry without the secrets is useless.
  writeWhole(secretsPath, formatSecrets(entries, secrets), 0o600);
  writeWhole(out, formatRegistry(entries));
  return secretsPath;
}
