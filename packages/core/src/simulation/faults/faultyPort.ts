import type { Contribution, Port, TraceKind } from '../../protocol.ts';
import type { ScreeningRefusal } from '../../refusals.ts';
import type { FaultyClock } from './clock.ts';

/** Who sees to what one life of a faulty node asks for. */
export interface Keeper {
  setTimer(delayUs: number, timer: number): void;
  verify(contribution: Contribution, level: number, peer: number): number;
  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number;
}

/**
 * A faulty node's port to its runtime: it shows the node a clock of its own, and answers go through the node's wrapper,
 * which knows whether the node can still receive them.
 */
export class FaultyPort implements Port {
  readonly #port: Port;
  readonly #clock: FaultyClock;
  readonly #keeper: Keeper;

  constructor(port: Port, clock: FaultyClock, keeper: Keeper) {
    this.#port = port;
    this.#clock = clock;
    this.#keeper = keeper;
  }

  nowUs(): number {
    return this.#clock.shows(this.#port.nowUs());
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#port.send(to, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.#keeper.setTimer(this.#clock.trueDelayUs(delayUs), timer);
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    return this.#keeper.verify(contribution, level, peer);
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    return this.#keeper.verifyBatch(contributions, levels, peers);
  }

  output(contribution: Contribution): void {
    this.#port.output(contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.#port.refuse(level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.#port.trace(kind, level, peer, contribution);
  }
}
