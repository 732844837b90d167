import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { shuffle } from '@tutti/core';
import { toHex, WorldError } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';
import { grouped, spreadTable } from '../output/tables.ts';
import type { ClusterDocument } from './document.ts';
import { isValid } from './multiSignature.ts';
import type { ClusterOutcome, ReadyCluster } from './runCluster.ts';

/**
 * The public keys in the order of the heaviest output's bits, once noble-curves has confirmed its signature.
 *
 * @throws WorldError `invalid-signature`.
 */
export async function confirmedKeys(
  { entries, heaviest }: ClusterOutcome,
  message: Uint8Array,
  seed: number,
): Promise<readonly Uint8Array[]> {
  const publicKeys = Array.from(shuffle(entries.length, seed), (index) => entries[index]!.publicKey);
  const noble = await loadBls({ kernel: 'noble' });
  if (isValid(noble, { message, publicKeys, bits: heaviest.bits, signature: heaviest.signature })) return publicKeys;
  throw new WorldError(
    'invalid-signature',
    'the multi-signature does not verify under noble-curves; this is a fault of tutti or of its kernel',
  );
}

/**
 * Where the files go: `--json` alone needs a place for the keys, or its document could not be verified.
 *
 * @param name of the document in a directory.
 */
export function outputPaths(
  out: string | undefined,
  json: boolean,
  name: string,
): { document?: string; publicKeys: string } | undefined {
  if (out !== undefined) {
    const isDirectory = statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
    const document = resolve(isDirectory ? join(out, name) : out);
    return { document, publicKeys: `${document.replace(/\.json$/, '')}.public-keys.json` };
  }
  return json ? { publicKeys: join(mkdtempSync(join(tmpdir(), 'tutti-')), 'public-keys.json') } : undefined;
}

/** What `--ports-file` gets. */
export function portsText({ endpoints, session, processes }: ReadyCluster): string {
  return `${JSON.stringify({ session: toHex(session), nodes: endpoints, processes })}\n`;
}

/** What was measured, over the nodes. */
export function measuredTable(document: ClusterDocument): string {
  return spreadTable([
    ['time to threshold, ms', document.timeToThresholdMs, 1],
    ['messages sent', document.messagesSent],
    ['messages received', document.messagesReceived],
    ['bytes sent', document.bytesSent],
    ['bytes received', document.bytesReceived],
    ['contributions checked', document.checked],
  ]);
}

/** What came of it. */
export function outcomeRows(document: ClusterDocument): (readonly [string, string])[] {
  const refusals = Object.entries(document.refused).map(([code, count]) => `${grouped(count)} ${code}`);
  return [
    ['refused', refusals.length === 0 ? 'nothing' : refusals.join(', ')],
    [
      'took',
      `${grouped(document.wallSeconds, 2)} s, of the processors ${grouped(document.cpuSeconds, 2)} s to the threshold`,
    ],
    ['message', JSON.stringify(document.message)],
    ['signed by', `${grouped(document.signers)} of ${grouped(document.nodes)}, as noble-curves confirms`],
    ['bitset', document.bitset],
    ['signature', document.signature],
    ...(document.publicKeys === null ? [] : [['public keys', document.publicKeys] as const]),
  ];
}
