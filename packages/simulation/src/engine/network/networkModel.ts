/** Where nodes are and how long a message takes between them. */
export interface NetworkModel {
  readonly regionNames: readonly string[];
  /** Index into `regionNames`, one a node. */
  readonly region: Uint8Array;
  /**
   * The machine of each node, numbered from 0, where several nodes are on one; undefined where machines are nobody's
   * concern.
   */
  readonly machine?: Int32Array;
  /**
   * One way from one node to another, integer microseconds, at least 1. Each call draws the next value of the sender's
   * stream, so that one sender's messages do not change another's.
   */
  oneWayUs(from: number, to: number): number;
}
