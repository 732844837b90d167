import { WorldError } from '@tutti/core/errors';
import { fromHex, parseJson, toHex } from '@tutti/core/input';
import { blsLengths, networkKeyBytes, type RegistryEntry } from '@tutti/core/registry';
import { secretKeyBytes } from '@tutti/wasm-bls';
import type { NodeSecrets } from '../nodeKeys.ts';

/** A node's secrets, and the public key that they belong to. */
export interface OwnedSecrets extends NodeSecrets {
  readonly publicKey: Uint8Array;
}

/** Returns the path of the secrets of a registry's nodes, in the registry's folder. */
export function secretsPathOf(registryPath: string): string {
  return `${registryPath.replace(/\.json$/, '')}.secrets.json`;
}

/** Formats the secrets of nodes as JSON, by their public keys. */
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

/**
 * Reads what `formatSecrets` wrote. Nothing of a secret gets into an error.
 *
 * @param path for errors.
 * @throws WorldError `not-a-key-file`.
 */
export function parseSecrets(text: string, path: string): OwnedSecrets[] {
  const { version, secrets } = jsonObject(text, path);
  if (version !== 1 || !Array.isArray(secrets) || secrets.length === 0)
    throw notKeys(path, '"version": 1 and a list of "secrets"');
  return secrets.map((own: Record<string, unknown> | null, index) => {
    const bytes = (field: string, length: number): Uint8Array => {
      const read = fromHex(own?.[field], length);
      if (read !== undefined) return read;
      throw notKeys(path, `${2 * length} hexadecimal digits as "${field}" of secret ${index}`);
    };
    const ofMinSig = fromHex(own?.publicKey, blsLengths['min-sig'].publicKey);
    return {
      publicKey: ofMinSig ?? bytes('publicKey', blsLengths['min-pk'].publicKey),
      secretKey: bytes('secretKey', secretKeyBytes),
      networkSecret: bytes('networkSecret', networkKeyBytes),
    };
  });
}

function jsonObject(text: string, path: string): Record<string, unknown> {
  try {
    const document: unknown = parseJson(text);
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
  } catch {
    // The parser's message quotes the text, and the text is secret.
  }
  throw notKeys(path, 'a JSON object');
}

function notKeys(path: string, expected: string): WorldError {
  return new WorldError(
    'not-a-key-file',
    `${path}: expected ${expected}; give a file that 'tutti registry keygen' wrote`,
  );
}
