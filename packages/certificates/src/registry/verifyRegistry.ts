import { type ProvenEntry, type RegistryTerms, type RegistryVerifier, registryParts, verifyEntry } from '@tutti/core';
import { requireBytesIn, WorldError } from '@tutti/core/input';
import { refuseDuplicates } from './registryFile.ts';

/** A registry with the proofs of its entries. */
export interface ProvenRegistry extends RegistryTerms {
  readonly entries: readonly ProvenEntry[];
}

/**
 * Checks a registry by the rules for registry files. No field is missing, and the terms are in range. Either all
 * entries or none have a weight, with a sum within its limit. All keys have the same length, and no two entries have
 * the same key, or a key and its negative. Proofs must be present, but are not verified.
 *
 * @throws WorldError with a code that begins with `registry-`.
 */
export function requireRegistry(registry: ProvenRegistry): void {
  try {
    registryParts(registry);
    for (const [index, entry] of registry.entries.entries())
      requireBytesIn(`entries[${index}]`, entry, ['proofOfPossession', 'networkKeyProof']);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new WorldError('registry-bad-field', `registry: ${cause.message}`, { cause });
  }
  refuseDuplicates(registry.entries);
}

/**
 * Verifies the proofs of all entries. Each entry costs about four pairings.
 *
 * @throws WorldError as `verifyEntry` does, for the first entry with an invalid proof.
 */
export function verifyEntries(entries: readonly ProvenEntry[], verifier: RegistryVerifier): void {
  for (const [index, entry] of entries.entries()) verifyEntry(entry, index, verifier);
}
