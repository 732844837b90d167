import { join, resolve } from 'node:path';
import { formatRegistry, type RegistryScheme } from '@tutti/certificates';
import { blsVariantOf } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { isFolder, requireNamed, writeWhole } from '../output/files.ts';
import { secondsSince } from '../output/progress.ts';
import type { KeyFiles } from './document.ts';
import type { ClusterOutcome } from './roundOutcome.ts';
import type { ReadyCluster } from './runCluster.ts';

/** Destination, form and content of the result of a cluster. */
export interface Delivery<D extends object> {
  /** Path of the document, or of the folder for it; the files with the keys are written next to the document. */
  readonly out: string | undefined;
  /** Name of the document if `out` is a folder, for example `cluster.json`. */
  readonly name: string;
  /** True to print the document, false to print its `summary`. */
  readonly json: boolean;
  /** Signature scheme of the registry. Default: BLS. */
  readonly scheme?: RegistryScheme;
  /** Verifies every signature of the result. Default: noble-curves, for BLS. */
  readonly confirm?: (outcome: Pick<ClusterOutcome, 'entries' | 'rounds'>) => Promise<void>;
  /** Time at which the command began, as measured by `performance.now()`. */
  readonly startedMs: number;
  readonly document: (keys: KeyFiles | undefined, wallSeconds: number) => D;
  readonly summary: (document: D) => string;
}

/**
 * Prints the result of a cluster, and writes it to files if requested, after `confirm` has verified every signature.
 *
 * @throws EnvironmentError `invalid-signature`, in which case nothing is printed or written; `cannot-write`.
 */
export async function deliver<D extends object>(
  outcome: Pick<ClusterOutcome, 'entries' | 'rounds'>,
  { out, name, json, startedMs, scheme = 'bls', confirm = confirmBls, document: documentOf, summary }: Delivery<D>,
  context: Context,
): Promise<void> {
  await confirm(outcome);
  const paths = outputPaths(out, name);
  if (paths !== undefined) {
    const publicKeys = outcome.entries.map(({ publicKey }) => publicKey);
    writeKeys(paths.publicKeys, publicKeys);
    const entries = outcome.entries.map((entry) => ({ transport: 'udp' as const, ...entry }));
    writeWhole(paths.registry, formatRegistry(entries, scheme));
  }
  writeAndPrint(documentOf(paths, secondsSince(startedMs)), paths, json ? undefined : summary, context);
}

/** Writes public keys to a file, as a JSON array of hexadecimal texts. */
export function writeKeys(path: string, keys: readonly Uint8Array[]): void {
  const texts = keys.map((key) => toHex(key));
  writeWhole(path, `${JSON.stringify(texts, undefined, 1)}\n`);
}

/**
 * Writes a document to a file if paths are given, and prints it.
 *
 * @param summary function that returns the text to print; undefined to print the document itself.
 */
export function writeAndPrint<D extends object>(
  document: D,
  paths: OutputPaths | undefined,
  summary: ((document: D) => string) | undefined,
  context: Context,
): void {
  if (paths !== undefined) writeWhole(paths.document, `${JSON.stringify(document, undefined, 2)}\n`);
  context.out(summary === undefined ? `${JSON.stringify(document)}\n` : summary(document));
}

/** Verifies the signatures of all rounds with noble-curves. The keys are decoded and checked once for all rounds. */
async function confirmBls({ entries, rounds }: Pick<ClusterOutcome, 'entries' | 'rounds'>): Promise<void> {
  const noble = await loadBls({ engine: 'noble', variant: blsVariantOf(entries) });
  const points = entries.map(({ publicKey }) => {
    const key = noble.validatePublicKey(publicKey);
    if (key.ok) return key.point;
    throw signatureFault('a public key');
  });
  for (const { plan, output } of rounds) {
    const round = noble.round(points, plan.message);
    try {
      if (!round.verify(0, output.bits, output.signature)) throw signatureFault('the multi-signature');
    } finally {
      round.free();
    }
  }
}

/** Returns the error for an invalid signature or key in the run. @param what the invalid value as a noun phrase. */
export function signatureFault(what: string, library = 'noble-curves'): EnvironmentError {
  return new EnvironmentError(
    'invalid-signature',
    `${what} is invalid under ${library}; this is a bug in tutti or in its kernel`,
  );
}

/** Paths of the files that `--out` selects. */
interface OutputPaths extends KeyFiles {
  readonly document: string;
}

/**
 * Returns the paths of the files that `--out` selects; undefined without `--out`.
 *
 * @param name name of the document if `--out` is a folder.
 */
export function outputPaths(out: string | undefined, name: string): OutputPaths | undefined {
  if (out === undefined) return undefined;
  const document = resolve(isFolder(out) ? join(out, name) : out);
  const stem = document.replace(/\.json$/, '');
  return { document, publicKeys: `${stem}.public-keys.json`, registry: `${stem}.registry.json` };
}

/**
 * Checks before a run that its files can be written, that they differ, and that they replace existing files only if the
 * user requested it.
 *
 * @param name name of the document if `--out` is a folder.
 * @param keysOf returns the paths of the files with keys. Default: the public keys and the registry.
 * @throws errors of {@link requireNamed}.
 */
export function requireOutputs(
  { out, portsFile, force }: { readonly out?: string; readonly portsFile?: string; readonly force?: boolean },
  name: string,
  keysOf = ({ publicKeys, registry }: KeyFiles): readonly string[] => [publicKeys, registry],
): void {
  if (out !== undefined) requireNamed(out, force, name);
  const paths = outputPaths(out, name);
  for (const path of paths === undefined ? [] : keysOf(paths)) requireNamed(path, force);
  if (portsFile !== undefined) requireNamed(portsFile, force);
}

/** Returns the content of the file that `--ports-file` names. */
export function portsText({ endpoints, session, processes }: ReadyCluster): string {
  return `${JSON.stringify({ session: toHex(session), nodes: endpoints, processes })}\n`;
}
