import { decodeCertificate, membersOf } from '../verification/certificate.ts';

/** What a member of a group did, as another one saw it. */
export interface MemberRecord {
  readonly index: number;
  readonly weight: bigint;
  /** Of the certificates that are kept, how many it signed. */
  readonly signed: number;
  readonly certificates: number;
  /** How many of the last ones, one after another, it did not sign. */
  readonly missedLast: number;
  /** Contributions of it that did not verify. */
  readonly lies: number;
}

/** @param kept the oldest first. */
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
