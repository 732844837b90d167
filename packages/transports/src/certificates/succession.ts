import { concat } from '../bytes.ts';
import {
  type CertificateFault,
  type CertificateKernel,
  type CertificateRegistry,
  certificateRegistryDigest,
  verifyCertificate,
} from './certificate.ts';

const domain = new TextEncoder().encode('tutti registry succession v1\0');

/**
 * What a registry's members sign to be followed by another: who joins, leaves or gains weight is in its digest. An
 * `approve` that lets every message pass lets every successor pass too.
 *
 * @throws RangeError unless the next epoch is one more than the former.
 */
export function successionStatement(former: CertificateRegistry, next: CertificateRegistry): Uint8Array {
  const [from, to] = [former.epoch ?? 0n, next.epoch ?? 0n];
  if (to !== from + 1n) throw new RangeError(`epoch: expected ${from + 1n}, which follows ${from}, got ${to}`);
  return concat(domain, certificateRegistryDigest(former), certificateRegistryDigest(next));
}

/** Whether a message would have another registry follow; for an `approve`. */
export function looksLikeSuccession(bytes: Uint8Array): boolean {
  return domain.every((byte, index) => bytes[index] === byte);
}

/** One registry after another, and the certificate by which the former's members agreed to it. */
export interface Succession {
  readonly registry: CertificateRegistry;
  readonly certificate: Uint8Array;
}

/**
 * Follows registries from one that is trusted to the last.
 *
 * @returns the last, or which succession does not hold, and why.
 */
export function followRegistries(
  trusted: CertificateRegistry,
  successions: readonly Succession[],
  kernel: CertificateKernel,
):
  | { readonly ok: true; readonly registry: CertificateRegistry }
  | { readonly ok: false; readonly at: number; readonly code: CertificateFault } {
  let registry = trusted;
  for (const [at, { registry: next, certificate }] of successions.entries()) {
    if ((next.epoch ?? 0n) !== (registry.epoch ?? 0n) + 1n) return { ok: false, at, code: 'wrong-epoch' };
    const bytes = successionStatement(registry, next);
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
    if (!verdict.ok) return { ok: false, at, code: verdict.code };
    registry = next;
  }
  return { ok: true, registry };
}
