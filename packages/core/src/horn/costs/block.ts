import { type HornParameters, hornSizes } from '../parameters.ts';

/** One attestation in a block: its data, its signature, its bitfield over `members` validators; in bytes. */
export function attestationBytes(members: number, parameters: HornParameters): number {
  return parameters.attestationDataBytes + parameters.signatureBytes + Math.ceil(members / 8);
}

/** The attestations of one block (Horn: "Beacon block size increase"), in bytes; what else a block holds is not counted. */
export function blockBytes(system: 'status-quo' | 'horn', parameters: HornParameters): number {
  const { committee, subcommittee } = hornSizes(parameters);
  return system === 'horn'
    ? parameters.blockCollections * attestationBytes(committee, parameters)
    : parameters.blockAttestations * attestationBytes(subcommittee, parameters);
}

/** What a day's blocks of that size come to, in bytes: the mean over days where slots do not divide a day. */
export function dayBytes(bytesOfBlock: number, slotSeconds: number): number {
  return (bytesOfBlock * 86_400) / slotSeconds;
}
