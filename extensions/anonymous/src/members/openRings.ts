import { EnvironmentError } from '@tutti/core/input';
import { maxMembers } from '../ring/ring.ts';
import { decodeRing, linkable, type Ring, type RingScheme, sharedTags, traceable } from '../ring.ts';
import type { SetupRings } from '../runtime.ts';

export const ringSchemes = { linkable, traceable } as const satisfies Record<string, RingScheme>;
export type RingSchemeName = keyof typeof ringSchemes;
export const ringSchemeNames = Object.keys(ringSchemes) as RingSchemeName[];

/**
 * Opens a ring of keys received from another party.
 *
 * @param label description of the keys, for the error message.
 * @throws EnvironmentError `bad-ring`.
 */
export function openRing(keys: readonly Uint8Array[], label: string): Ring {
  const read = decodeRing(keys);
  if (read.ok) return read.ring;
  const got = read.code === 'size' ? `${read.index} keys` : `an invalid key (${read.code}) at index ${read.index}`;
  throw new EnvironmentError(
    'bad-ring',
    `${label}: expected 1 to ${maxMembers} different identity keys, got ${got}; use the list on which the members agreed`,
  );
}

/**
 * Opens the rings of a set-up, with which its registrations are verified.
 *
 * @param parts indices of the members of each ring.
 * @param keys keys of the members, 32 bytes each.
 * @throws EnvironmentError `bad-ring`.
 */
export function openRings(
  scheme: RingScheme,
  parts: readonly (readonly number[])[],
  keys: readonly Uint8Array[],
  event: Uint8Array,
): SetupRings & { readonly rings: readonly Ring[] } {
  const keysOf = (part: readonly number[]) => part.map((member) => keys[member]!);
  const rings = parts.map((part, i) => openRing(keysOf(part), `ring ${i}`));
  return {
    rings,
    members: keys.length,
    signatureBytes: rings.map((ring) => scheme.signatureBytes(ring.size)),
    verify(ring, message, signature) {
      const verified = scheme.verify(rings[ring]!, event, message, signature);
      return verified.ok ? verified.mark : undefined;
    },
    claimed: (ring, message, signature) => scheme.claimed(rings[ring]!, event, message, signature),
    relate(ring, a, b) {
      const relation = scheme.relate(a, b);
      if (relation.kind === 'independent') return relation;
      const shared = sharedTags(a, b);
      if (relation.kind === 'repeated') return { kind: 'repeated', shared };
      const { signer } = relation;
      return { kind: 'double', shared, author: signer === undefined ? undefined : parts[ring]![signer] };
    },
  };
}
