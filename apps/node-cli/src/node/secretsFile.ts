import type { RegistryEntry } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import type { NodeSecrets } from '../nodeKeys.ts';

export { type MemberKey as OwnedSecrets, memberKeys as parseSecrets } from '@tutti/certificates';

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
