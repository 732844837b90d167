import { requireMethods } from './errors.ts';
import type { ScreeningRefusal } from './refusals.ts';

/**
 * The contract that every protocol keeps. A node is a state machine that owns no clock, no socket, no randomness and no
 * curve: it is told what happened, and asks its port for what it needs. The same object runs under virtual time in a
 * simulation and behind a socket in real time.
 *
 * Times are integers in microseconds since the run's common origin. Node ids are positions in the overlay, 0..N-1,
 * after the registry was shuffled (v1.0 section 4.3), so they are not identities.
 */

/**
 * A contribution (v1.03 section 2.1): an integer handle into the store of its aggregation scheme. Handles are
 * counted: to keep one beyond a call, retain it, and release it when done.
 */
export type Contribution = number;

/** The handle that stands for "no contribution". */
export const noContribution: Contribution = 0;

/**
 * What a node is told. A runtime calls these one at a time, never re-entrantly; a Handel node throws a TypeError if it
 * does.
 */
export interface ProtocolNode {
  /** The node starts: its clock for level start times runs from here (v1.03 section 3.4). */
  start(): void;

  /**
   * A message arrived. What a peer sends is hostile until checked: every argument but `from` is only the peer's
   * claim. `from` is what the runtime's authenticated channel says (v1.03 section 2.3).
   *
   * @param aggregate lent for the call; retain it to keep it.
   * @param individual lent for the call, or noContribution.
   */
  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void;

  /** A timer that the node set has expired. `timer` is the number that the node gave it. */
  onTimer(timer: number): void;

  /** The verification that got `ticket` from {@link Port.verify} is done. */
  onVerified(ticket: number, valid: boolean): void;

  /**
   * The verification of a batch that got `ticket` from {@link Port.verifyBatch} is done. Only nodes that ask for
   * batches have this.
   *
   * @param verdicts whether each contribution is valid, in the order in which they were given.
   */
  onBatchVerified?(ticket: number, verdicts: readonly boolean[]): void;

  /**
   * The proof that got `ticket` from {@link Port.prove} is made. Only nodes that prove have this.
   *
   * @param contribution lent for the call; retain it to keep it.
   */
  onProved?(ticket: number, contribution: Contribution): void;
}

/** What a node may ask for. */
export interface Port {
  /** The time now, in integer microseconds since the run's common origin. */
  nowUs(): number;

  /**
   * Sends one message; it may be lost, delayed or duplicated. The port retains the contributions for as long as it
   * needs them.
   *
   * @param flags bits of `MessageFlag`.
   */
  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void;

  /**
   * Like {@link send} to each of many, in their order. Undefined where a runtime sends to one at a time.
   *
   * @param receivers lent for the call, as `flags` is, one for each.
   */
  sendEach?(
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void;

  /** Asks for `onTimer(timer)` after `delayUs` microseconds, an integer of at least 1. */
  setTimer(delayUs: number, timer: number): void;

  /**
   * Asks for a contribution to be verified against the public data; `onVerified` answers with the ticket returned here,
   * in a later call. The contribution must stay retained until then.
   *
   * @param level the level that it is for; `peer` is its sender. A runtime counts and shows them; its verdict does not
   *   depend on them.
   */
  verify(contribution: Contribution, level: number, peer: number): number;

  /**
   * Asks for contributions to be verified together: with one check if all are valid, otherwise with as many as it takes
   * to find those that are not. `onBatchVerified` answers with the ticket returned here, in a later call. Undefined
   * where a runtime only verifies one at a time.
   *
   * @param contributions 2 to `largestBatch`, retained until then; each with its level and its sender.
   */
  verifyBatch?(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number;

  /**
   * Asks for a proof of all that is in the given contributions, which may overlap, where aggregating takes a prover:
   * seconds, one at a time, and never taken back. `onProved` answers with the ticket returned here, in a later call.
   * Undefined where contributions are aggregated without.
   *
   * @param level the level that it is for. @param children proofs, retained until then, as `individuals` are.
   */
  prove?(level: number, children: readonly Contribution[], individuals: readonly Contribution[]): number;

  /** Gives the application a contribution that meets the threshold (v1.03 section 2.4); lent for the call. */
  output(contribution: Contribution): void;

  /** Says that a message from `peer` was refused before anything of it was kept, and why. */
  refuse(level: number, peer: number, code: ScreeningRefusal): void;

  /**
   * Tells observers what was decided, in integers, at no cost if there are none. No behaviour depends on it: a runtime
   * may ignore it.
   */
  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void;
}

/** Methods that a port must have: one that is missing here does not compile. */
const ofPorts = Object.keys({
  nowUs: true,
  send: true,
  setTimer: true,
  verify: true,
  output: true,
  refuse: true,
  trace: true,
} satisfies { [K in keyof Port as undefined extends Port[K] ? never : K]: true });

/** @throws TypeError unless it has the methods of a port. */
export function requirePort(port: Port): void {
  requireMethods('port', port, ofPorts);
}

/** The most contributions of a batch: a verdict on each fits the bits of one integer. */
export const largestBatch = 32;

/** Bits of a message's flags. */
export const MessageFlag = {
  /** "I have this level complete": the peer need not send to me on this level again (v1.03 section 6). */
  levelReceived: 1,
  /**
   * "You had not heard that I have this level complete": sent in reply to a message that came too late; never answered.
   * Intentional divergence: v1.03 section 6 has only the first flag, with which two nodes that are done may never fall
   * silent.
   */
  answer: 2,
} as const;

/** All flags that mean something; a message with others is refused. */
export const knownFlags = MessageFlag.levelReceived | MessageFlag.answer;

/** What a node can trace. The numbers are part of a recording's format: append, never renumber. */
export const TraceKind = {
  /** In_level grew or was replaced; the contribution is the new In_level. */
  levelImproved: 1,
  /** A peer was blacklisted for an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 2,
} as const;
export type TraceKind = (typeof TraceKind)[keyof typeof TraceKind];
