import type { ListedEntry, MemberKey } from '@tutti/certificates';
import type { RegistryEntry } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { UsageError } from '../context.ts';
import type { NodeSecrets } from '../nodeKeys.ts';

/** Identity of a node: an entry of the registry, and the secrets that belong to the entry. */
export interface Identity {
  readonly index: number;
  readonly secrets: MemberKey;
}

/**
 * Finds the registry entry to which a key file belongs.
 *
 * @param index index of the requested entry; required if the file contains the secrets of several entries.
 * @param path path of the key file, for errors.
 * @throws EnvironmentError `not-in-registry` or `wrong-key`; UsageError if the index is out of range, or is required
 * but missing.
 */
export function identify(
  bls: Bls,
  entries: readonly ListedEntry[],
  secrets: readonly MemberKey[],
  index: number | undefined,
  path: string,
): Identity {
  if (index !== undefined && index >= entries.length)
    throw new UsageError(`--node: expected an entry of the registry, 0 to ${entries.length - 1}, got ${index}`);
  const places = new Map(entries.map(({ publicKey }, place) => [toHex(publicKey), place]));
  const mine = secrets
    .map((own) => ({ index: places.get(toHex(own.publicKey)), secrets: own }))
    .filter((one): one is Identity => one.index !== undefined && (index === undefined || one.index === index));
  if (mine.length > 1)
    throw new UsageError(
      `--node: ${path} has the secrets of ${mine.length} entries of this registry; choose one with --node`,
    );
  const [own] = mine;
  if (own === undefined) {
    const which = index === undefined ? 'an entry of this registry' : `entry ${index} of this registry`;
    throw new EnvironmentError(
      'not-in-registry',
      `${path}: expected the secrets of ${which}, got none; the registry must contain the public keys of these secrets`,
    );
  }
  requirePair(bls, entries[own.index]!, own.secrets, path);
  return own;
}

/**
 * Checks that secrets belong to a registry entry.
 *
 * @param path path of the key file, for errors.
 * @throws EnvironmentError `wrong-key` if a secret belongs to another key than that of the entry.
 */
export function requirePair(bls: Bls, entry: ListedEntry, secrets: MemberKey, path: string): void {
  requireOwnKey(bls, secrets, path);
  if (toHex(networkKey(nodeCrypto, secrets.networkSecret).publicKey) !== toHex(entry.networkKey))
    throw wrongKey(path, 'networkSecret', 'networkKey');
}

/**
 * Checks that a secret key and a public key belong together.
 *
 * @param path path of the key file, for errors.
 * @throws EnvironmentError `wrong-key` if the secret key does not belong to the public key.
 */
export function requireOwnKey(bls: Bls, { publicKey, secretKey }: MemberKey, path: string): void {
  if (toHex(publicKeyOf(bls, secretKey)) !== toHex(publicKey)) throw wrongKey(path, 'secretKey', 'publicKey');
}

/** Returns the public key for a secret key; empty if the bytes are not a secret key. */
function publicKeyOf(bls: Bls, secretKey: Uint8Array): Uint8Array {
  try {
    return bls.publicKey(secretKey);
  } catch {
    return new Uint8Array(0);
  }
}

function wrongKey(path: string, secret: string, key: string): EnvironmentError {
  return new EnvironmentError(
    'wrong-key',
    `${path}: ${secret} does not belong to the entry's ${key}; the file was changed`,
  );
}

/** Returns the path of the file with the secrets of a registry's nodes, in the registry's folder. */
export function secretsPathOf(registryPath: string): string {
  return `${registryPath.replace(/\.json$/, '')}.secrets.json`;
}

/** Formats the secrets of nodes as JSON, with each node identified by its public key. */
export function formatSecrets(entries: readonly RegistryEntry[], secrets: readonly NodeSecrets[]): string {
  const document = {
    version: 1,
    secrets: secrets.map((own, index) => ({
      publicKey: toHex(entries[index]!.publicKey),
      secretKey: toHex(own.secretKey),
      networkSecret: toHex(own.networkSecret),
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
