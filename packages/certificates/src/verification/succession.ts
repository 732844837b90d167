import type { RegistryVerifier } from '@tutti/core';
import { concat, EnvironmentError, requireArray, requireMethods, requireObject } from '@tutti/core/input';
import { type ProvenRegistry, requireRegistry, verifyEntries } from '../registry/verifyRegistry.ts';
import {
  type CertificateFault,
  type CertificateKernel,
  type CertificateRegistry,
  certificateRegistryDigest,
  verifyCertificate,
} from './certificate.ts';

const domain = new TextEncoder().encode('tutti registry succession v1\0');

/**
 * Returns the statement that a registry's members sign to replace it with another registry. The statement contains the
 * digests of both registries, which cover the members, their weights, and the terms.
 *
 * @throws RangeError unless the next registry's epoch is one more than the former registry's epoch.
 */
export function successionStatement(former: CertificateRegistry, next: CertificateRegistry): Uint8Array {
  const [from, to] = [former.epoch ?? 0n, next.epoch ?? 0n];
  if (to !== from + 1n) throw new RangeError(`epoch: expected ${from + 1n}, which follows ${from}, got ${to}`);
  return concat(domain, certificateRegistryDigest(former), certificateRegistryDigest(next));
}

/**
 * Returns whether a message begins like a succession statement. A member signs such a message only on explicit request.
 */
export function looksLikeSuccession(bytes: Uint8Array): boolean {
  return domain.every((byte, index) => bytes[index] === byte);
}

/** A registry that succeeds another one, with a certificate by the former registry's members. */
export interface Succession {
  /**
   * The next registry with its proofs, in the format that `readRegistry` returns. The proofs are verified when the
   * succession is followed.
   */
  readonly registry: ProvenRegistry;
  readonly certificate: Uint8Array;
}

/**
 * Follows successions from a trusted registry to the last registry. Each registry is checked by the rules for registry
 * files: its terms, its weights, duplicate keys, and the proofs of all entries. Verifying an entry costs about four
 * pairings.
 *
 * @param trusted first registry, whose entries must have been verified.
 * @param kernel kernel of the registries' variant, such as `await loadBls()` of `@tutti/wasm-bls`.
 * @returns the last registry, or the first invalid succession with a code: the code of its certificate, or a code that
 * begins with `registry-` for its registry.
 */
export function followRegistries(
  trusted: CertificateRegistry,
  successions: readonly Succession[],
  kernel: CertificateKernel & RegistryVerifier,
):
  | { readonly ok: true; readonly registry: CertificateRegistry }
  | { readonly ok: false; readonly at: number; readonly code: CertificateFault | `registry-${string}` } {
  requireObject('trusted', trusted);
  requireArray('successions', successions);
  requireMethods('kernel', kernel, ['fastAggregateVerify', 'verify', 'verifyPossession']);
  let registry = trusted;
  for (const [at, { registry: next, certificate }] of successions.entries()) {
    const code = faultOf(registry, next, certificate, kernel);
    if (code !== undefined) return { ok: false, at, code };
    registry = next;
  }
  return { ok: true, registry };
}

function faultOf(
  registry: CertificateRegistry,
  next: ProvenRegistry,
  certificate: Uint8Array,
  kernel: CertificateKernel & RegistryVerifier,
): CertificateFault | `registry-${string}` | undefined {
  if ((next.epoch ?? 0n) !== (registry.epoch ?? 0n) + 1n) return 'wrong-epoch';
  try {
    requireRegistry(next);
    const verdict = verifyCertificate({ registry, bytes: successionStatement(registry, next), certificate, kernel });
    if (!verdict.ok) return verdict.code;
    // The proofs are verified last, because this takes longest. Only members of the former registry can make a verifier
    // perform this check.
    verifyEntries(next.entries, kernel);
    return undefined;
  } catch (error) {
    if (error instanceof EnvironmentError && error.code.startsWith('registry-'))
      return error.code as `registry-${string}`;
    throw error;
  }
}
