import { machines } from '../../horn/costs/machines.ts';
import { keysUs } from '../../horn/costs/verification.ts';
import { type BatchCosts, blsBatchCosts } from '../../horn/network/client.ts';
import { aggregateAndProofBytes, attestationBytes, singleAttestationBytes } from '../../horn/network/wireBytes.ts';
import { type GossipMessage, Priority } from './gossipState.ts';
import type { NetworkWorld } from './networkWorld.ts';

type Costed = Omit<GossipMessage, 'topic' | 'together'>;

/** What a batch and a signature set take, by the system's signatures. */
export function batchCostsOf({ scenario, system }: NetworkWorld): BatchCosts {
  // Hash-based signatures have no common part that a batch would share.
  if (system.wire === 'xmss') return { batchUs: 0, setUs: 1000 * scenario.postQuantum.verifyMs };
  return blsBatchCosts(scenario.client);
}

/** A vote on a subnet. */
export function voteMessage({ scenario, system }: NetworkWorld, members: number): Costed {
  const { postQuantum } = scenario;
  const bytes = {
    phase0: attestationBytes(members, 1),
    electra: singleAttestationBytes,
    xmss: singleAttestationBytes - 96 + postQuantum.signatureBytes,
  }[system.wire];
  return { bytes, sets: 1, keyUs: 0, priority: Priority.vote };
}

/**
 * What an aggregator or a collector sends: three signature sets, its selection proof, its own, and the aggregate one
 * (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof), and a key to be summed. Hash-based: one
 * proof.
 *
 * @param weight votes in it.
 */
export function aggregateMessage(
  { scenario, system }: NetworkWorld,
  members: number,
  weight: number,
  priority: Priority,
): Costed {
  const { postQuantum } = scenario;
  if (system.wire === 'xmss') {
    const keyUs = 1000 * postQuantum.verifyProofMs;
    return { bytes: postQuantum.proofBytes + Math.ceil(members / 8) + 128, sets: 0, keyUs, priority };
  }
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
 * From when an aggregator has what it aggregates until it is ready to send, microseconds: nothing for BLS, else a
 * proof.
 */
export function aggregationUs({ scenario, system }: NetworkWorld, weight: number): number {
  if (system.wire !== 'xmss') return 0;
  const { proofSeconds, provedPerSecond } = scenario.postQuantum;
  return Math.round(1e6 * (proofSeconds + weight / provedPerSecond));
}
