import type { CountingScheme } from '../src/contribution/countingScheme.ts';
import type { Contribution, Port, TraceKind } from '../src/protocol.ts';
import type { ScreeningRefusal } from '../src/refusals.ts';
import { signersOf } from './sets.ts';

/** Message that a node passed to its port. */
export interface Sent {
  readonly to: number;
  readonly level: number;
  /** The aggregate, retained for the port's whole lifetime. */
  readonly aggregate: Contribution;
  readonly individual: Contribution;
  /** Signers of the aggregate at the time of sending. */
  readonly signers: readonly number[];
  readonly flags: number;
}

export interface Check {
  readonly ticket: number;
  readonly contribution: Contribution;
  readonly level: number;
  readonly peer: number;
  readonly signers: readonly number[];
}

/** A runtime that does nothing by itself. The runtime records a node's requests, and the test answers them. */
export class RecordingPort implements Port {
  readonly #scheme: CountingScheme;
  timeUs = 0;
  readonly sent: Sent[] = [];
  readonly timers: { readonly delayUs: number; readonly timer: number; readonly dueUs: number }[] = [];
  readonly checks: Check[] = [];
  readonly batches: {
    readonly ticket: number;
    readonly contributions: readonly Contribution[];
    readonly levels: readonly number[];
    readonly peers: readonly number[];
  }[] = [];
  readonly refusals: { readonly level: number; readonly peer: number; readonly code: ScreeningRefusal }[] = [];
  readonly outputs: (readonly number[])[] = [];
  readonly traces: {
    readonly kind: TraceKind;
    readonly level: number;
    readonly peer: number;
    readonly what: number;
  }[] = [];

  constructor(scheme: CountingScheme) {
    this.#scheme = scheme;
  }

  nowUs(): number {
    return this.timeUs;
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#scheme.retain(aggregate);
    this.#scheme.retain(individual);
    this.sent.push({ to, level, aggregate, individual, signers: signersOf(this.#scheme, aggregate), flags });
  }

  setTimer(delayUs: number, timer: number): void {
    this.timers.push({ delayUs, timer, dueUs: this.timeUs + delayUs });
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    const ticket = 1000 + this.checks.length;
    this.checks.push({ ticket, contribution, level, peer, signers: signersOf(this.#scheme, contribution) });
    return ticket;
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    const ticket = 2000 + this.batches.length;
    this.batches.push({ ticket, contributions, levels, peers });
    return ticket;
  }

  output(contribution: Contribution): void {
    this.outputs.push(signersOf(this.#scheme, contribution));
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.refusals.push({ level, peer, code });
  }

  trace(kind: TraceKind, level: number, peer: number, what: number): void {
    this.traces.push({ kind, level, peer, what });
  }

  takeSent(): Sent[] {
    return this.sent.splice(0);
  }
}
