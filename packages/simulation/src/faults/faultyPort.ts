import { type Contribution, ForwardingPort, type Port } from '@tutti/core';
import type { FaultyClock } from './clock.ts';

/** Does what a faulty node asks for in one of its lives. */
export interface Keeper {
  setTimer(delayUs: number, timer: number): void;
  verify(contribution: Contribution, level: number, peer: number): number;
  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number;
}

/**
 * A faulty node's port to its runtime: it shows the node a clock of its own, and answers go through the node's wrapper,
 * which knows whether the node can still receive them.
 */
export class FaultyPort extends ForwardingPort {
  readonly #clock: FaultyClock;
  readonly #keeper: Keeper;

  constructor(port: Port, clock: FaultyClock, keeper: Keeper) {
    super(port);
    this.#clock = clock;
    this.#keeper = keeper;
  }

  override nowUs(): number {
    return this.#clock.shows(super.nowUs());
  }

  override setTimer(delayUs: number, timer: number): void {
    this.#keeper.setTimer(this.#clock.trueDelayUs(delayUs), timer);
  }

  override verify(contribution: Contribution, level: number, peer: number): number {
    return this.#keeper.verify(contribution, level, peer);
  }

  override verifyBatch(
    contributions: readonly Contribution[],
    levels: readonly number[],
    peers: readonly number[],
  ): number {
    return this.#keeper.verifyBatch(contributions, levels, peers);
  }
}
