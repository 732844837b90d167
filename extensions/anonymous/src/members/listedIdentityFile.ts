import type { ListedEntry } from '@tutti/certificates';
import { blsPublicKeyBytes, blsSignatureBytes } from '@tutti/core';
import { EnvironmentError, fromHex, toHex } from '@tutti/core/input';
import { counted, readWhole } from '@tutti/node-cli/command';
import { fieldsOf } from './json.ts';
import type { ListedIdentity } from './listedIdentity.ts';

const identityKeyBytes = 32;
const proofBytes = 96;

/** Returns the public part of a member's identity as JSON, under the member's BLS key in the registry. */
export function formatListed(member: Uint8Array, { publicKey, proof, binding }: ListedIdentity): string {
  const document = {
    ...{ version: 1, kind: 'listed identity', member: toHex(member) },
    ...{ publicKey: toHex(publicKey), proof: toHex(proof), binding: toHex(binding) },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Reads the identities of a registry's members, one file per member, in the order of the registry. Reading does not
 * verify the signatures of the identities.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8` or `bad-identity`.
 */
export function readListed(paths: readonly string[], entries: readonly ListedEntry[]): ListedIdentity[] {
  const places = new Map(entries.map(({ publicKey }, place) => [toHex(publicKey), place]));
  const listed = new Map<number, ListedIdentity>();
  for (const path of paths) {
    const { member, identity } = parseListed(readWhole(path), path);
    const place = places.get(toHex(member));
    if (place === undefined)
      throw new EnvironmentError(
        'bad-identity',
        `${path}: expected the identity of a member of the registry, got another's`,
      );
    if (listed.has(place))
      throw new EnvironmentError(
        'bad-identity',
        `${path}: expected one identity of each member, got another of member ${place}`,
      );
    listed.set(place, identity);
  }
  return entries.map((_, place) => {
    const identity = listed.get(place);
    if (identity !== undefined) return identity;
    throw new EnvironmentError(
      'bad-identity',
      `--identities: expected a file of each of the ${counted(entries.length, 'member')}, got none of member ${place}; 'tutti anonymous enlist' makes it`,
    );
  });
}

function parseListed(text: string, path: string): { readonly member: Uint8Array; readonly identity: ListedIdentity } {
  const { version, kind, ...fields } = fieldsOf(text);
  const bytes = (field: string, length: number): Uint8Array => {
    const read = fromHex(fields[field], length);
    if (read !== undefined) return read;
    throw new EnvironmentError(
      'bad-identity',
      `${path}: expected ${2 * length} hexadecimal digits as "${field}"; use a file that 'tutti anonymous enlist' wrote`,
    );
  };
  if (version !== 1 || kind !== 'listed identity')
    throw new EnvironmentError(
      'bad-identity',
      `${path}: expected a listed identity of version 1; use a file that 'tutti anonymous enlist' wrote`,
    );
  return {
    member: bytes('member', blsPublicKeyBytes),
    identity: {
      publicKey: bytes('publicKey', identityKeyBytes),
      proof: bytes('proof', proofBytes),
      binding: bytes('binding', blsSignatureBytes),
    },
  };
}
