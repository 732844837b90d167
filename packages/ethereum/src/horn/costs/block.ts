import { type HornParameters, hornSizes } from '@tutti/core/horn';

/** One attestation in a block: its data, its signature, its bitfield over `members` validators; in bytes. */
export function attestationBytes(members: number, parameters: HornParameters): number {
  return parameters.attestationDataBytes + parameters.signatureBytes + Math.ceil(members / 8);
}

/**
 * An attestation in a block without collections: of one subcommittee, or of several of a committee, where a bit for
 * each subcommittee says which (EIP-7549); in bytes.
 */
export function statusQuoAttestationBytes(parameters: HornParameters): number {
  const { subcommittees } = parameters;
  const joined = Math.min(parameters.attestationSubcommittees, subcommittees);
  const which = parameters.attestationSubcommittees > 1 ? Math.ceil(subcommittees / 8) : 0;
  return attestationBytes(hornSizes(parameters).subcommittee * joined, parameters) + which;
}

/**
 * The attestations of one block (Horn: "Beacon block size increase"), in bytes; what else a block holds is not counted.
 */
export function blockBytes(system: 'status-quo' | 'horn', parameters: HornParameters): number {
  return system === 'horn'
    ? parameters.blockCollections * attestationBytes(hornSizes(parameters).committee, parameters)
    : parameters.blockAttestations * statusQuoAttestationBytes(parameters);
}

/** What a day's blocks of that size come to, in bytes: the mean over days where slots do not divide a day. */
export function dayBytes(bytesOfBlock: number, slotSeconds: number): number {
  return (bytesOfBlock * 86_400) / slotSeconds;
}
