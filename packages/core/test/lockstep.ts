import { CountingScheme } from '../src/contribution/countingScheme.ts';
import { defaultHandelConfig, type HandelConfig } from '../src/handel/config.ts';
import { HandelNode } from '../src/handel/packed/node.ts';
import { Tree } from '../src/overlay/tree.ts';
import { ShiftedPriorities } from '../src/overlay/verificationPriority.ts';
import { RecordingPort, type Sent } from './recordingPort.ts';

/** A message in transit. */
export interface Crossing extends Sent {
  readonly from: number;
  readonly period: number;
}

/**
 * Runs all nodes in lockstep. Messages of a period arrive at its end unless the test drops them, and verifications take
 * no time. This is simpler than a simulation, but messages can be lost, duplicated and delayed, and a run has no time
 * limit.
 */
export class Lockstep {
  readonly scheme: CountingScheme;
  readonly nodes: readonly HandelNode[];
  readonly ports: readonly RecordingPort[];
  /** Messages sent in the last period. */
  crossing: Crossing[] = [];
  period = 0;

  constructor(nodes: number, config: Partial<HandelConfig> = {}, seed = 1) {
    this.scheme = new CountingScheme(new Tree(nodes));
    const priorities = new ShiftedPriorities(nodes, seed);
    this.ports = Array.from({ length: nodes }, () => new RecordingPort(this.scheme));
    this.nodes = this.ports.map((port, id) => {
      const own = this.scheme.individual(id);
      return new HandelNode({
        id,
        config: { ...defaultHandelConfig, threshold: nodes, ...config },
        scheme: this.scheme,
        priorities,
        own,
        port,
      });
    });
  }

  start(id: number): void {
    this.nodes[id]!.start();
    this.#collect(id);
  }

  startAll(): void {
    for (const { id } of this.nodes) this.start(id);
  }

  /** Runs one period. Each message in transit arrives `copies` times, then the timers expire. */
  step(copies: (message: Crossing) => number = () => 1): void {
    this.period++;
    for (const message of this.crossing.splice(0)) {
      for (let copy = copies(message); copy > 0; copy--) {
        const { from, to, level, aggregate, individual, flags } = message;
        this.nodes[to]!.onMessage(from, level, aggregate, individual, flags);
        this.#collect(to);
      }
      this.scheme.release(message.aggregate);
      this.scheme.release(message.individual);
    }
    for (const { id } of this.nodes) {
      const port = this.ports[id]!;
      port.timeUs = this.period * 20_000;
      for (const { timer } of port.timers.splice(0)) this.nodes[id]!.onTimer(timer);
      this.#collect(id);
    }
  }

  /** Returns the number of contributions in each node's best output. */
  weights(): number[] {
    return this.ports.map(({ outputs }) => outputs.at(-1)?.length ?? 0);
  }

  #collect(id: number): void {
    const port = this.ports[id]!;
    for (let check = port.checks.shift(); check !== undefined; check = port.checks.shift()) {
      this.nodes[id]!.onVerified(check.ticket, this.scheme.verify(check.contribution));
    }
    for (const sent of port.takeSent()) this.crossing.push({ ...sent, from: id, period: this.period });
  }
}
