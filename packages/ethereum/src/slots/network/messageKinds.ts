import { blsSignatureBytes } from '@tutti/core';
import { hasMember } from '@tutti/core/horn';
import { keysUs, machines, verificationUs } from '../../horn/costs.ts';
import { type BatchCosts, blsBatchCosts } from '../../horn/network/client.ts';
import { type GossipMessage, Priority } from './gossipState.ts';
import type { NetworkWorld, PostRules } from './networkWorld.ts';

/** Lengths and verification costs of a message, on any topic. */
export type MessageCosts = Omit<GossipMessage, 'topic' | 'together'>;

/**
 * Returns the verification times of a batch and of a signature set. Under the post's assumptions, these times are 0,
 * because all verification time is counted per message.
 */
export function batchCostsOf({ scenario, post }: NetworkWorld): BatchCosts {
  return post === undefined ? blsBatchCosts(scenario.client) : { batchUs: 0, setUs: 0, summedUs: 0 };
}

/** Message of a node to a subnet: a vote, or several votes together. */
export interface Ballot {
  readonly node: number;
  /** Members of the subcommittee whose votes are in the message. */
  readonly members: readonly number[];
  readonly message: MessageCosts;
}

/** Returns all votes of a subcommittee, grouped into messages. */
export function ballotsOf(world: NetworkWorld, group: number): Ballot[] {
  const { scenario, subcommittees, nodeAt } = world;
  const { start, members, casts } = subcommittees[group]!;
  const message = voteMessage(world, members);
  const voters = Array.from({ length: members }, (_, member) => member).filter((member) => hasMember(casts, member));
  const single = (member: number): Ballot => ({ node: nodeAt[start + member]!, members: [member], message });
  if (scenario.sourceBatches === 0) return voters.map(single);
  const byNode = new Map<number, number[]>();
  for (const member of voters) {
    const node = nodeAt[start + member]!;
    const of = byNode.get(node);
    if (of === undefined) byNode.set(node, [member]);
    else of.push(member);
  }
  return [...byNode].flatMap(([node, of]) =>
    of.length < scenario.sourceBatches
      ? of.map(single)
      : [{ node, members: of, message: batchMessage(world, members, of.length) }],
  );
}

/** Uncompressed length of a batch without its bitfield, bytes (EIP-8243). */
const batchBytes = 437;

/**
 * Returns a batch created at the source: three signatures (the batch's own, its seal and that of the votes), and two
 * keys per vote (EIP-8243).
 */
function batchMessage({ scenario }: NetworkWorld, members: number, votes: number): MessageCosts {
  const keyUs = (2 * votes * machines[scenario.client.machine].additionNs) / 1000;
  return { bytes: batchBytes + Math.ceil((members + 1) / 8), sets: 3, keyUs, priority: Priority.vote };
}

/** Returns the message of a vote on a subnet. */
export function voteMessage({ scenario, system, post }: NetworkWorld, members: number): MessageCosts {
  if (post !== undefined) return postMessage(post, 1, 1);
  const { bundles } = scenario.gossip;
  // A vote that is sent separately travels in a bundle of one vote.
  if (bundles !== undefined)
    return { bytes: bundles.dataBytes + bundles.voteBytes, sets: 1, keyUs: 0, priority: Priority.vote };
  const bytes = system.wire === 'electra' ? singleAttestationBytes : attestationBytes(members, 1);
  return { bytes, sets: 1, keyUs: 0, priority: Priority.vote };
}

/**
 * Returns the message of an aggregator or a collector. The message has three signature sets: the selection proof's, its
 * own and the aggregate's (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof). A verifier also sums
 * the keys of the aggregate's votes.
 *
 * @param members number of members of the group that the message covers.
 * @param weight number of votes in the message.
 */
export function aggregateMessage(
  { scenario, system, post }: NetworkWorld,
  members: number,
  weight: number,
  priority: Priority,
): MessageCosts {
  if (post !== undefined) return postMessage(post, members, weight);
  const committeeBits = system.wire === 'electra' ? Math.ceil(system.subcommittees / 8) : 0;
  const { additionNs } = machines[scenario.client.machine];
  return {
    bytes: aggregateAndProofBytes(members, weight, committeeBits),
    sets: 3,
    keyUs: keysUs(members, weight, scenario.keySums, additionNs),
    priority,
  };
}

