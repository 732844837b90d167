import { type HornParameters, hornSizes } from '@tutti/core/horn';
import { oneOf, requireObject, type Setting } from '@tutti/core/settings';

/** What verifying takes on one core of a machine: all figures are from the same one. */
export interface Machine {
  /** One signature by itself, read from bytes and its subgroup checked, the message hashed before, ms. */
  readonly verifyMs: number;
  /** The part of it that each of many checked together takes: reading, and its share of the weighted sums, ms. */
  readonly claimMs: number;
  /** One addition of a public key in a batched affine sum of many, ns. */
  readonly additionNs: number;
  /**
   * `measured`: all three on that machine. `derived`: the addition was measured on it (Horn: "Verification time for
   * collections"), and checks take as many additions as they do on the machine of docs/benchmarks/bls-kernel.md without
   * WebAssembly.
   */
  readonly origin: 'measured' | 'derived';
}

/** On a quiet machine: the least that `npm run bench -- machine` gave, each when its kernel was new. */
const native: Machine = { verifyMs: 0.861, claimMs: 0.109, additionNs: 287, origin: 'measured' };
const wasm: Machine = { verifyMs: 2.78, claimMs: 0.316, additionNs: 876, origin: 'measured' };

function derived(seconds: number): Machine {
  const additionNs = (1e9 * seconds) / (512 * 32_768);
  const faster = additionNs / native.additionNs;
  return {
    verifyMs: thousandths(native.verifyMs * faster),
    claimMs: thousandths(native.claimMs * faster),
    additionNs: thousandths(additionNs),
    origin: 'derived',
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;

/** Machines by name: the post's three, and the one that measured docs/benchmarks/bls-kernel.md, natively and in WebAssembly. */
export const machines = {
  'i9-11980HK': derived(2.8),
  'i7-8550U': derived(6.1),
  'raspberry-pi-4': derived(36),
  'epyc-native': native,
  'epyc-wasm': wasm,
} as const satisfies Record<string, Machine>;

export type MachineName = keyof typeof machines;
export const machineNames = Object.keys(machines) as readonly MachineName[];

/** The post's second laptop. */
export const defaultMachine: MachineName = 'i7-8550U';

/**
 * What a signature takes where this many are always checked together, ms: two pairings for all of them, and each one's
 * own part. It is a bound from below, for a node must have that many at hand; where its queue is long, which is where
 * verdicts hang on it, it has.
 */
export function batchedMs(machine: Pick<Machine, 'verifyMs' | 'claimMs'>, batch: number): number {
  requireObject('machine', machine);
  const { verifyMs, claimMs } = machine;
  return batch === 1 ? verifyMs : claimMs + (verifyMs - claimMs) / batch;
}

/**
 * Point additions that reconstruct the aggregated public key of one bitfield (Horn: "Verification time for
 * collections"). A sum over n keys is counted as n additions; taking a sum away from the committee's total is one more,
 * which is left out.
 */
export interface KeySum {
  /** Every present key is added. */
  readonly naive: number;
  /** The present keys, or where these are more the absent ones, to be taken from the committee's total. */
  readonly subtracting: number;
}

/** @param percent of the members whose bit is set; additions are an expectation and may be fractions. */
export function keySum(members: number, percent: number): KeySum {
  return { naive: (members * percent) / 100, subtracting: (members * Math.min(percent, 100 - percent)) / 100 };
}

/** What goes over each layer's topics, in bytes. */
export interface HornMessageBytes {
  readonly vote: number;
  readonly aggregate: number;
  readonly collection: number;
}

/**
 * Bitfields and signatures, as the post counts them: a vote has its own signature, an aggregate or a collection the
 * aggregate one and its sender's (Horn: "A strawman proposal"). Attestation data is left out, as in the post.
 */
export function hornMessageBytes(parameters: HornParameters): HornMessageBytes {
  const { committee, subcommittee } = hornSizes(parameters);
  const bytes = (members: number, signatures: number): number =>
    Math.ceil(members / 8) + signatures * parameters.signatureBytes;
  return { vote: bytes(subcommittee, 1), aggregate: bytes(subcommittee, 2), collection: bytes(committee, 2) };
}

/**
 * A vector of multiplicities over `members` validators (Horn: "Aggregation with four-bit integer vectors"), in bytes.
 */
export function multiplicityBytes(members: number, bits: number): number {
  return Math.ceil((members * bits) / 8);
}

/** Overlapping aggregates that can be merged before a multiplicity might not fit any more. */
export function mergeableAggregates(bits: number): number {
  return 2 ** bits - 1;
}

/**
 * Point additions, at most, for the sum of `members` keys times their multiplicities: one into the bucket of its
 * multiplicity for each, and two a bucket but the highest to sum the buckets up with their weights.
 */
export function multiplicitySumAdditions(members: number, bits: number): number {
  return members + 2 * (mergeableAggregates(bits) - 1);
}

/** Bytes in which the proof says how often a multiplicity comes. */
const countBytes = 4;

/**
 * What a collection carries in place of `keys` multiplicities (Horn: "Aggregation using SNARKs"), in bytes: the
 * aggregated key, and the proof that it is the sum of the keys that the bitfield names, each with a multiplicity of
 * this many bits. The proof of the extension key-proof: two commitments, how often each multiplicity comes, two points a
 * halving, and two scalars.
 */
export function succinctProofBytes(
  keys: number,
  { publicKeyBytes, scalarBytes, multiplicityBits }: HornParameters,
): number {
  const points = 3 + 2 * Math.ceil(Math.log2(keys));
  return points * publicKeyBytes + countBytes * mergeableAggregates(multiplicityBits) + 2 * scalarBytes;
}

/** Field multiplications of a mixed addition, Jacobian and affine: 7 and 4 squarings, which are counted alike. */
export const mixedAdditionMultiplications = 11;

/** An affine addition once its denominator is inverted: 2 multiplications and 1 squaring. */
const affineMultiplications = 3;

/** Montgomery's trick: inverting many at once costs one inversion and 3 multiplications for each. */
const sharedInversionMultiplications = 3;

/**
 * The inversion itself, as a 381-bit power by windows of four bits: 380 squarings and some 80 products. Faster ways are
 * known.
 */
const inversionMultiplications = 460;

/**
 * Field multiplications for one addition of a sum over `points` affine points, added pair by pair in rounds that share
 * one inversion each (Horn: "Verification time for collections"). Points are taken to be distinct: a doubling costs one
 * more.
 */
export function batchedAdditionMultiplications(points: number): number {
  const rounds = Math.ceil(Math.log2(points));
  return affineMultiplications + sharedInversionMultiplications + (rounds * inversionMultiplications) / (points - 1);
}

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

/** What verifying costs on one core. */
export interface VerificationCosts {
  /** The signatures of one message, ms; where a machine checks many messages' together, each one's share. */
  readonly verifyMs: number;
  /** One addition of a public key, ns. */
  readonly additionNs: number;
  /** How the key of a bitfield is summed. */
  readonly keySums: keyof KeySum;
}

export const keySumsSetting: Setting<keyof KeySum> = {
  default: 'naive',
  range: oneOf(['naive', 'subtracting']),
  about: 'how the key of a bitfield is summed: naive or subtracting',
};

/**
 * Microseconds to verify one message: its signatures, and its key summed from its bitfield (Horn: "Verification time
 * for collections").
 *
 * @param members bits of the bitfield; 1 for a single vote, whose key is at hand. @param weight of them that are set.
 */
export function verificationUs(members: number, weight: number, costs: VerificationCosts): number {
  return Math.max(1, Math.round(costs.verifyMs * 1000 + keysUs(members, weight, costs.keySums, costs.additionNs)));
}

/** The part of it that goes into the key, microseconds. */
export function keysUs(members: number, weight: number, keySums: keyof KeySum, additionNs: number): number {
  return members === 1 ? 0 : (keySum(members, (100 * weight) / members)[keySums] * additionNs) / 1000;
}
