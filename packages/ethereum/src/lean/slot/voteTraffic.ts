import { RandomStream } from '@tutti/core';
import { createNetwork } from '@tutti/simulation/engine';
import { GossipRun } from '../../slots/network/gossipRun.ts';
import { Priority } from '../../slots/network/gossipState.ts';
import { leanClient, leanCosts, leanGossip, linksOf } from './run.ts';
import { type LeanScenario, sizesOf, validateLeanScenario } from './scenario.ts';

/** Maximum number of simulated votes per subnet. Links and cores are as busy as with all votes. */
const sampledVotes = 8;

/** Bytes of votes that a node receives on subnets in a slot, as the mean over its class. */
export interface VoteTraffic {
  readonly aggregators: number;
  readonly others: number;
}

/**
 * Simulates the votes of a slot on their subnets' topics, to measure the cost of {@link LeanScenario.subscribers}
 * (zeam#811). Aggregators are on the topics of their duties. Each vote is published by a random node, not by the node of
 * its validator. A node that is not on a topic publishes to D members of that topic.
 */
export function voteTraffic(scenario: LeanScenario): VoteTraffic {
  validateLeanScenario(scenario);
  const { profile, nodes, subnets, aggregators, seed, skewMs } = scenario;
  const links = linksOf(scenario, new Float64Array(nodes).fill(1));
  const network = createNetwork(scenario.network, nodes, seed);
  const random = new RandomStream(seed, 'lean vote traffic');
  const membersOf = subscribersOf(scenario);
  const ofSubnet = Math.ceil(profile.validators / subnets);
  const sampled = Math.min(sampledVotes, ofSubnet);
  const load = new Float64Array(nodes).fill(ofSubnet / sampled);
  const setting = { nodes: { ...links, load }, network, gossip: leanGossip, client: leanClient, costs: leanCosts };
  const run = new GossipRun(setting, seed);
  for (let subnet = 0; subnet < subnets; subnet++) {
    const topic = run.addTopic(Int32Array.from(membersOf(subnet)));
    for (let vote = 0; vote < sampled; vote++) {
      const atUs = 1000 * (profile.times.attestMs + skewMs * random.nextUnit());
      const message = { topic, bytes: profile.votes.bytes, sets: 0, keyUs: 1000 * profile.verifier.voteMs };
      run.publish(atUs, random.nextBelow(nodes), { ...message, priority: Priority.vote, together: 1 });
    }
  }
  run.run(1000 * (profile.times.attestMs + profile.times.slotMs));
  const { received } = run.through();
  const mean = (from: number, to: number) =>
    received.slice(from, to).reduce((sum, one) => sum + one, 0) / Math.max(1, to - from);
  return { aggregators: mean(0, aggregators), others: mean(aggregators, nodes) };
}

/** Returns the nodes on the topic of a subnet. */
function subscribersOf(scenario: LeanScenario): (subnet: number) => number[] {
  const { profile, nodes, subnets, subscribers } = scenario;
  const { duties } = sizesOf(scenario);
  const all = Array.from({ length: nodes }, (_, node) => node);
  // A node has groups of consecutive validators, one validator from each subnet.
  const groups = Math.ceil(profile.validators / subnets);
  const isOn = (node: number, subnet: number) => {
    if (duties[node] === subnet || subscribers === 'all') return true;
    if (subscribers === 'aggregators') return false;
    if (subscribers === 'own-subnet') return node % subnets === subnet;
    for (let group = node; group < groups; group += nodes) {
      if (group * subnets + subnet < profile.validators) return true;
    }
    return false;
  };
  return (subnet) => all.filter((node) => isOn(node, subnet));
}
