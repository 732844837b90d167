import { type Contribution, type Port, requirePort, type TraceKind } from './protocol.ts';
import type { ScreeningRefusal } from './refusals.ts';

/**
 * A port that forwards all calls to another port. Extend it to observe or change a node's requests: override the
 * methods that you need, and call `super` for the rest.
 *
 * It has no {@link Port.sendEach}, so each message of a node goes through {@link send}. It has `verifyBatch` and
 * `prove` only if the other port has them. An observer of verifications must override both `verify` and `verifyBatch`.
 */
export class ForwardingPort<Behind extends Port = Port> implements Port {
  /** The port that receives the forwarded calls. */
  protected readonly port: Behind;

  /** @param verifiesBatches whether this port has `verifyBatch`. Default: whether the other port has it. */
  constructor(port: Behind, verifiesBatches = port?.verifyBatch !== undefined) {
    requirePort(port);
    this.port = port;
    // A node checks whether its port has `verifyBatch`.
    if (!verifiesBatches) Object.defineProperty(this, 'verifyBatch', { value: undefined });
    if (port.prove === undefined) Object.defineProperty(this, 'prove', { value: undefined });
  }

  nowUs(): number {
    return this.port.nowUs();
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.port.send(to, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.port.setTimer(delayUs, timer);
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    return this.port.verify(contribution, level, peer);
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    return this.port.verifyBatch!(contributions, levels, peers);
  }

  prove(level: number, children: readonly Contribution[], individuals: readonly Contribution[]): number {
    return this.port.prove!(level, children, individuals);
  }

  output(contribution: Contribution): void {
    this.port.output(contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.port.refuse(level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.port.trace(kind, level, peer, contribution);
  }
}
