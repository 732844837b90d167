import { bitfieldBytes, type HornParameters, hornSizes } from '@tutti/core/horn';
import { oneOf, requireObject, type Setting } from '@tutti/core/input';

/** Costs of verification on one core of a machine. All numbers apply to the same machine. */
export interface Machine {
  /** Time to verify one signature, including decoding, the subgroup check and hashing the message, ms. */
  readonly verifyMs: number;
  /** Time, in ms, per signature if many signatures are checked together: decoding, and a share of the weighted sums. */
  readonly claimMs: number;
  /** Time of one addition of a public key within a batched affine sum, ns. */
  readonly additionNs: number;
  /**
   * Origin of the numbers. `measured`: all three times were measured on the machine. `derived`: the addition was
   * measured on the machine (Horn: "Verification time for collections"); the ratio of a check to an addition comes from
   * docs/benchmarks/bls-kernel.md without WebAssembly.
   */
  readonly origin: 'measured' | 'derived';
}

/** Costs on an idle machine: the minimum of several runs of `npm run bench -- machine`, each with a new kernel. */
const native: Machine = { verifyMs: 0.861, claimMs: 0.109, additionNs: 287, origin: 'measured' };
const wasm: Machine = { verifyMs: 2.78, claimMs: 0.316, additionNs: 876, origin: 'measured' };

/** The post's measurements, each on one core: the time of all {@link postAdditions}, s. */
export const postMeasurements = [
  { machine: 'i9-11980HK', seconds: 2.8 },
  { machine: 'i7-8550U', seconds: 6.1 },
  { machine: 'Raspberry Pi 4', seconds: 36 },
] as const;
const [i9, i7, raspberryPi] = postMeasurements;

/** Number of point additions in the post's measurements: 512 collections with 2^15 keys each. */
export const postAdditions = 512 * 32_768;

function derived({ seconds }: { readonly seconds: number }): Machine {
  const additionNs = (1e9 * seconds) / postAdditions;
  const faster = additionNs / native.additionNs;
  return {
    verifyMs: thousandths(native.verifyMs * faster),
    claimMs: thousandths(native.claimMs * faster),
    additionNs: thousandths(additionNs),
    origin: 'derived',
  };
}

const thousandths = (value: number): number => Math.round(1000 * value) / 1000;

/** Machines by name: the post's three, and that of docs/benchmarks/bls-kernel.md, natively and in WebAssembly. */
export const machines = {
  'i9-11980HK': derived(i9),
  'i7-8550U': derived(i7),
  'raspberry-pi-4': derived(raspberryPi),
  'epyc-native': native,
  'epyc-wasm': wasm,
} as const satisfies Record<string, Machine>;

/** Name of a machine in {@link machines}. */
export type MachineName = keyof typeof machines;
/** Names of all machines, in the order of the table. */
export const machineNames = Object.keys(machines) as readonly MachineName[];

/** The default machine: the post's second laptop. */
export const defaultMachine: MachineName = 'i7-8550U';

/**
 * Returns the time, in ms, per signature if `batch` signatures are always checked together: a share of two pairings,
 * and the signature's own part. The result is a lower bound, because a node must have that many signatures available. A
 * node with a long queue has enough signatures, but its verdicts are delayed.
 */
export function batchedMs(machine: Pick<Machine, 'verifyMs' | 'claimMs'>, batch: number): number {
  requireObject('machine', machine);
  const { verifyMs, claimMs } = machine;
  return verifyMs / batch + claimMs * (1 - 1 / batch);
}

/**
 * Numbers of point additions that reconstruct the aggregated public key of one bitfield (Horn: "Verification time for
 * collections"). A sum over n keys counts as n additions. The single subtraction from the committee's total is not
 * counted.
 */
export interface KeySum {
  /** Number of additions if every present key is added. */
  readonly naive: number;
  /**
   * Number of additions if the absent keys are subtracted from the committee's total whenever fewer keys are absent
   * than present.
   */
  readonly subtracting: number;
}

/**
 * Returns the numbers of additions, which may be fractions.
 *
 * @param percent percentage of the members whose bit is set.
 */
export function keySum(members: number, percent: number): KeySum {
  return { naive: (members * percent) / 100, subtracting: (members * Math.min(percent, 100 - percent)) / 100 };
}

