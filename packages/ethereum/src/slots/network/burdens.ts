import { clockOf } from '../../horn/network/systems.ts';
import type { Burden, SlotBacklog } from './loads.ts';
import type { NetworkWorld } from './networkWorld.ts';
import type { TopicSample } from './topicSample.ts';

/** Time for which a node may still be busy without being burdened, µs. */
const negligibleUs = 100_000;
/** Minimum share of burdened nodes at which a layer counts as unfinished. */
const minBurdenedShare = 0.05;

/**
 * Returns whether a layer is unfinished when it is due.
 *
 * @param busyUs time for which each node is still busy, µs.
 */
export function isUnfinished(busyUs: ArrayLike<number>): boolean {
  const burdened = Array.from(busyUs).filter((us) => us > negligibleUs).length;
  return burdened > 0 && burdened >= minBurdenedShare * busyUs.length;
}

/**
 * Bytes that topics of one kind leave to a later layer: bytes carried by links during that layer, beyond the bytes that
 * waited when that layer began.
 */
interface LaterBytes {
  readonly fromUs: number;
  readonly toUs: number;
  readonly up: Float64Array;
  readonly down: Float64Array;
}

/**
 * Load that the layers of a slot leave to later layers, and a slot to the next one. Layers are simulated separately,
 * each on links that earlier layers still use.
 */
export class Burdens {
  readonly #world: NetworkWorld;
  /** Load that waits at a time, and load that is added later. */
  #waits: { readonly atUs: number; readonly left: SlotBacklog } | undefined;
  readonly #later: LaterBytes[] = [];

  /** Starts with the load that the previous slot has left. */
  constructor(world: NetworkWorld, before: SlotBacklog | undefined) {
    this.#world = world;
    this.#waits = before && { atUs: 0, left: before };
  }

