import type { AggregationScheme, Contribution } from '@tutti/core';
import { stakeWeightOf } from '@tutti/core/packed';
import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';

/** The heaviest output of a run, and the first node that produced it. */
export interface HeaviestOutput {
  readonly node: number;
  readonly contribution: Contribution;
}

/** The outputs of a run's nodes, and whether the outputs suffice to end the run. */
export class RunOutputs {
  readonly #scheme: AggregationScheme;
  readonly #world: World;
  readonly #metrics: Metrics;
  readonly #isForFairness: boolean;
  /** One flag per node: 1 if the node has given an output that satisfies the run's end condition. */
  readonly #satisfies: Uint8Array;
  #satisfied = 0;
  #reached = 0;
  #heaviest: HeaviestOutput | undefined;

  constructor(scheme: AggregationScheme, world: World, metrics: Metrics, until: 'threshold' | 'fairness') {
    this.#scheme = scheme;
    this.#world = world;
    this.#metrics = metrics;
    this.#isForFairness = until === 'fairness';
    this.#satisfies = new Uint8Array(world.alive.length);
  }

  /** Whether every live node has produced an output that satisfies the run's end condition. */
  get isSatisfied(): boolean {
    return this.#satisfied === this.#world.live;
  }

  /** Number of live nodes that have produced an output. */
  get reached(): number {
    return this.#reached;
  }

  /** The heaviest output so far and the first node that gave it; retained. */
  get heaviest(): HeaviestOutput | undefined {
    return this.#heaviest;
  }

  /**
   * Returns the live nodes, by id, that have not produced the required output, and whether each has produced any
   * output.
   */
  missing(): { readonly node: number; readonly reached: boolean }[] {
    const { alive } = this.#world;
    return [...alive.keys()]
      .filter((id) => alive[id] === 1 && this.#satisfies[id] === 0)
      .map((node) => ({ node, reached: this.#metrics.reachedUs[node]! >= 0 }));
  }

  /** Adds a node's output, whose contribution is lent. @param weight number of contributions in the output. */
  add(id: number, contribution: Contribution, weight: number, nowUs: number): void {
    if (this.#world.alive[id] === 1) this.#count(id, contribution, weight, nowUs);
    const before = this.#heaviest?.contribution;
    if (before !== undefined) {
      if (stakeWeightOf(this.#scheme, contribution) <= stakeWeightOf(this.#scheme, before)) return;
      this.#scheme.release(before);
    }
    this.#scheme.retain(contribution);
    this.#heaviest = { node: id, contribution };
  }

  /** Counts an output of a live node. */
  #count(id: number, contribution: Contribution, weight: number, nowUs: number): void {
    if (this.#metrics.reachedUs[id] === -1) {
      this.#metrics.reach(id, nowUs, weight, this.#stakeShare(contribution));
      this.#reached++;
    }
    if (this.#satisfies[id] === 1 || (this.#isForFairness && !this.#isFair(contribution, weight))) return;
    this.#satisfies[id] = 1;
    this.#satisfied++;
  }

  /** Returns the signers' share of the total weight; 0 if all nodes have the same weight. */
  #stakeShare(contribution: Contribution): number {
    const { stakes } = this.#world;
    if (stakes === undefined) return 0;
    return Number((stakes.sum(this.#scheme.setWords(contribution)) * 10n ** 12n) / stakes.total) / 1e12;
  }

  /** Returns whether a contribution includes the contributions of all live nodes. */
  #isFair(contribution: Contribution, weight: number): boolean {
    const { alive, live } = this.#world;
    return weight >= live && alive.every((lives, id) => lives === 0 || this.#scheme.contains(contribution, id));
  }

  /** Handles the loss of a node's state: the node must produce the output again. */
  forget(id: number): void {
    if (this.#metrics.reachedUs[id]! >= 0) {
      this.#metrics.reachedUs[id] = -1;
      this.#reached--;
    }
    if (this.#satisfies[id] === 1) {
      this.#satisfies[id] = 0;
      this.#satisfied--;
    }
  }
}
