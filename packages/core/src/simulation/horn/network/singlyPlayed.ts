import { addMember, emptySet, hasMember, type MemberSet, sizeBeyond, sizeOf } from '../../../horn/play/memberSet.ts';
import { keepBest, noAggregate } from '../../../horn/rules.ts';
import { shuffle } from '../../../overlay/shuffle.ts';
import { join } from './bestSets.ts';
import { type GossipMessage, GossipRun, Priority } from './gossipRun.ts';
import { gatherByHandel } from './handelGathering.ts';
import { loadsByClass, noLoad, scaled, sumOf } from './loads.ts';
import { aggregateMessage, aggregationUs, batchCostsOf, voteMessage } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import { DelayCollector, type LayerLoad, layers, type PlayedSlot, type PublishedSet } from './playedSlot.ts';

/** A validator with a duty, by its place, and the node that does it for it. */
type Duty<Had> = { readonly place: number; readonly had: Had };

/** An aggregate or a collection of a group. */
type Alike = { readonly message: number; readonly bits: MemberSet };

/** Plays every message of some slots in a row, all topics at once. For some hundred nodes and some thousand votes. */
export function playSingly(world: NetworkWorld, slots = 1): PlayedSlot[] {
  const play = new SinglyPlay(world);
  return Array.from({ length: slots }, (_, slot) => play.next(slot));
}

class SinglyPlay {
  readonly #world: NetworkWorld;
  readonly #run: GossipRun;
  readonly #everybody: Int32Array;
  readonly #subnets: readonly number[];
  readonly #committeeTopics: readonly number[];
  readonly #global: number;
  /** What a node does with a message that it has verified, by message; and what is done at a time. */
  readonly #meanings: ((node: number, atUs: number) => void)[] = [];
  readonly #actions: (() => void)[] = [];
  #loads: readonly LayerLoad[];
  #dropped = 0;
  #events = 0;

  constructor(world: NetworkWorld) {
    this.#world = world;
    const { scenario, up, down } = world;
    const { nodes, gossip, client, seed } = scenario;
    const load = new Float64Array(nodes).fill(1);
    const run = new GossipRun({ up, down, load }, world.network(), gossip, client, batchCostsOf(world), seed);
    this.#run = run;
    this.#subnets = world.subnets.map((members) => run.addTopic(members));
    this.#committeeTopics = world.committeeTopics.map((members) => run.addTopic(members));
    this.#everybody = Int32Array.from({ length: nodes }, (_, node) => node);
    this.#global = run.addTopic(this.#everybody);
    this.#loads = scenario.links.map(() => noLoad);
    run.onVerified = (message, node, atUs) => this.#meanings[message]!(node, atUs);
    run.onAct = (action) => this.#actions[action]!();
  }