/** Lengths of the messages on the topics of each layer, bytes. */
export interface HornMessageBytes {
  readonly vote: number;
  readonly aggregate: number;
  readonly collection: number;
}

/**
 * Returns the lengths of bitfields and signatures as the post counts them. A vote has its own signature; an aggregate
 * or a collection has the aggregate signature and its sender's signature (Horn: "A strawman proposal"). Attestation
 * data is not counted, as in the post.
 */
export function hornMessageBytes(parameters: HornParameters): HornMessageBytes {
  const { committee, subcommittee } = hornSizes(parameters);
  const bytes = (members: number, signatures: number) =>
    bitfieldBytes(members) + signatures * parameters.signatureBytes;
  return { vote: bytes(subcommittee, 1), aggregate: bytes(subcommittee, 2), collection: bytes(committee, 2) };
}

/** Returns the length of a vector of multiplicities (Horn: "Aggregation with four-bit integer vectors"), bytes. */
export function multiplicityBytes(members: number, bits: number): number {
  return Math.ceil((members * bits) / 8);
}

/**
 * Returns the maximum number of overlapping aggregates whose sum has only multiplicities that fit in this number of
 * bits.
 */
export function mergeableAggregates(bits: number): number {
  return 2 ** bits - 1;
}

/**
 * Returns the maximum number of point additions for the sum of `members` keys times their multiplicities: one per key
 * into the bucket of its multiplicity, and two per bucket except the highest for the weighted sum of the buckets.
 */
export function multiplicitySumAdditions(members: number, bits: number): number {
  return members + 2 * (mergeableAggregates(bits) - 1);
}

/** Length of each field in a proof that counts the positions with a given multiplicity, bytes. */
const countBytes = 4;

/**
 * Returns the length of the part of a collection that replaces `keys` multiplicities (Horn: "Aggregation using
 * SNARKs"), bytes. The replacement consists of the aggregated key and a proof. The proof shows that the key is the sum
 * of the keys in the bitfield, with multiplicities of this number of bits. The proof is that of the extension
 * key-proof: two commitments, the counts of the multiplicities, two points per halving, and two scalars.
 */
export function succinctProofBytes(
  keys: number,
  { publicKeyBytes, scalarBytes, multiplicityBits }: HornParameters,
): number {
  const points = 3 + 2 * Math.ceil(Math.log2(keys));
  return points * publicKeyBytes + countBytes * mergeableAggregates(multiplicityBits) + 2 * scalarBytes;
}

/** Number of field multiplications in a mixed addition (Jacobian plus affine): 7 multiplications and 4 squarings. */
export const mixedAdditionMultiplications = 11;

/** Number of field multiplications in an affine addition without the inversion: 2 multiplications and 1 squaring. */
const affineMultiplications = 3;

/** Number of field multiplications per element in Montgomery's trick, which inverts many elements at once. */
const sharedInversionMultiplications = 3;

/** Number of field multiplications in an inversion by a 381-bit power: 380 squarings and about 80 products. */
const inversionMultiplications = 460;

/**
 * Returns the number of field multiplications per addition in a sum of `points` affine points. The points are added in
 * pairs, in rounds that share one inversion each (Horn: "Verification time for collections"). Points are assumed to be
 * distinct: a doubling costs one multiplication more.
 */
export function batchedAdditionMultiplications(points: number): number {
  const rounds = Math.ceil(Math.log2(points));
  return affineMultiplications + sharedInversionMultiplications + (rounds * inversionMultiplications) / (points - 1);
}

/**
 * Returns the length, in bytes, of one attestation in a block: data, signature, and bitfield over `members` validators.
 */
export function attestationBytes(members: number, parameters: HornParameters): number {
  return parameters.attestationDataBytes + parameters.signatureBytes + bitfieldBytes(members);
}

/**
 * Returns the length of an attestation in a block without collections, bytes. The attestation covers one subcommittee,
 * or several subcommittees of a committee with one bit per subcommittee (EIP-7549).
 */
