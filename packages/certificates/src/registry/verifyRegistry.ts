import {
  canonicalNetworkKey,
  type ProvenEntry,
  type RegistryEntry,
  type RegistryTerms,
  type RegistryVerifier,
  registryParts,
  verifyEntry,
} from '@tutti/core';
import { EnvironmentError, requireArray, requireBytesIn, toHex } from '@tutti/core/input';

/** Maximum number of registry entries: about a million, the protocol's target number of nodes. */
export const maxEntries = 2 ** 20;

/** Keys of an entry that no other entry of the registry may share. */
export type Keys = Pick<RegistryEntry, 'publicKey' | 'networkKey'>;

/** Two entries that share a key, or whose BLS keys are negatives: the index of the later entry, and of the first one. */
export interface SharedKey {
  readonly index: number;
  readonly earlier: number;
  readonly what: keyof Keys;
  /** The later entry's key, hexadecimal; a network key in the form in which X25519 reads it. */
  readonly value: string;
}

/**
 * Returns the duplicate keys of a registry, according to the rule that applies to creating and to reading a registry.
 * No two entries may have the same BLS key or the same network key. No BLS key may be the negative of another: the sum
 * of signatures by both keys could be the point at infinity, which no verifier accepts, although both members are
 * honest. Network keys are compared in the form in which X25519 reads them.
 *
 * Addresses are not keys, and entries may share an address. No member can prove that it owns an address. An address may
 * change without a new registry. A node that receives a packet for another node's network key cannot decrypt the
 * packet.
 */
export function sharedKeys(entries: readonly Keys[]): SharedKey[] {
  const first = new Map<string, number>();
  const shared: SharedKey[] = [];
  for (const [index, { publicKey, networkKey }] of entries.entries()) {
    const canonical = toHex(canonicalNetworkKey(networkKey));
    for (const [what, key, value] of [
      ['publicKey', toHex(unsigned(publicKey)), toHex(publicKey)],
      ['networkKey', canonical, canonical],
    ] as const) {
      const earlier = first.get(`${what} ${key}`);
      if (earlier === undefined) first.set(`${what} ${key}`, index);
      else shared.push({ index, earlier, what, value });
    }
  }
  return shared;
}

/**
 * Length of a compressed point of G1, which is half the length of a point of G2, bytes. In Pixel's keys the suite
 * precedes the point.
 */
const pointBytes = 48;
/** Bit of a compressed point that distinguishes the point from its negative. */
const signBit = 0x20;

function unsigned(publicKey: Uint8Array): Uint8Array {
  const x = publicKey.slice();
  x[x.length % pointBytes]! &= ~signBit;
  return x;
}

/**
 * Rejects duplicate keys in a registry that was assembled and not read from a file.
 *
 * @throws EnvironmentError `registry-duplicate` if two entries share a key, or one key is the negative of another.
 */
export function refuseDuplicates(entries: readonly Keys[]): void {
  requireArray('entries', entries);
  const [first] = sharedKeys(entries);
  if (first === undefined) return;
  const { index, what, earlier, value } = first;
  throw duplicate(index, what, what === 'publicKey' ? `${earlier} or its negative` : `${earlier}`, value);
}

/** Returns the error for an entry that has the same key or address as an earlier entry. */
export function duplicate(index: number, what: string, earlier: string, value: string): EnvironmentError {
  const cure = what === 'address' ? 'host and port' : 'key, remove one entry';
  return new EnvironmentError(
    'registry-duplicate',
    `registry entry ${index}: ${what} is that of entry ${earlier} (${value}); each node needs its own ${cure}`,
  );
}

/** A registry with the proofs of its entries. */
export interface ProvenRegistry extends RegistryTerms {
  readonly entries: readonly ProvenEntry[];
}

/**
 * Checks a registry by the rules for registry files. No field may be missing, and the terms must be in range. Either
 * all entries or none must have a weight, and the sum of the weights must be within its limit. All keys must have the
 * same length, and no two entries may have the same key, or a key and its negative. The proofs must be present, but are
 * not verified.
 *
 * @throws EnvironmentError with a code that begins with `registry-`.
 */
export function requireRegistry(registry: ProvenRegistry): void {
  try {
    registryParts(registry);
    for (const [index, entry] of registry.entries.entries())
      requireBytesIn(`entries[${index}]`, entry, ['proofOfPossession', 'networkKeyProof']);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new EnvironmentError('registry-bad-field', `registry: ${cause.message}`, { cause });
  }
  refuseDuplicates(registry.entries);
}

/**
 * Verifies the proofs of all entries. Each entry costs about four pairings.
 *
 * @throws EnvironmentError from `verifyEntry`, for the first entry with an invalid proof.
 */
export function verifyEntries(entries: readonly ProvenEntry[], verifier: RegistryVerifier): void {
  for (const [index, entry] of entries.entries()) verifyEntry(entry, index, verifier);
}
