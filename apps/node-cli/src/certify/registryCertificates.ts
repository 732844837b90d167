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
import { EnvironmentError } from '@tutti/core/input';
import type { MultiSignature } from '../cluster/multiSignature.ts';
import type { Context } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { loadRegistry } from '../node/registryFile.ts';
import { readBytes } from '../output/files.ts';

/**
 * Converts a round's multi-signature to a certificate of the given form. The caller has checked all entries of the
 * registry.
 *
 * @param name name of the signed document, for errors.
 * @throws EnvironmentError `invalid-certificate` if the registry's members did not sign the message; `not-a-result` if
 * the form cannot represent the message, the signers or the registry. BlsLoadError if the engine cannot be loaded.
 */
export async function certificateInRegistry(
  registry: AgreedRegistry,
  name: string,
  { message, signature, bits }: Omit<MultiSignature, 'publicKeys'>,
  form: CertificateForm,
): Promise<Uint8Array> {
  const kernel = await loadKernel(blsVariantOf(registry.entries));
  return inForm(form, () => {
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
  });
}

/** Runs a conversion. @throws EnvironmentError `not-a-result` in place of a RangeError. */
function inForm<T>(form: CertificateForm, convert: () => T): T {
  try {
    return convert();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new EnvironmentError('not-a-result', `--format ${form}: ${cause.message}`, { cause });
  }
}

/** Files for {@link verifiedCertificate}. */
interface CertificateFiles {
  readonly certificate: string;
  /** File that the members certified. */
  readonly message: string;
  readonly registry: string;
}

/**
 * Verifies a certificate of the given form.
 *
 * @returns the signers and their total weight.
 * @throws EnvironmentError `invalid-certificate` with the reason; `not-a-result` if the form cannot represent the
 * registry; BlsLoadError if the engine cannot be loaded; EnvironmentError `cannot-read`; errors of
 * {@link loadRegistry}.
 */
export async function verifiedCertificate(
  form: CertificateForm,
  files: CertificateFiles,
  context: Context,
): Promise<CertificateVerdict & { readonly ok: true }> {
  const [given, bytes] = [files.certificate, files.message].map((path) => new Uint8Array(readBytes(path)));
  const registry = await loadRegistry(files.registry, context);
  const kernel = await loadKernel(blsVariantOf(registry.entries));
  const subject = { registry, bytes: bytes!, kernel };
  const certificate = inForm(form, () => readCertificate(form, given!, subject));
  if (certificate === undefined) throw refused(files.certificate, 'malformed');
  const verdict = verifyCertificate({ ...subject, certificate });
  if (!verdict.ok) throw refused(files.certificate, verdict.code);
  return verdict;
}

function refused(name: string, code: string): EnvironmentError {
  return new EnvironmentError(
    'invalid-certificate',
    `${name}: expected a certificate signed by the registry's members, got a different one (${code})`,
  );
}
