import { hostCrypto } from '#host-crypto';
import { requireMethods } from '../arguments.ts';
import { type RegistryVerifier, verifyEntry } from '../registry/registry.ts';
import { type ListedEntry, parseRegistry, parseRegistryTerms, type RegistryTerms } from '../registry/registryFile.ts';

/**
 * Reads a registry's file for a group or a verifier, and verifies each entry: that somebody holds its key, and that its
 * network key is theirs. A certificate by keys that nobody was seen to hold proves nothing. An entry costs about four
 * pairings.
 *
 * @param text of the file.
 * @param kernel `await loadBls()` of `@tutti/wasm-bls`, of the registry's variant.
 * @throws WorldError with a code that begins with `registry-`.
 */
export function verifiedRegistry(
  text: string,
  kernel: RegistryVerifier,
): RegistryTerms & { readonly entries: readonly ListedEntry[] } {
  requireMethods('kernel', kernel, ['verify', 'verifyPossession']);
  const entries = parseRegistry(text);
  for (const [index, entry] of entries.entries()) verifyEntry(hostCrypto, entry, index, kernel);
  return { entries, ...parseRegistryTerms(text) };
}