  /**
   * Returns the burden of a layer that begins at this time, or undefined if there is none. Links and cores have worked
   * off earlier load in the meantime.
   */
  at(startUs: number): Burden | undefined {
    const { nodes } = this.#world.scenario;
    const now = this.#later.filter(({ fromUs }) => fromUs === startUs);
    if (this.#waits === undefined && now.length === 0) return undefined;
    const none = new Float64Array(nodes);
    const rate = (which: 'up' | 'down'): Float64Array =>
      none.map((_, node) => now.reduce((sum, one) => sum + one[which][node]! / (one.toUs - one.fromUs), 0));
    const { up, down, coreUs } =
      this.#waits === undefined ? emptyBacklog(nodes) : this.#workedOff(this.#waits, startUs);
    return { up, down, coreUs, upRate: rate('up'), downRate: rate('down') };
  }

  /**
   * Records the load that topics of one kind leave to every node's links when they are due. A node that was not
   * simulated gets the load of a simulated node of its class with the most similar number of such topics. The
   * simulations include the load that waited before them.
   *
   * @param laterUs end times of the later layers.
   * @param topicsOf number of such topics that each node is on.
   * @returns whether the layer is unfinished. If not, its load is ignored.
   */
  leave(dueUs: number, laterUs: readonly number[], samples: readonly TopicSample[], topicsOf: Int32Array): boolean {
    const seen = membersOf(samples);
    const isBusy = isUnfinished(seen.map((one) => this.#linksBusyUs(one)));
    const left = this.#settle(dueUs, isBusy, topicsOf.length);
    if (!isBusy) return false;
    const later = laterUs.map((toUs, layer): LaterBytes => {
      const { up, down } = emptyBacklog(topicsOf.length);
      return { fromUs: laterUs[layer - 1] ?? dueUs, toUs, up, down };
    });
    // A layer that is due as soon as it begins carries no bytes.
    this.#later.push(...later.filter(({ fromUs, toUs }) => toUs > fromUs));
    const own = { up: left.up.slice(), down: left.down.slice() };
    this.#forEachRepresented(seen, topicsOf, (node, { node: like, place, sample: { leftover } }) => {
      // The sample contains the simulated node's earlier load, which is replaced with this node's own earlier load.
      left.up[node] = own.up[node]! + Math.max(0, leftover.up[place]! - own.up[like]!);
      left.down[node] = own.down[node]! + Math.max(0, leftover.down[place]! - own.down[like]!);
      later.forEach((bytes, layer) => {
        bytes.up[node] = leftover.upLater[layer]![place]!;
        bytes.down[node] = leftover.downLater[layer]![place]!;
      });
    });
    return true;
  }

  /**
   * Records the work that cores still have for topics that are due. The remaining work delays later messages if all
   * messages wait in one queue. Each node that is on such a topic is assumed to have as much work left as one of the
   * simulated nodes.
   */
  leaveWork(dueUs: number, samples: readonly TopicSample[], topicsOf: Int32Array): void {
    const work = samples.flatMap(({ leftover }) => [...leftover.coreUs]);
    const isBusy = work.some((us) => us > 0);
    const left = this.#settle(dueUs, isBusy, topicsOf.length);
    if (!isBusy) return;
    topicsOf.forEach((topics, node) => {
      if (topics > 0) left.coreUs[node]! += work[node % work.length]!;
    });
  }

  /**
   * Returns the load that the slot still has when the next slot begins, according to the simulation of the global
   * topic. Returns undefined if links and cores will have worked off nearly all of the load when the next votes are
   * cast.
   */
  backlogOf(sample: TopicSample): SlotBacklog | undefined {
    const { scenario, system } = this.#world;
    const { cores } = scenario.client;
    const { attestUs, collectUs, endUs } = clockOf(system);
    const slotUs = 1000 * system.slotMs;
    const freeUs = slotUs - endUs + (system.gathering === 'handel' ? collectUs : attestUs);
    const seen = membersOf([sample]);
    const busyUs = seen.map((one) => Math.max(this.#linksBusyUs(one), one.sample.leftover.coreUs[one.place]! / cores));
    if (!isUnfinished(busyUs.map((us) => us - freeUs))) return undefined;
    const left = emptyBacklog(scenario.nodes);
    this.#forEachRepresented(seen, new Int32Array(scenario.nodes).fill(1), (node, { place, sample: { leftover } }) => {
      left.up[node] = leftover.up[place]!;
      left.down[node] = leftover.down[place]!;
      left.coreUs[node] = leftover.coreUs[place]!;
    });
    return this.#workedOff({ atUs: endUs, left }, slotUs);
  }

  /** Returns whether the last layer is unfinished. */
  isUnfinished(sample: TopicSample): boolean {
    return isUnfinished(membersOf([sample]).map((one) => this.#linksBusyUs(one)));
  }

  /** Returns the time that a node's links need to carry a topic's waiting bytes and its bytes in the next layer, µs. */
  #linksBusyUs({ node, place, sample: { leftover } }: SampledMember): number {
    const { classOf, up, down } = this.#world;
    const upBytes = leftover.up[place]! + (leftover.upLater[0]?.[place] ?? 0);
    const downBytes = leftover.down[place]! + (leftover.downLater[0]?.[place] ?? 0);
    return Math.max(upBytes / up[classOf[node]!]!, downBytes / down[classOf[node]!]!);
  }

  /** Works off the waiting load until a time, and returns the rest, to which the caller may add if nodes are busy. */
  #settle(dueUs: number, isBusy: boolean, nodes: number): SlotBacklog {
    const before = this.#waits && this.#workedOff(this.#waits, dueUs);
    const left = before ?? emptyBacklog(nodes);
    this.#waits = isBusy || before !== undefined ? { atUs: dueUs, left } : undefined;
    return left;
  }

  /** Returns the load that remains at a later time. */
  #workedOff({ atUs, left }: { readonly atUs: number; readonly left: SlotBacklog }, nowUs: number): SlotBacklog {
    const { classOf, up, down, scenario } = this.#world;
    const us = nowUs - atUs;
    return {
      up: left.up.map((bytes, node) => Math.max(0, bytes - us * up[classOf[node]!]!)),
      down: left.down.map((bytes, node) => Math.max(0, bytes - us * down[classOf[node]!]!)),
      coreUs: left.coreUs.map((busy) => Math.max(0, busy - us * scenario.client.cores)),
    };
  }

  /**
   * Calls `take` with each node on such topics and the simulated node that represents it: a node of the same class with
   * the most similar number of topics. Nodes of a class without simulated nodes are left out.
   */
  #forEachRepresented(
    seen: readonly SampledMember[],
    topicsOf: Int32Array,
    take: (node: number, like: SampledMember) => void,
  ): void {
    const { classOf } = this.#world;
    const byClass: SampledMember[][] = this.#world.scenario.links.map(() => []);
    for (const one of seen) byClass[classOf[one.node]!]!.push(one);
    topicsOf.forEach((topics, node) => {
      const alike = byClass[classOf[node]!]!;
      if (topics === 0 || alike.length === 0) return;
      let nearest = alike[node % alike.length]!;
      for (const one of alike) {
        if (Math.abs(topicsOf[one.node]! - topics) < Math.abs(topicsOf[nearest.node]! - topics)) nearest = one;
      }
      take(node, nearest);
    });
  }
}

interface SampledMember {
  readonly node: number;
  readonly place: number;
  readonly sample: TopicSample;
}

function membersOf(samples: readonly TopicSample[]): SampledMember[] {
  return samples.flatMap((sample) => Array.from(sample.members, (node, place) => ({ node, place, sample })));
}

function emptyBacklog(nodes: number): SlotBacklog {
  return { up: new Float64Array(nodes), down: new Float64Array(nodes), coreUs: new Float64Array(nodes) };
}
