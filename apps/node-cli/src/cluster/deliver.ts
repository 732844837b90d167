import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatRegistry, type RegistryScheme } from '@tutti/certificates';
import { blsVariantOf } from '@tutti/core';
import { toHex, WorldError } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { writeWhole } from '../output/files.ts';
import type { KeyFiles } from './document.ts';
import type { ClusterOutcome } from './roundOutcome.ts';
import type { ReadyCluster } from './runCluster.ts';

/** Destination, form and content of the result of a cluster. */
export interface Delivery<D extends object> {
  /**
   * Path of the document; the file with the public keys is written next to the document. In a directory, the file name
   * is `NAME.json`.
   */
  readonly out: string | undefined;
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
 * Prints the result of a cluster, and writes it to a file if requested, after noble-curves has verified every
 * signature.
 *
 * @throws WorldError `invalid-signature`, in which case nothing is printed or written; `cannot-write`.
 */
export async function deliver<D extends object>(
  outcome: Pick<ClusterOutcome, 'entries' | 'rounds'>,
  { out, name, json, startedMs, scheme = 'bls', confirm = confirmBls, document: documentOf, summary }: Delivery<D>,
  context: Context,
): Promise<void> {
  await confirm(outcome);
  const paths = outputPaths(out, name);
  if (paths !== undefined) {
    const publicKeys = outcome.entries.map(({ publicKey }) => toHex(publicKey));
    writeWhole(paths.publicKeys, `${JSON.stringify(publicKeys, undefined, 1)}\n`);
    writeWhole(
      paths.registry,
      formatRegistry(
        outcome.entries.map((entry) => ({ transport: 'udp', ...entry })),
        scheme,
      ),
    );
  }
  const wallSeconds = Math.round(performance.now() - startedMs) / 1000;
  const document = documentOf(paths, wallSeconds);
  if (paths !== undefined) writeWhole(paths.document, `${JSON.stringify(document, undefined, 2)}\n`);
  context.out(json ? `${JSON.stringify(document)}\n` : summary(document));
}

/**
 * Verifies the signatures of all rounds with noble-curves. The function decodes and checks the keys once for all
 * rounds.
 */
async function confirmBls({ entries, rounds }: Pick<ClusterOutcome, 'entries' | 'rounds'>): Promise<void> {
  const noble = await loadBls({ engine: 'noble', variant: blsVariantOf(entries) });
  const points = entries.map(({ publicKey }) => {
    const key = noble.validatePublicKey(publicKey);
    if (key.ok) return key.point;
    throw signatureFault('a public key is not valid');
  });
  for (const { plan, output } of rounds) {
    const round = noble.round(points, plan.message);
    if (!round.verify(0, output.bits, output.signature)) throw signatureFault('the multi-signature does not verify');
    round.free();
  }
}

/** Returns the error for an invalid signature in the run. */
export function signatureFault(what: string, library = 'noble-curves'): WorldError {
  return new WorldError('invalid-signature', `${what} under ${library}; this is a bug in tutti or in its kernel`);
}

/**
 * Returns the paths of the files that `--out` selects; undefined without `--out`.
 *
 * @param name name of the document if `--out` is a directory.
 */
export function outputPaths(
  out: string | undefined,
  name: string,
): (KeyFiles & { readonly document: string }) | undefined {
  if (out === undefined) return undefined;
  const isDirectory = statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const document = resolve(isDirectory ? join(out, name) : out);
  const stem = document.replace(/\.json$/, '');
  return { document, publicKeys: `${stem}.public-keys.json`, registry: `${stem}.registry.json` };
}

/** Returns the content of the file that `--ports-file` names. */
export function portsText({ endpoints, session, processes }: ReadyCluster): string {
  return `${JSON.stringify({ session: toHex(session), nodes: endpoints, processes })}\n`;
}
