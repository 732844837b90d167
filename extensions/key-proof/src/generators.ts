import { type G1Group, joinBytes, misuse, requireMethods, shown, uint32Bytes } from '@tutti/wasm-bls/kernel';

/** Domain separation tag under which the generators are hashed to the curve (RFC 9380, section 3.1). */
export const generatorDomain = 'TUTTI-PROOF-GENERATORS-V02_BLS12381G1_XMD:SHA-256_SSWU_RO_';

/** Points without a known linear relation, so that a commitment over them has one opening. */
export interface Generators {
  readonly domain: string;
  /** Number of positions, a power of two. */
  readonly count: number;
  /** Generators of the multiplicities: `count` uncompressed points of 96 bytes. */
  readonly points: Uint8Array;
  /** Generators of the inverses: the same number of points. */
  readonly inverses: Uint8Array;
  /** Generator of the inner product: one point. */
  readonly product: Uint8Array;
}

/**
 * Hashes the numbers 0, 1, ... to points of the curve. Number 0 gives the generator of the inner product; the following
 * numbers give two generators per position. A verifier must create its own generators, because another party's
 * generators may have a known relation.
 *
 * @param keys number of keys, at least 1; the number of positions is the next power of two.
 * @param domain domain of the generators, 1 to 255 bytes in UTF-8; a proof under one domain is not valid under another.
 * @throws RangeError for an invalid number of keys, or a domain of another length.
 */
export function hashGenerators(group: G1Group, keys: number, domain: string = generatorDomain): Generators {
  requireMethods('group', group, ['hash']);
  if (!Number.isSafeInteger(keys) || keys < 1) throw misuse(RangeError, 'keys', 'an integer of 1 or more', shown(keys));
  const tag = new TextEncoder().encode(domain);
  const count = 2 ** Math.ceil(Math.log2(keys));
  const hashed = (from: number): Uint8Array =>
    joinBytes(Array.from({ length: count }, (_, i) => group.hash(uint32Bytes(from + 2 * i), tag)));
  return { domain, count, points: hashed(1), inverses: hashed(2), product: group.hash(uint32Bytes(0), tag) };
}
