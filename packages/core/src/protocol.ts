import { requireMethods } from './arguments.ts';
import type { ScreeningRefusal } from './refusals.ts';

/**
 * The interface that all protocols share. A node is a state machine that owns no clock, no socket, no randomness and no
 * curve. A runtime calls it for each event, and the node calls its port for each action. The same node runs in virtual
 * time in a simulation and over a socket in real time.
 *
 * Times are integers in microseconds since the run's common origin. Node ids are positions in the overlay, 0 to N-1,
 * after the shuffle of the registry (v1.0 section 4.3), so they are not identities.
 */

/**
 * A contribution (v1.03 section 2.1): an integer handle into the store of its aggregation scheme. Handles are
 * reference-counted. To keep a contribution after a call, retain the contribution, and release it when it is no longer
 * needed.
 */
export type Contribution = number;

/** The handle that stands for "no contribution". */
export const noContribution: Contribution = 0;

/**
 * Events that a node handles. A runtime must call these methods one at a time and never re-entrantly; a Handel node
 * throws a TypeError for a re-entrant call.
 */
export interface ProtocolNode {
  /** Starts the node. The node's clock for level start times begins with this call (v1.03 section 3.4). */
  start(): void;

  /**
   * Handles a received message. A peer's input is untrusted until it is checked: every argument except `from` is only
   * the peer's claim. The runtime's authenticated channel supplies `from` (v1.03 section 2.3).
   *
   * @param aggregate lent for the call; the node must retain the contribution to keep it.
   * @param individual lent for the call, or noContribution.
   */
  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void;

  /**
   * Handles the expiry of a timer that the node set. `timer` is the number that the node passed to
   * {@link Port.setTimer}.
   */
  onTimer(timer: number): void;

  /** Handles the result of the verification whose ticket {@link Port.verify} returned. */
  onVerified(ticket: number, valid: boolean): void;

  /**
   * Handles the result of the batch verification whose ticket {@link Port.verifyBatch} returned. Only nodes that
   * request batch verifications have this method.
   *
   * @param verdicts whether each contribution is valid, in the order of the request.
   */
  onBatchVerified?(ticket: number, verdicts: readonly boolean[]): void;
}

/** Actions that a node may request from its runtime. */
export interface Port {
  /** Returns the current time, in integer microseconds since the run's common origin. */
  nowUs(): number;

  /**
   * Sends one message; it may be lost, delayed or duplicated. The port retains the contributions for as long as it
   * needs them.
   *
   * @param flags bits of `MessageFlag`.
   */
  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void;

  /**
   * Sends a message to each of several receivers, in order, like {@link send}. The method is undefined in a runtime
   * that sends to one receiver at a time.
   *
   * @param receivers lent for the call, as is `flags`, which has one entry per receiver.
   */
  sendEach?(
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void;

  /** Requests a call of `onTimer(timer)` after `delayUs` microseconds, an integer of at least 1. */
  setTimer(delayUs: number, timer: number): void;

  /**
   * Requests the verification of a contribution with the public data. The runtime answers in a later call of
   * `onVerified` with the ticket returned here. The contribution must remain retained until then.
   *
   * @param level level of the contribution, which `peer` sent. A runtime may count and display the level and the peer;
   * the runtime's verdict does not depend on them.
   */
  verify(contribution: Contribution, level: number, peer: number): number;

  /**
   * Requests the joint verification of contributions: one check if all are valid, otherwise as many checks as it takes
   * to find the invalid ones. The runtime answers in a later call of `onBatchVerified` with the ticket returned here.
   * The method is undefined in a runtime that only verifies one contribution at a time.
   *
   * @param contributions 2 to `largestBatch` contributions, which must remain retained until that call; each
   * contribution has a different level and sender.
   */
  verifyBatch?(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number;

  /**
   * Outputs a contribution that meets the threshold to the application (v1.03 section 2.4); the contribution is lent
   * for the call.
   */
  output(contribution: Contribution): void;

  /** Reports the rejection of a message from `peer`, with the reason. The node stored no part of the message. */
  refuse(level: number, peer: number, code: ScreeningRefusal): void;

  /**
   * Reports a decision to observers, as integers. Without observers, the report costs nothing. No behaviour depends on
   * the report, so a runtime may ignore it.
   */
  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void;
}

/** A message of one node to another. The contributions are lent to the functions that get the message. */
export interface Message {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly aggregate: Contribution;
  readonly individual: Contribution;
  readonly flags: number;
}

/** Names of the methods that every port has. Omitting a method from this list is a compile-time error. */
const ofPorts = Object.keys({
  nowUs: true,
  send: true,
  setTimer: true,
  verify: true,
  output: true,
  refuse: true,
  trace: true,
} satisfies { [K in keyof Port as undefined extends Port[K] ? never : K]: true });

/** Checks that a value has the methods of a port. @throws TypeError for any other value. */
export function requirePort(port: Port): void {
  requireMethods('port', port, ofPorts);
}

/** Maximum number of contributions in a batch: one verdict per bit of an integer. */
export const largestBatch = 32;

/** Flags of a message, as bits. */
export const MessageFlag = {
  /**
   * "I have this level complete": the receiver need not send messages to the sender on this level again (v1.03 section
   * 6).
   */
  levelReceived: 1,
  /**
   * "You did not know that I have this level complete": the answer to a message that was sent too late; a node never
   * answers an answer. Intentional divergence: v1.03 section 6 has only the first flag, with which two finished nodes
   * may never stop sending.
   */
  answer: 2,
} as const;

/** All defined flags. A message with any other flag is rejected. */
export const knownFlags = MessageFlag.levelReceived | MessageFlag.answer;

/**
 * Events that a node can trace. The numbers are part of the format of recordings: append new numbers, never renumber.
 */
export const TraceKind = {
  /** In_l grew or was replaced; the event's contribution is the new In_l. */
  levelImproved: 1,
  /** The node blacklisted a peer for an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 2,
} as const;
export type TraceKind = (typeof TraceKind)[keyof typeof TraceKind];

/**
 * A port that forwards all calls to another port. Extend this class to observe or change a node's requests: override
 * the necessary methods, and call `super` for the others.
 *
 * The class has no {@link Port.sendEach}, so each message of a node goes through {@link send}. The port has
 * `verifyBatch` only if the other port has it. An observer of verifications must override both `verify` and
 * `verifyBatch`.
 */
export class ForwardingPort<Behind extends Port = Port> implements Port {
  /** The port that receives the forwarded calls. */
  protected readonly port: Behind;

  /** @param verifiesBatches whether this port has `verifyBatch`. Default: whether the other port has `verifyBatch`. */
  constructor(port: Behind, verifiesBatches = port?.verifyBatch !== undefined) {
    requirePort(port);
    this.port = port;
    // A node checks whether its port has `verifyBatch`.
    if (!verifiesBatches) Object.defineProperty(this, 'verifyBatch', { value: undefined });
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
