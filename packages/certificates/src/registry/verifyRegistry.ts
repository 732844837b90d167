import { WorldError } from '@tutti/core/errors';
import { requireBytesIn } from '@tutti/core/input';
import {
  type ProvenEntry,
  type RegistryTerms,
  type RegistryVerifier,
  registryParts,
  verifyEntry,
} from '@tutti/core/registry';
import { refuseDuplicates } from './registryFile.ts';

/** A registry with the proofs of its entries. */
export interface ProvenRegistry extends RegistryTerms {
  readonly entries: readonly ProvenEntry[];
}

/**
 * Refuses a registry that no reader of a file would accept: fields that are missing, terms out of range, weights of which
 * some are missing or too large, keys of another length, two entries with one key or with a key and its negative. Proofs
 * have to be there, and are not verified.
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
 * Verifies the proofs of all entries, each of which costs about four pairings.
 *
 * @throws WorldError as `verifyEntry` does, for the first entry whose proofs do not hold.
 */
export function verifyEntries(entries: readonly ProvenEntry[], verifier: RegistryVerifier): void {
  for (const [index, entry] of entries.entries()) verifyEntry(entry, index, verifier);
}
