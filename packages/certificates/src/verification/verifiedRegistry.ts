import type { RegistryVerifier } from '@tutti/core';
import { requireMethods } from '@tutti/core/input';
import { type ListedRegistry, readRegistry } from '../registry/registryFile.ts';
import { verifyEntries } from '../registry/verifyRegistry.ts';

/**
 * Reads a registry's file for a group or a verifier, and verifies that each entry's member holds its key and owns its
 * network key. A certificate by keys without such proofs proves nothing. An entry costs about four pairings.
 *
 * @param text content of the file.
 * @param kernel kernel of the registry's variant, such as `await loadBls()` of `@tutti/wasm-bls`.
 * @throws WorldError with a code that begins with `registry-`.
 */
export function verifiedRegistry(text: string, kernel: RegistryVerifier): ListedRegistry {
  requireMethods('kernel', kernel, ['verify', 'verifyPossession']);
  const registry = readRegistry(text);
  verifyEntries(registry.entries, kernel);
  return registry;
}
