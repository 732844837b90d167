import { hasMember } from '@tutti/core/horn';
import { keysUs, machines, verificationUs } from '../../horn/costs.ts';
import { type BatchCosts, blsBatchCosts } from '../../horn/network/client.ts';
import { aggregateAndProofBytes, attestationBytes, singleAttestationBytes } from '../../horn/network/wireBytes.ts';
import { type GossipMessage, Priority } from './gossipState.ts';
import type { NetworkWorld, PostRules } from './networkWorld.ts';

type Costed = Omit<GossipMessage, 'topic' | 'together'>;

/**
 * Returns the verification times of a batch and of a signature set. In the post's world, all time belongs to the single
 * message.
 */
export function batchCostsOf({ scenario, post }: NetworkWorld): BatchCosts {
  return post === undefined ? blsBatchCosts(scenario.client) : { batchUs: 0, setUs: 0, summedUs: 0 };
}

/** Message of a node to a subnet: a vote, or several votes together. */
export interface Ballot {
  readonly node: number;
  /** Members of the subcommittee whose votes are in the message. */
  readonly members: readonly number[];
  readonly message: Costed;
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
    byNode.set(node, [...(byNode.get(node) ?? []), member]);
  }
  return [...byNode].flatMap(([node, of]) =>
    of.length < scenario.sourceBatches
      ? of.map(single)
      : [{ node, members: of, message: batchMessage(world, members, of.length) }],
  );
}

/**
 * Returns a batch created at the source: three signatures (its own, its seal and that of the votes), and two keys per
 * vote (EIP-8243).
 */
function batchMessage({ scenario }: NetworkWorld, members: number, votes: number): Costed {
  const keyUs = (2 * votes * machines[scenario.client.machine].additionNs) / 1000;
  return { bytes: 437 + Math.ceil((members + 1) / 8), sets: 3, keyUs, priority: Priority.vote };
}

/** Returns the message of a vote on a subnet. */
export function voteMessage({ scenario, system, post }: NetworkWorld, members: number): Costed {
  if (post !== undefined) return postMessage(post, 1, 1);
  const { bundles } = scenario.gossip;
  // The vote travels in its own bundle.
  if (bundles !== undefined)
    return { bytes: bundles.dataBytes + bundles.voteBytes, sets: 1, keyUs: 0, priority: Priority.vote };
  const bytes = system.wire === 'electra' ? singleAttestationBytes : attestationBytes(members, 1);
  return { bytes, sets: 1, keyUs: 0, priority: Priority.vote };
}

/**
 * Returns the message of an aggregator or a collector. It has three signature sets: its selection proof, its own and
 * the aggregate one (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof). Its keys must also be
 * summed.
 *
 * @param weight number of votes in the message.
 */
export function aggregateMessage(
  { scenario, system, post }: NetworkWorld,
  members: number,
  weight: number,
  priority: Priority,
): Costed {
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
 * Returns a message with the post's assumptions: it takes no time on a link, and waits in one queue with all others.
 */
function postMessage({ costs }: PostRules, members: number, weight: number): Costed {
  return { bytes: 0, sets: 0, keyUs: verificationUs(members, weight, costs), priority: Priority.global };
}
