import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '../../../horn/play/memberSet.ts';
import { shuffle } from '../../../overlay/shuffle.ts';
import { join } from './bestSets.ts';
import { GossipRun, Priority } from './gossipRun.ts';
import { gatherByHandel } from './handelGathering.ts';
import { loadsByClass } from './loads.ts';
import { aggregateMessage, aggregationUs, batchCostsOf, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { DelayCollector, type PlayedSlot, type PublishedSet } from './playedSlot.ts';

/** What a message of the run is. */
type Meaning =
  | { readonly kind: 'vote'; readonly group: number; readonly member: number }
  | { readonly kind: 'aggregate'; readonly set: number }
  | { readonly kind: 'global'; readonly set: number };

/** Plays every message of a slot, all topics at once. For some hundred nodes and some thousand votes. */
export function playSingly(world: NetworkWorld): PlayedSlot {
  const { scenario, system, nodeAt, subcommittees, up, down } = world;
  const { nodes, gossip, client, seed } = scenario;
  const load = new Float64Array(nodes).fill(1);
  const run = new GossipRun({ up, down, load }, world.network(), gossip, client, batchCostsOf(world), seed);
  const [attestUs, aggregateUs, collectUs, blockUs] = [
    system.attestMs,
    system.aggregateMs,
    system.collectMs,
    system.blockMs,
  ].map((ms) => 1000 * ms) as [number, number, number, number];
  const subnets = world.subnets.map((members) => run.addTopic(members));
  const committeeTopics = world.committeeTopics.map((members) => run.addTopic(members));
  const everybody = Int32Array.from({ length: nodes }, (_, node) => node);
  const global = run.addTopic(everybody);
  const meanings: Meaning[] = [];
  const sent: { readonly message: number; readonly atUs: number; readonly dueUs: number; readonly layer: number }[] =
    [];
  const sets: PublishedSet[] = [];
  const setMessages: number[] = [];
  const verifiedUs: Int32Array[] = [];
  const aggregates: PublishedSet[] = [];
  /** By aggregator's place and collector's place: what it has. */
  const had = new Map<number, MemberSet>();
  const best = new Map<number, Int32Array>();
  const aggregatorsAt = new Map<string, number[]>();
  const collectorsAt = new Map<string, number[]>();
  const note = (message: number, meaning: Meaning, atUs: number, dueUs: number, layer: number): number => {
    meanings[message] = meaning;
    sent.push({ message, atUs, dueUs, layer });
    return message;
  };
  const publishGlobal = (atUs: number, place: number, set: PublishedSet, members: number): void => {
    const number = sets.push(set) - 1;
    verifiedUs.push(new Int32Array(nodes).fill(-1));
    const message = aggregateMessage(world, members, set.weight, Priority.global);
    setMessages.push(
      note(
        run.publish(atUs, nodeAt[place]!, { ...message, topic: global, together: 1 }),
        { kind: 'global', set: number },
        atUs,
        blockUs,
        2,
      ),
    );
  };
  const isCollecting = system.collectors > 0;

  run.onVerified = (message, node, atUs) => {
    const meaning = meanings[message]!;
    if (meaning.kind === 'vote') {
      for (const place of aggregatorsAt.get(`${node}:${meaning.group}`) ?? [])
        addMember(had.get(place)!, meaning.member);
    } else if (meaning.kind === 'global') {
      verifiedUs[meaning.set]![node] = atUs;
    } else {
      const { group, weight } = aggregates[meaning.set]!;
      const committee = Math.floor(group / system.subcommittees);
      for (const place of collectorsAt.get(`${node}:${committee}`) ?? []) {
        const of = best.get(place)!;
        const index = group % system.subcommittees;
        if (of[index] === -1 || aggregates[of[index]!]!.weight < weight) of[index] = meaning.set;
      }
    }
  };

  if (system.gathering === 'handel') {
    for (const { place, set, members } of gatherByHandel(world).published)
      publishGlobal(set.sentUs, place, set, members);
  } else {
    const votes: { readonly group: number; readonly member: number }[] = [];
    subcommittees.forEach(({ members, aggregators, casts }, group) => {
      for (const place of aggregators) {
        had.set(place, emptySet(members));
        const key = `${nodeAt[place]!}:${group}`;
        aggregatorsAt.set(key, [...(aggregatorsAt.get(key) ?? []), place]);
      }
      for (let member = 0; member < members; member++) {
        if (hasMember(casts, member)) votes.push({ group, member });
      }
    });
    // The votes of one node leave one after another, in no order.
    for (const index of shuffle(votes.length, seed, 'order of votes')) {
      const { group, member } = votes[index]!;
      const { start, members } = subcommittees[group]!;
      const message = { ...voteMessage(world, members), topic: subnets[group]!, together: 1 };
      const number = run.publish(attestUs, nodeAt[start + member]!, message);
      note(number, { kind: 'vote', group, member }, attestUs, aggregateUs, 0);
    }
    world.collectors.forEach((places, committee) => {
      for (const place of places) {
        best.set(place, new Int32Array(system.subcommittees).fill(-1));
        const key = `${nodeAt[place]!}:${committee}`;
        collectorsAt.set(key, [...(collectorsAt.get(key) ?? []), place]);
      }
    });
    run.at(aggregateUs, 0);
    if (isCollecting) run.at(collectUs, 1);
  }

  run.onAct = (action) => {
    if (action === 0) {
      subcommittees.forEach(({ members, aggregators }, group) => {
        for (const place of aggregators) {
          const bits = had.get(place)!;
          const weight = sizeOf(bits);
          if (weight === 0) continue;
          const sentUs = aggregateUs + aggregationUs(world, weight);
          const set = { group, sentUs, weight, bits };
          if (!isCollecting) {
            publishGlobal(sentUs, place, set, members);
            continue;
          }
          const number = aggregates.push(set) - 1;
          const topic = committeeTopics[Math.floor(group / system.subcommittees)]!;
          const message = { ...aggregateMessage(world, members, weight, Priority.committee), topic, together: 1 };
          note(run.publish(sentUs, nodeAt[place]!, message), { kind: 'aggregate', set: number }, sentUs, collectUs, 1);
        }
      });
      return;
    }
    world.collectors.forEach((places, committee) => {
      const first = committee * system.subcommittees;
      for (const place of places) {
        const { bits, weight, members } = join(
          subcommittees,
          first,
          system.subcommittees,
          best.get(place)!,
          aggregates,
        );
        if (weight > 0) publishGlobal(collectUs, place, { group: committee, sentUs: collectUs, weight, bits }, members);
      }
    });
  };
  run.run(blockUs);

  const collectorsOfDelay = [new DelayCollector(), new DelayCollector(), new DelayCollector()] as const;
  for (const { message, atUs, dueUs, layer } of sent) {
    for (const at of run.verifiedUs(message)) if (at !== atUs) collectorsOfDelay[layer]!.add(atUs, at, dueUs);
  }
  const [onSubnets, onCommittees, onGlobal] = collectorsOfDelay.map((one) => one.result());
  return {
    sets,
    observers: everybody,
    verifiedUs,
    delays: {
      ...(onSubnets && { subnets: onSubnets }),
      ...(onCommittees && { committees: onCommittees }),
      ...(onGlobal && { global: onGlobal }),
    },
    loads: loadsByClass(world, run, everybody),
    layerLoads: {},
    unfinished: [],
    dropped: run.dropped,
    backlog: undefined,
    events: run.events,
  };
}
