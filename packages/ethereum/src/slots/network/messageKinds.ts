import { hasMember } from '@tutti/core/horn-rules';
import { keysUs, machines, verificationUs } from '../../horn/costs.ts';
import { type BatchCosts, blsBatchCosts } from '../../horn/network/client.ts';
import { aggregateAndProofBytes, attestationBytes, singleAttestationBytes } from '../../horn/network/wireBytes.ts';
import { type GossipMessage, Priority } from './gossipState.ts';
import type { NetworkWorld, PostRules } from './networkWorld.ts';

type Costed = Omit<GossipMessage, 'topic' | 'together'>;

/** What a batch and a signature set take; all of a message of the post's is its own. */
export function batchCostsOf({ scenario, post }: NetworkWorld): BatchCosts {
  return post === undefined ? blsBatchCosts(scenario.client) : { batchUs: 0, setUs: 0, summedUs: 0 };
}

/** What a node sends to a subnet: a vote, or several in one message. */
export interface Ballot {
  readonly node: number;
  /** Members of the subcommittee. */
  readonly members: readonly number[];
  readonly message: Costed;
}

/** All votes of a subcommittee, as they are sent. */
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

/** A batch at the source: three signatures, its own, its seal and the votes', and two keys a vote (EIP-8243). */
function batchMessage({ scenario }: NetworkWorld, members: number, votes: number): Costed {
  const keyUs = (2 * votes * machines[scenario.client.machine].additionNs) / 1000;
  return { bytes: 437 + Math.ceil((members + 1) / 8), sets: 3, keyUs, priority: Priority.vote };
}

/** A vote on a subnet. */
export function voteMessage({ scenario, system, post }: NetworkWorld, members: number): Costed {
  if (post !== undefined) return postMessage(post, 1, 1);
  const { bundles } = scenario.gossip;
  // In a bundle of its own.
  if (bundles !== undefined)
    return { bytes: bundles.dataBytes + bundles.voteBytes, sets: 1, keyUs: 0, priority: Priority.vote };
  const bytes = system.wire === 'electra' ? singleAttestationBytes : attestationBytes(members, 1);
  return { bytes, sets: 1, keyUs: 0, priority: Priority.vote };
}

/**
 * What an aggregator or a collector sends: three signature sets, its selection proof, its own, and the aggregate one
 * (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof), and a key to be summed.
 *
 * @param weight votes in it.
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

/** The post's: of no length on a link, and in one line with all others. */
function postMessage({ costs }: PostRules, members: number, weight: number): Costed {
  return { bytes: 0, sets: 0, keyUs: verificationUs(members, weight, costs), priority: Priority.global };
}
