import { type MemberSet, sizeBeyond } from '@tutti/core/horn';
import { Priority } from './gossipState.ts';
import { aggregateMessage, type Ballot, type MessageCosts } from './messageKinds.ts';
import {
  type AuthoredSet,
  DelayCollector,
  dueTimesUs,
  type Layer,
  layers,
  type PublishedSet,
  type SlotRun,
  type SlotWatch,
  type SubnetArrivals,
} from './slotRun.ts';
import type { OnVerified, TopicNetwork } from './topicNetwork.ts';

/** A message to publish. */
interface Outgoing {
  /** Index of the message's topic in its layer. */
  readonly topic: number;
  readonly place: number;
  /** Time of sending, µs since the slot began. */
  readonly sentUs: number;
  readonly costs: MessageCosts;
}

/** Messages of one slot that is simulated message by message, and the times at which nodes verified the messages. */
export class SlotMessages {
  /** Start of the slot, µs since the first slot began. */
  readonly startUs: number;
  readonly watch: SlotWatch | undefined;
  /** Sets on the global topic. */
  readonly sets: PublishedSet[] = [];
  /** Time of verification by set and node, µs since the slot began; -1 for never. */
  readonly verifiedUs: Int32Array[] = [];
  readonly #network: TopicNetwork;
  readonly #sent: { readonly message: number; readonly layer: Layer; readonly sentUs: number }[] = [];
  readonly #votes: { readonly subnet: number; readonly message: number; readonly places: readonly number[] }[] = [];
  /** Published sets by layer, group and time of sending. */
  readonly #simultaneous = new Map<string, { readonly message: number; readonly bits: MemberSet }[]>();

  constructor(network: TopicNetwork, startUs: number, watch: SlotWatch | undefined) {
    this.#network = network;
    this.startUs = startUs;
    this.watch = watch;
  }

  /**
   * Publishes a subcommittee's votes on its subnet, when their node casts them.
   *
   * @param places places of the voters.
   */
  publishVotes(group: number, { node, message }: Ballot, places: readonly number[], onVerified: OnVerified): void {
    const sentUs = this.#network.world.castUs[node]!;
    for (const place of places) this.watch?.published('subnets', place, undefined, sentUs);
    const number = this.#publish('subnets', { topic: group, place: places[0]!, sentUs, costs: message }, onVerified);
    this.#votes.push({ subnet: group, message: number, places });
  }

  /** Publishes an aggregate on the topic of its committee. */
  publishAggregate({ place, set, members }: AuthoredSet, onVerified: OnVerified): void {
    const { world } = this.#network;
    const { sentUs, group, weight } = set;
    this.watch?.published('committees', place, set, sentUs);
    const topic = Math.floor(group / world.system.subcommittees);
    const costs = aggregateMessage(world, members, weight, Priority.committee);
    this.#cover('committees', set, this.#publish('committees', { topic, place, sentUs, costs }, onVerified));
  }

  /** Publishes a set on the global topic. */
  publishGlobal({ place, set, members }: AuthoredSet): void {
    const { world } = this.#network;
    const { sentUs, weight } = set;
    this.watch?.published('global', place, set, sentUs);
    const verifiedUs = new Int32Array(world.scenario.nodes).fill(-1);
    this.sets.push(set);
    this.verifiedUs.push(verifiedUs);
    const costs = aggregateMessage(world, members, weight, Priority.global);
    const message = this.#publish('global', { topic: 0, place, sentUs, costs }, (node, atUs) => {
      verifiedUs[node] = atUs - this.startUs;
    });
    this.#cover('global', set, message);
  }

  /** Returns the delays of each layer's messages. Messages sent at or after their due time do not count. */
  delays(): SlotRun['delays'] {
    const { run, world } = this.#network;
    const dueUs = dueTimesUs(world.system);
    const delays = { subnets: new DelayCollector(), committees: new DelayCollector(), global: new DelayCollector() };
    for (const { message, sentUs, layer } of this.#sent) {
      if (sentUs >= dueUs[layer]) continue;
      for (const atUs of this.#sinceStart(run.hadUs(message)))
        if (atUs !== sentUs) delays[layer].add(sentUs, atUs, dueUs[layer]);
    }
    return Object.fromEntries(
      layers.flatMap((layer) => {
        const result = delays[layer].result();
        return result === undefined ? [] : [[layer, result]];
      }),
    );
  }

  /** Returns the times at which each subnet's nodes had verified its votes. */
  arrivals(): SubnetArrivals[] {
    const { run, world } = this.#network;
    return world.subnets.map((members, subnet) => ({
      subnet,
      members,
      votes: this.#votes
        .filter((one) => one.subnet === subnet)
        .map(({ message, places }) => {
          const node = world.nodeAt[places[0]!]!;
          return { places, node, castUs: world.castUs[node]!, verifiedUs: this.#sinceStart(run.verifiedUs(message)) };
        }),
    }));
  }

  /** Reports the results of the messages to the observer. */
  report(watch: SlotWatch): void {
    const { run, topics } = this.#network;
    for (const { message, sentUs, layer } of this.#sent) {
      watch.verified(layer, sentUs, this.#sinceStart(run.verifiedUs(message)));
    }
    for (const layer of layers) {
      const missing = topics[layer].reduce((sum, topic) => sum + run.missingPeers(topic), 0);
      watch.missingPeers(layer, missing / Math.max(1, topics[layer].length));
    }
  }

  #publish(layer: Layer, { topic, place, sentUs, costs }: Outgoing, onVerified: OnVerified): number {
    const message = { ...costs, topic: this.#network.topics[layer][topic]!, together: 1 };
    const number = this.#network.publish(this.startUs + sentUs, place, message, onVerified);
    this.#sent.push({ message: number, layer, sentUs });
    return number;
  }

  /** Copies times of the run, converted to times since the slot began, µs; -1 for never. */
  #sinceStart(atUs: Int32Array): Int32Array {
    return atUs.map((at) => (at === -1 ? -1 : at - this.startUs));
  }

  /** Reports to the run which of a group's simultaneous sets contain all votes of another set. */
  #cover(layer: Layer, { group, sentUs, bits }: PublishedSet, message: number): void {
    const { run, world } = this.#network;
    if (world.scenario.client.ignoresCovered !== true) return;
    const sets = addTo(this.#simultaneous, `${layer} ${group} ${sentUs}`, { message, bits });
    for (const one of sets) {
      const by = sets.filter((other) => other !== one && sizeBeyond(one.bits, other.bits) === 0);
      run.cover(
        one.message,
        by.map((other) => other.message),
      );
    }
  }
}

/** Adds a value to the list at a key, and returns the list. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(value);
  return list;
}