/**
 * Returns a message under the post's assumptions: it takes no time on a link, and waits in one queue with all other
 * messages.
 */
function postMessage({ costs }: PostRules, members: number, weight: number): MessageCosts {
  return { bytes: 0, sets: 0, keyUs: verificationUs(members, weight, costs), priority: Priority.global };
}

// Lengths of SSZ containers: consensus-specs, phase0 and electra beacon-chain.md and validator.md.

/**
 * Uncompressed length, in bytes, of AttestationData: slot, index, a root, and two checkpoints with an epoch and a root
 * each.
 */
const attestationDataBytes = 8 + 8 + 32 + 2 * (8 + 32);
/** Uncompressed length of the offset of a variable-length part in a container, bytes. */
const offsetBytes = 4;

/**
 * Number of bytes that Snappy saves in an AttestationData, because slot, index and epochs contain zeros. In a
 * measurement, a SingleAttestation of 240 bytes shrinks to 229 bytes.
 */
const snappySavedBytes = 11;

/** Length, in bytes, of a SingleAttestation (electra) after Snappy: committee, attester, data, signature. */
export const singleAttestationBytes = 2 * 8 + attestationDataBytes + blsSignatureBytes - snappySavedBytes;

/**
 * Returns the length, in bytes, of a pre-Electra Attestation after Snappy: offset, data, signature, bits and the
 * terminating bit. The attestation's bitfield has `ones` set bits.
 */
export function attestationBytes(members: number, ones: number): number {
  return (
    offsetBytes +
    attestationDataBytes +
    blsSignatureBytes -
    snappySavedBytes +
    snappyBitfieldBytes(members + 1, ones + 1)
  );
}

/**
 * Returns the length, in bytes, of a SignedAggregateAndProof after Snappy: the sender's signature, index and selection
 * proof, and an attestation. Snappy shortens only the attestation.
 *
 * @param committeeBits length of the committee bits of Electra's attestations, bytes; 0 before Electra.
 */
export function aggregateAndProofBytes(members: number, ones: number, committeeBits: number): number {
  return 2 * offsetBytes + blsSignatureBytes + 8 + blsSignatureBytes + committeeBits + attestationBytes(members, ones);
}

/**
 * Lengths of random bitfields after Snappy, bytes, by the share of ones: measured means at 512 and at 32,768 bits.
 * `npx tutti horn tables --section bandwidth` prints similar numbers.
 */
const snappyBytes = {
  shares: [0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1],
  bits: [512, 32_768],
  bytes: [
    [67, 66, 58, 42, 32, 24, 14, 6],
    [4101, 3562, 2545, 1519, 995, 626, 288, 196],
  ],
} as const;

/**
 * Returns the length of a bitfield with random ones after Snappy, bytes. Interpolates the compressed fraction of the
 * bitfield between the measured lengths: linearly in the share of ones, and linearly in the logarithm of the number of
 * bits. A share of ones below a half counts as a half. A number of bits outside the measured range counts as the
 * nearest measured number.
 */
export function snappyBitfieldBytes(bits: number, ones: number): number {
  const share = Math.min(1, Math.max(0.5, ones / bits));
  const { shares, bits: sizes, bytes } = snappyBytes;
  const right = Math.max(
    1,
    shares.findIndex((one) => one >= share),
  );
  const along = (share - shares[right - 1]!) / (shares[right]! - shares[right - 1]!);
  const [small, large] = sizes.map((size, index) => {
    const of = bytes[index]!;
    return (of[right - 1]! + along * (of[right]! - of[right - 1]!)) / (size / 8);
  }) as [number, number];
  const between = Math.min(1, Math.max(0, Math.log(bits / sizes[0]) / Math.log(sizes[1] / sizes[0])));
  return Math.round((small + between * (large - small)) * Math.ceil(bits / 8));
}