  /** The next slot, with what the one before has left to links and cores. Duties are the same in all. */
  next(slot: number): PlayedSlot {
    const { scenario, system, nodeAt, subcommittees, collectors } = this.#world;
    const run = this.#run;
    const startUs = 1000 * system.slotMs * slot;
    const [attestUs, aggregateUs, collectUs, blockUs] = [
      system.attestMs,
      system.aggregateMs,
      system.collectMs,
      system.blockMs,
    ].map((ms) => startUs + 1000 * ms) as [number, number, number, number];
    const sent: { readonly message: number; readonly atUs: number; readonly dueUs: number; readonly layer: number }[] =
      [];
    const sets: PublishedSet[] = [];
    const verifiedUs: Int32Array[] = [];
    const aggregates: PublishedSet[] = [];
    const publish = (
      layer: number,
      atUs: number,
      place: number,
      message: GossipMessage,
      onVerified: (node: number, atUs: number) => void,
    ): number => {
      const number = run.publish(atUs, nodeAt[place]!, message);
      this.#meanings[number] = onVerified;
      sent.push({ message: number, atUs, dueUs: [aggregateUs, collectUs, blockUs][layer]!, layer });
      return number;
    };
    const publishGlobal = (set: PublishedSet, place: number, members: number): number => {
      const of = new Int32Array(scenario.nodes).fill(-1);
      sets.push({ ...set, sentUs: set.sentUs - startUs });
      verifiedUs.push(of);
      const message = aggregateMessage(this.#world, members, set.weight, Priority.global);
      return publish(2, set.sentUs, place, { ...message, topic: this.#global, together: 1 }, (node, atUs) => {
        of[node] = atUs - startUs;
      });
    };

    if (system.gathering === 'handel') {
      for (const { place, set, members } of gatherByHandel(this.#world).published) {
        publishGlobal({ ...set, sentUs: set.sentUs + startUs }, place, members);
      }
    } else {
      const aggregatorsAt = subcommittees.map(({ members, aggregators }) =>
        dutiesByNode(aggregators, nodeAt, () => emptySet(members)),
      );
      const collectorsAt = collectors.map((places) =>
        dutiesByNode(places, nodeAt, () => new Int32Array(system.subcommittees).fill(noAggregate)),
      );
      this.#castVotes(scenario.seed + slot, (group, member) => {
        const { start, members } = subcommittees[group]!;
        const message = { ...voteMessage(this.#world, members), topic: this.#subnets[group]!, together: 1 };
        publish(0, attestUs, start + member, message, (node) => {
          for (const { had } of aggregatorsAt[group]!.get(node) ?? []) addMember(had, member);
        });
      });
      this.#at(aggregateUs, () => {
        subcommittees.forEach(({ members }, group) => {
          const alike: Alike[] = [];
          for (const { place, had } of inOrder(aggregatorsAt[group]!)) {
            // Votes verified from now on are not included.
            const bits = had.slice();
            const weight = sizeOf(bits);
            if (weight === 0) continue;
            const set = { group, sentUs: aggregateUs + aggregationUs(this.#world, weight), weight, bits };
            const send = collectors.length === 0 ? publishGlobal : publishAggregate;
            alike.push({ message: send(set, place, members), bits });
          }
          this.#cover(alike);
        });
      });
      const publishAggregate = (set: PublishedSet, place: number, members: number): number => {
        const number = aggregates.push(set) - 1;
        const committee = Math.floor(set.group / system.subcommittees);
        const index = set.group % system.subcommittees;
        const message = aggregateMessage(this.#world, members, set.weight, Priority.committee);
        const topic = this.#committeeTopics[committee]!;
        return publish(1, set.sentUs, place, { ...message, topic, together: 1 }, (node) => {
          for (const { had: best } of collectorsAt[committee]!.get(node) ?? []) {
            keepBest(best, index, number, (one) => aggregates[one]!.weight);
          }
        });
      };
      if (collectors.length > 0) {
        this.#at(collectUs, () => {
          collectorsAt.forEach((byNode, committee) => {
            const first = committee * system.subcommittees;
            const alike: Alike[] = [];
            for (const { place, had: best } of inOrder(byNode)) {
              const { bits, weight, members } = join(subcommittees, first, best, aggregates);
              if (weight === 0) continue;
              const set = { group: committee, sentUs: collectUs, weight, bits };
              alike.push({ message: publishGlobal(set, place, members), bits });
            }
            this.#cover(alike);
          });
        });
      }
    }
    run.run(blockUs);

    const delays = layers.map(() => new DelayCollector());
    for (const { message, atUs, dueUs, layer } of sent) {
      for (const at of run.hadUs(message)) if (at !== atUs) delays[layer]!.add(atUs, at, dueUs);
    }
    const before = { loads: this.#loads, dropped: this.#dropped, events: this.#events };
    this.#loads = loadsByClass(this.#world, run, this.#everybody);
    this.#dropped = run.dropped;
    this.#events = run.events;
    return {
      sets,
      observers: this.#everybody,
      verifiedUs,
      delays: Object.fromEntries(
        layers.flatMap((layer, index) => {
          const result = delays[index]!.result();
          return result === undefined ? [] : [[layer, result]];
        }),
      ),
      loads: this.#loads.map((load, index) => sumOf([load, scaled(before.loads[index]!, -1)])),
      layerLoads: {},
      unfinished: [],
      dropped: run.dropped - before.dropped,
      backlog: undefined,
      events: run.events - before.events,
    };
  }

  /** Tells the run which of a group's aggregates have all that others of it have. */
  #cover(alike: readonly Alike[]): void {
    if (this.#world.scenario.client.ignoresCovered !== true) return;
    for (const { message, bits } of alike) {
      const by = alike.filter((other) => other.message !== message && sizeBeyond(bits, other.bits) === 0);
      this.#run.cover(
        message,
        by.map((other) => other.message),
      );
    }
  }

  #at(atUs: number, act: () => void): void {
    this.#run.at(atUs, this.#actions.push(act) - 1);
  }

  /** The votes of one node leave one after another, in no order. */
  #castVotes(seed: number, cast: (group: number, member: number) => void): void {
    const votes = this.#world.subcommittees.flatMap(({ members, casts }, group) =>
      Array.from({ length: members }, (_, member) => ({ group, member })).filter(({ member }) =>
        hasMember(casts, member),
      ),
    );
    for (const index of shuffle(votes.length, seed, 'order of votes')) {
      const { group, member } = votes[index]!;
      cast(group, member);
    }
  }
}

function dutiesByNode<Had extends MemberSet>(
  places: readonly number[],
  nodeAt: Int32Array,
  create: () => Had,
): Map<number, Duty<Had>[]> {
  const byNode = new Map<number, Duty<Had>[]>();
  for (const place of places) {
    const node = nodeAt[place]!;
    const duties = byNode.get(node) ?? [];
    duties.push({ place, had: create() });
    byNode.set(node, duties);
  }
  return byNode;
}

function inOrder<Had>(byNode: ReadonlyMap<number, readonly Duty<Had>[]>): Duty<Had>[] {
  return [...byNode.values()].flat().sort((a, b) => a.place - b.place);
}
