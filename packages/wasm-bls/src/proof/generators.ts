import { misuse, shown } from '../arguments.ts';
import { type G1Group, joinBytes } from './group.ts';
import { uint32Bytes } from './transcript.ts';

/** Domain separation tag under which the generators are hashed to the curve (RFC 9380, section 3.1). */
export const GENERATOR_DOMAIN = 'TUTTI-PROOF-GENERATORS-V01_BLS12381G1_XMD:SHA-256_SSWU_RO_';

/** Points of which nobody knows how one is a combination of others, so that a commitment over them has one opening. */
export interface Generators {
  readonly domain: string;
  readonly count: number;
  /** 96 bytes each, uncompressed. */
  readonly points: Uint8Array;
}

/**
 * Hashes the numbers 0, 1, ... to the curve. Whoever verifies makes them himself: handed ones may hide a known relation.
 *
 * @param count how many, at least 1: one for each key.
 * @param domain of these generators, 1 to 255 bytes in UTF-8; a proof under one domain is none under another.
 */
export function hashGenerators(group: G1Group, count: number, domain: string = GENERATOR_DOMAIN): Generators {
  if (!Number.isSafeInteger(count) || count < 1)
    throw misuse(RangeError, 'count', 'an integer of 1 or more', shown(count));
  const tag = new TextEncoder().encode(domain);
  const points = Array.from({ length: count }, (_, i) => group.hash(uint32Bytes(i), tag));
  return { domain, count, points: joinBytes(points) };
}
