import type { Contribution, Message, Port, ScreeningRefusal, TraceKind } from '@tutti/core';
import type { ByzantinePort } from '../attacks/attack.ts';

/** Functions of a run for the nodes that it hosts; each call names the node. */
export interface SimulationHost {
  readonly nowUs: number;
  send(message: Message): void;
  sendEach(
    from: number,
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void;
  sendAs(id: number, message: Message): void;
  sendBytes(from: number, to: number, bytes: Uint8Array): void;
  setTimer(id: number, delayUs: number, timer: number): void;
  verify(id: number, contribution: Contribution, level: number, sender: number): number;
  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number;
  output(id: number, contribution: Contribution): void;
  refuse(id: number, level: number, peer: number, code: ScreeningRefusal): void;
  trace(id: number, kind: TraceKind, level: number, peer: number, contribution: Contribution): void;
}

/** A node's port to its simulation host. */
export class SimulatedPort implements Port {
  protected readonly host: SimulationHost;
  protected readonly id: number;

  constructor(host: SimulationHost, id: number) {
    this.host = host;
    this.id = id;
  }

  nowUs(): number {
    return this.host.nowUs;
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.host.send({ from: this.id, to, level, aggregate, individual, flags });
  }

  sendEach(
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void {
    this.host.sendEach(this.id, receivers, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.host.setTimer(this.id, delayUs, timer);
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    return this.host.verify(this.id, contribution, level, peer);
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    return this.host.verifyBatch(this.id, contributions, levels, peers);
  }

  output(contribution: Contribution): void {
    this.host.output(this.id, contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.host.refuse(this.id, level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.host.trace(this.id, kind, level, peer, contribution);
  }
}

/**
 * A Byzantine node's port to its simulation host. The outputs, rejections and traces of a Byzantine node are ignored.
 */
export class SimulatedByzantinePort extends SimulatedPort implements ByzantinePort {
  sendAs(message: Message): void {
    this.host.sendAs(this.id, message);
  }

  sendBytes(to: number, bytes: Uint8Array): void {
    this.host.sendBytes(this.id, to, bytes);
  }

  override output(): void {}

  override refuse(): void {}

  override trace(): void {}
}