export function statusQuoAttestationBytes(parameters: HornParameters): number {
  const { subcommittees } = parameters;
  const joined = Math.min(parameters.attestationSubcommittees, subcommittees);
  const which = parameters.attestationSubcommittees > 1 ? bitfieldBytes(subcommittees) : 0;
  return attestationBytes(hornSizes(parameters).subcommittee * joined, parameters) + which;
}

/** Returns the total length of a day's blocks of that size, bytes; the mean if a day is not a whole number of slots. */
export function dayBytes(bytesOfBlock: number, slotSeconds: number): number {
  return (bytesOfBlock * 86_400) / slotSeconds;
}

/** Costs of verification on one core. */
export interface VerificationCosts {
  /**
   * Time to verify the signatures of one message, ms; if several messages are checked together, the share of one
   * message.
   */
  readonly verifyMs: number;
  /** Time of one addition of a public key, ns. */
  readonly additionNs: number;
  /** Method of summing the keys of a bitfield. */
  readonly keySums: keyof KeySum;
}

/** Setting for the method of summing the keys of a bitfield. */
export const keySumsSetting: Setting<keyof KeySum> = {
  default: 'naive',
  range: oneOf(['naive', 'subtracting']),
  about: 'method of summing the key of a bitfield: naive or subtracting',
};

/**
 * Returns the time, in µs, to verify one message: its signatures, and the sum of the keys in its bitfield (Horn:
 * "Verification time for collections"). The result is an integer of at least 1.
 *
 * @param members number of bits in the bitfield; 1 for a single vote, whose key needs no sum. @param weight number of
 * set bits.
 */
export function verificationUs(members: number, weight: number, costs: VerificationCosts): number {
  return Math.max(1, Math.round(costs.verifyMs * 1000 + keysUs(members, weight, costs.keySums, costs.additionNs)));
}

/** Returns the part of the verification time for summing keys, µs. */
export function keysUs(members: number, weight: number, keySums: keyof KeySum, additionNs: number): number {
  return members === 1 ? 0 : (keySum(members, (100 * weight) / members)[keySums] * additionNs) / 1000;
}

/**
 * Reference values of the post (Horn: "Bandwidth overhead"). The maximum blobs of a block in EIP-4844 are six blobs of
 * 131,072 bytes each. The maximum calldata of a block is 30,000,000 gas at 16 gas per byte. In 2023, a node without
 * subnets received 390 KB per second and sent 390 KB per second; for a node on all subnets, each rate was 6 to 7 MB per
 * second.
 */
const bandwidthMarks = {
  blobBytes: 6 * 131_072,
  calldataBytes: 30_000_000 / 16,
  noSubnetsBytesPerSecond: 390e3,
  allSubnetsBytesPerSecond: [6e6, 7e6],
} as const;

/** Ratios of a slot's bytes to the reference values of the post. */
export interface BandwidthRatios {
  /** Ratio of the bytes sent to the global topic, each message counted once, to the maximum blobs of a block. */
  readonly ofBlobs: number;
  /** Ratio of the bytes sent to the global topic, each message counted once, to the maximum calldata of a block. */
  readonly ofCalldata: number;
  /** Ratio of the bytes per second that a node receives, copies included, to those of a node without subnets. */
  readonly ofNoSubnets: number;
  /**
   * Ratios of the bytes per second that a node receives, copies included, to the minimum and maximum of a node on all
   * subnets.
   */
  readonly ofAllSubnets: readonly [number, number];
}

/**
 * Returns the ratios of a slot's bytes to the reference values.
 *
 * @param globalBytes bytes sent to the global topic.
 * @param receivedBytes bytes that a node receives.
 */
export function bandwidthRatios(globalBytes: number, receivedBytes: number, slotMs: number): BandwidthRatios {
  const { blobBytes, calldataBytes, noSubnetsBytesPerSecond, allSubnetsBytesPerSecond } = bandwidthMarks;
  const perSecond = (1000 * receivedBytes) / slotMs;
  return {
    ofBlobs: globalBytes / blobBytes,
    ofCalldata: globalBytes / calldataBytes,
    ofNoSubnets: perSecond / noSubnetsBytesPerSecond,
    ofAllSubnets: [perSecond / allSubnetsBytesPerSecond[0], perSecond / allSubnetsBytesPerSecond[1]],
  };
}
