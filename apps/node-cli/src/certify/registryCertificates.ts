import {
  type CertificateForm,
  type CertificateVerdict,
  certificateRegistryDigest,
  convertCertificate,
  encodeCertificate,
  messageHash,
  readCertificate,
  verifyCertificate,
} from '@tutti/certificates';
import { type AgreedRegistry, blsVariantOf } from '@tutti/core';
import { WorldError } from '@tutti/core/input';
import type { MultiSignature } from '../cluster/multiSignature.ts';
import type { Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { loadRegistry } from '../node/registryFile.ts';

/**
 * Converts a round's multi-signature to a certificate of the given form. The caller has checked all entries of the
 * registry.
 *
 * @param name name of the registry, for errors.
 * @throws WorldError `invalid-certificate` if the registry's members did not sign the message; `not-a-result` if the
 * form cannot represent the message, the signers or the registry. BlsLoadError if the engine cannot be loaded.
 */
export async function certificateInRegistry(
  registry: AgreedRegistry,
  name: string,
  { message, signature, bits }: Omit<MultiSignature, 'publicKeys'>,
  form: CertificateForm,
): Promise<Uint8Array> {
  const kernel = await loadKernel(blsVariantOf(registry.entries));
  try {
    const certificate = encodeCertificate({
      registry: certificateRegistryDigest(registry),
      epoch: registry.epoch ?? 0n,
      message: messageHash(message),
      size: registry.entries.length,
      bits,
      signature,
    });
    const verdict = verifyCertificate({ registry, bytes: message, certificate, kernel });
    if (!verdict.ok) throw refused(name, verdict.code);
    return convertCertificate(form, certificate, { registry, bytes: message, kernel });
  } catch (error) {
    throw ofForm(form, error);
  }
}

/**
 * Returns the error to throw if a conversion fails with the given error: `not-a-result` for a RangeError, otherwise the
 * given error.
 */
function ofForm(form: CertificateForm, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new WorldError('not-a-result', `--format ${form}: ${error.message}`, { cause: error });
}

/**
 * Verifies a certificate of the given form. The registry of the certificate's signers is read from a file.
 *
 * @returns the signers and their total weight.
 * @throws WorldError `invalid-certificate` with the reason; `not-a-result` if the form cannot represent the registry;
 * BlsLoadError if the engine cannot be loaded; errors of {@link loadRegistry}.
 */
export async function verifiedCertificate(
  bytes: Uint8Array,
  form: CertificateForm,
  message: Uint8Array,
  registryPath: string,
  context: Context,
): Promise<CertificateVerdict & { readonly ok: true }> {
  const registry = await loadRegistry(registryPath, context);
  const kernel = await loadKernel(blsVariantOf(registry.entries));
  try {
    const certificate = readCertificate(form, bytes, { registry, bytes: message, kernel });
    if (certificate === undefined) throw refused(registryPath, 'malformed');
    const verdict = verifyCertificate({ registry, bytes: message, certificate, kernel });
    if (!verdict.ok) throw refused(registryPath, verdict.code);
    return verdict;
  } catch (error) {
    throw ofForm(form, error);
  }
}

function refused(registry: string, code: string): WorldError {
  return new WorldError(
    'invalid-certificate',
    `${registry}: expected a certificate signed by the registry's members, got a different one (${code})`,
  );
}
