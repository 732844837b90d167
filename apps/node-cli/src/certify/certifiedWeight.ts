import { decodeCertificate, membersOf } from '@tutti/certificates';
import type { Certified } from '@tutti/certificates/groups';

/** What the signers of a certificate weigh. */
export function weightOf(
  { entries }: { readonly entries: readonly { readonly weight?: bigint }[] },
  { certificate }: Pick<Certified, 'certificate'>,
): bigint {
  const signers = membersOf(decodeCertificate(certificate)!.bits);
  return signers.reduce((sum, member) => sum + (entries[member]?.weight ?? 1n), 0n);
}
