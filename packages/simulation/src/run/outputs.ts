import type { AggregationScheme, Contribution } from '@tutti/core';
import { stakeWeightOf } from '@tutti/core/packed';
import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';

/** The outputs of a run's nodes, and whether they are those that the run goes on for. */
export class RunOutputs {
  readonly #scheme: AggregationScheme;
  readonly #world: World;
  readonly #metrics: Metrics;
  readonly #isForFairness: boolean;
  /** 1 if a node has given the output that the run goes on for. */
  readonly #satisfies: Uint8Array;
  #satisfied = 0;
  #reached = 0;
  #heaviest: { readonly node: number; readonly contribution: Contribution } | undefined;

  constructor(scheme: AggregationScheme, world: World, metrics: Metrics, until: 'threshold' | 'fairness') {
    this.#scheme = scheme;
    this.#world = world;
    this.#metrics = metrics;
    this.#isForFairness = until === 'fairness';
    this.#satisfies = new Uint8Array(world.alive.length);
  }

  /** Whether every live node has given the output that the run goes on for. */
  get areAll(): boolean {
    return this.#satisfied === this.#world.live;
  }

  /** Live nodes that have given an output. */
  get reached(): number {
    return this.#reached;
  }

  /** The heaviest so far and the node that gave it first; held. */
  get heaviest(): { readonly node: number; readonly contribution: Contribution } | undefined {
    return this.#heaviest;
  }

  /** Live nodes, by id, whose output is missing, and whether they have given any. */
  missing(): { readonly node: number; readonly reached: boolean }[] {
    const { alive } = this.#world;
    return [...alive.keys()]
      .filter((id) => alive[id] === 1 && this.#satisfies[id] === 0)
      .map((node) => ({ node, reached: this.#metrics.reachedUs[node]! >= 0 }));
  }

  /** A node gave an output; it is lent. */
  add(id: number, contribution: Contribution, weight: number, nowUs: number): void {
    if (this.#world.alive[id] === 1) this.#count(id, contribution, weight, nowUs);
    const { heaviest } = this;
    if (
      heaviest !== undefined &&
      stakeWeightOf(this.#scheme, contribution) <= stakeWeightOf(this.#scheme, heaviest.contribution)
    )
      return;
    if (this.#heaviest !== undefined) this.#scheme.release(this.#heaviest.contribution);
    this.#scheme.retain(contribution);
    this.#heaviest = { node: id, contribution };
  }

  #count(id: number, contribution: Contribution, weight: number, nowUs: number): void {
    if (this.#metrics.reachedUs[id] === -1) {
      this.#metrics.reach(id, nowUs, weight, this.#stakeShare(contribution));
      this.#reached++;
    }
    if (this.#satisfies[id] === 1 || (this.#isForFairness && !this.#isFair(contribution, weight))) return;
    this.#satisfies[id] = 1;
    this.#satisfied++;
  }

  /** The share of all nodes' weight that the signers have; 0 where all weigh the same. */
  #stakeShare(contribution: Contribution): number {
    const { stakes } = this.#world;
    if (stakes === undefined) return 0;
    return Number((stakes.sum(this.#scheme.setWords(contribution)) * 10n ** 12n) / stakes.total) / 1e12;
  }

  /** Whether every live node's contribution is in it. */
  #isFair(contribution: Contribution, weight: number): boolean {
    const { alive, live } = this.#world;
    return weight >= live && alive.every((lives, id) => lives === 0 || this.#scheme.contains(contribution, id));
  }

  /** A node has lost its state: it has to give the output again. */
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
