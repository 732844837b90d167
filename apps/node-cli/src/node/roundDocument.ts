import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatRegistry, type ListedRegistry } from '@tutti/certificates';
import { registryDigest, version } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import type { RoundReport } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { writeKeys } from '../cluster/deliver.ts';
import { messageText } from '../cluster/multiSignature.ts';
import { isRegular, makeFolder, writeWhole } from '../output/files.ts';
import { type PatientOutput, rethrowUnlessFullDisk } from '../output/patientOutput.ts';
import { type NodeLog, nodeLog } from './nodeLog.ts';
import { readRegistryFile } from './registryFile.ts';

const publicKeysFile = 'public-keys.json';
const registryFile = 'registry.json';

/** The multi-signature of one round, in the format that `tutti verify` reads. */
interface RoundDocument {
  readonly version: string;
  /** Digest of the registry, 32 bytes, hexadecimal. */
  readonly registry: string;
  readonly round: number;
  /** Seed for the shuffle of the round, 32 bytes, hexadecimal. */
  readonly seed: string;
  readonly message: string;
  readonly nodes: number;
  readonly signers: number;
  /** Compressed multi-signature, hexadecimal: 96 bytes of G2, or 48 bytes of G1 if the keys are in G2 (`min-sig`). */
  readonly signature: string;
  /** Signers, hexadecimal: bit b & 7 of byte b >> 3 is set if entry b of the registry signed. */
  readonly bitset: string;
  /** Name of the file in the same folder with an array of the registry's public keys, hexadecimal. */
  readonly publicKeys: string;
  /** Name of the file in the same folder with the registry and its proofs of possession. */
  readonly registryFile: string;
}

/**
 * Returns a log that writes the multi-signature of each round into a folder, and writes it again when more members have
 * signed. The log creates the folder, the file of public keys and the registry's file, also again after their deletion.
 *
 * @param digest digest of the registry.
 * @throws EnvironmentError, immediately, `cannot-write` if the folder cannot be written for a reason other than a full
 * disk; `not-a-file` if the name of either file is taken; `file-exists` if the folder contains another registry. Later,
 * the output counts documents that cannot be written.
 */
export function documentLog(
  folder: string,
  digest: Uint8Array,
  registry: ListedRegistry,
  output: PatientOutput,
): NodeLog {
  const { entries, scheme } = registry;
  const keysPath = join(folder, publicKeysFile);
  const registryPath = join(folder, registryFile);
  if (isRegular(registryPath) && !hasDigest(registryPath, digest))
    throw new EnvironmentError(
      'file-exists',
      `${registryPath}: expected the node's own registry, got another file, on which earlier rounds may depend; use another folder`,
    );
  let isRegistryWritten = false;
  const writeRegistry = (): void => {
    if (isRegistryWritten && existsSync(keysPath) && existsSync(registryPath)) return;
    makeFolder(folder);
    writeKeys(
      keysPath,
      entries.map(({ publicKey }) => publicKey),
    );
    writeWhole(registryPath, formatRegistry(entries, scheme, registry));
    isRegistryWritten = true;
  };
  try {
    writeRegistry();
  } catch (error) {
    rethrowUnlessFullDisk(error);
  }
  const write = (report: RoundReport): void => {
    const document = roundDocument(report, digest, entries.length);
    output.attempt(() => {
      writeRegistry();
      writeWhole(join(folder, `round-${report.round}.json`), `${JSON.stringify(document, undefined, 2)}\n`);
    });
  };
  return nodeLog({ onReached: write, onBetter: write });
}

/** Returns whether a file contains the registry with a digest. */
function hasDigest(path: string, digest: Uint8Array): boolean {
  try {
    return toHex(registryDigest(nodeCrypto, readRegistryFile(path))) === toHex(digest);
  } catch {
    return false;
  }
}

function roundDocument(
  { round, seed, message, output }: RoundReport,
  digest: Uint8Array,
  nodes: number,
): RoundDocument {
  const { weight, signature, bits } = output!;
  return {
    version,
    registry: toHex(digest),
    round,
    seed: toHex(seed),
    message: messageText(message),
    nodes,
    signers: weight,
    signature: toHex(signature),
    bitset: toHex(bits),
    publicKeys: publicKeysFile,
    registryFile,
  };
}
