import { createNetwork, renumbered } from '@tutti/simulation/engine';
import { clientPresets } from '../horn/network/client.ts';
import { ethereumGossipsub } from '../horn/network/gossipsub.ts';
import { bytesPerUs, linkPresets } from '../horn/network/linkClasses.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../horn/network/scenario.ts';
import { type VotingSystem, votingSystems } from '../horn/network/systems.ts';
import type { NetworkWorld, PostRules, Subcommittee } from './network/networkWorld.ts';
import { votesIn } from './network/voteGroups.ts';
import type { SlotScenario } from './slotScenario.ts';
import { electedOf, rolesOf, type SlotWorld } from './slotWorld.ts';

/**
 * Creates a network with the assumptions of Horn's post. It has one node per validator, numbered by its place, and
 * links without limits. Gossip is plain, on meshes of degree D of live nodes. Each node verifies one message after
 * another, and is on the topics of its own subcommittee and committee.
 */
export function createPostWorld(scenario: SlotScenario, slot: SlotWorld): NetworkWorld {
  const { order, present, attack, casts, voters, subcommittee, committee, collects } = slot;
  const nodes = present.length;
  const { aggregators, collectors } = electedOf(slot);
  const drawn = aggregators.map((places, group): Subcommittee => {
    const of = { start: group * subcommittee, members: subcommittee, aggregators: places };
    return { ...of, ...votesIn(of, casts, attack) };
  });
  const allNodes = new Int32Array(nodes).map((_, node) => node);
  const there = slot.presentCount === nodes ? allNodes : allNodes.filter((place) => present[place] === 1);
  // Groups are consecutive, and so are the present members of each group.
  const presentOf = (members: number): Int32Array[] => {
    let from = 0;
    return Array.from({ length: voters / members }, (_, group) => {
      let to = from;
      while (to < there.length && there[to]! < (group + 1) * members) to++;
      const of = there.subarray(from, to);
      from = to;
      return of;
    });
  };
  // Each node that votes is on one topic of each kind.
  const topicsOf = new Int32Array(nodes);
  topicsOf.set(present.subarray(0, voters));
  const post: PostRules = {
    costs: scenario,
    lateUs: slot.lateUs,
    present: there,
    proposer: slot.proposer,
  };
  const links = Float64Array.of(bytesPerUs(linkPresets.unlimited[0].upMbps));
  const network = createNetwork(scenario.network, nodes, scenario.seed, scenario.tor);
  let cast = 0;
  for (let place = 0; place < voters; place++) if (casts[place] === 1 && attack[place] === -1) cast++;
  return {
    scenario: networkScenarioOf(scenario, slot),
    system: systemOf(scenario, slot),
    validators: nodes,
    validatorsOf: voters === nodes ? topicsOf : new Int32Array(present),
    classOf: new Uint8Array(nodes),
    up: links,
    down: links,
    nodeAt: allNodes.subarray(0, voters),
    subcommittees: drawn,
    collectors: collects ? collectors : [],
    clients: undefined,
    subnets: presentOf(subcommittee),
    observers: new Int32Array(0),
    committeeTopics: collects ? presentOf(committee) : [],
    subnetsOf: topicsOf,
    committeeTopicsOf: collects ? topicsOf : new Int32Array(nodes),
    // Votes take no time on a link, so their number has no effect.
    votesOf: topicsOf,
    castUs: slot.lateUs.map((us) => slot.clock.attestUs + us),
    cast,
    attackOf: attack,
    attack: attack.subarray(0, voters),
    roles: rolesOf(scenario, slot),
    post,
    network: (among) =>
      renumbered(
        network,
        among.map((place) => order[place]!),
      ),
  };
}

function systemOf(
  { parameters: { collectors, aggregators } }: SlotScenario,
  { clock, collects, votingCommittees, subcommittees }: SlotWorld,
): VotingSystem {
  const endMs = clock.endUs / 1000;
  return {
    ...votingSystems[collects ? 'horn' : 'strawman'],
    committees: votingCommittees,
    subcommittees,
    collectors: collects ? collectors : 0,
    aggregators,
    attestMs: clock.attestUs / 1000,
    aggregateMs: clock.aggregateUs / 1000,
    collectMs: clock.collectUs / 1000,
    slotMs: endMs,
    blockMs: endMs,
  };
}

function networkScenarioOf(
  scenario: SlotScenario,
  { present: { length: validators }, collects }: SlotWorld,
): NetworkScenario {
  const system = collects ? 'horn' : 'strawman';
  return { ...plainScenario({ ...scenario, system }), validators, nodes: validators, distribution: 'one-each' };
}

/** Returns a scenario with plain gossip over links without limits, where each message is verified separately. */
export function plainScenario({
  system,
  attacks,
  degree,
  network,
  seed,
}: Pick<NetworkScenario, 'system' | 'attacks' | 'network' | 'seed'> & { readonly degree: number }): NetworkScenario {
  return {
    ...defaultNetworkScenario,
    system,
    links: linkPresets.unlimited,
    client: { ...defaultNetworkScenario.client, ...clientPresets.singly, cores: 1 },
    gossip: { ...ethereumGossipsub, d: degree, idontwantBytes: undefined, overheadBytes: 0 },
    network,
    attacks,
    seed,
  };
}
