import { decodeCertificate, membersOf } from '../verification/certificate.ts';

/** Activity of a member of a group, as seen by another member. */
export interface MemberRecord {
  readonly index: number;
  readonly weight: bigint;
  /** Number of stored certificates that the member signed. */
  readonly signed: number;
  readonly certificates: number;
  /** Number of the most recent consecutive certificates that the member did not sign. */
  readonly missedLast: number;
  /** Number of the member's invalid contributions. */
  readonly lies: number;
}

/** Returns the record of each member. @param kept certificates, oldest first. */
export function memberRecords(
  entries: readonly { readonly weight?: bigint }[],
  kept: Iterable<{ readonly certificate: Uint8Array }>,
  lies: ReadonlyMap<number, number>,
): MemberRecord[] {
  const signed = new Int32Array(entries.length);
  const missedLast = new Int32Array(entries.length);
  let certificates = 0;
  for (const { certificate } of kept) {
    const signers = new Set(membersOf(decodeCertificate(certificate)!.bits));
    certificates++;
    for (let index = 0; index < entries.length; index++) {
      if (signers.has(index)) signed[index]!++;
      missedLast[index] = signers.has(index) ? 0 : missedLast[index]! + 1;
    }
  }
  return entries.map(({ weight = 1n }, index) => ({
    index,
    weight,
    signed: signed[index]!,
    certificates,
    missedLast: missedLast[index]!,
    lies: lies.get(index) ?? 0,
  }));
}
