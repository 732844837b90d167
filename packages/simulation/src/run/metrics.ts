import type { MessageRefusal } from '@tutti/core';
import type { Spread } from '../scenario/result.ts';

/** Counters of each node during a run. */
export class Metrics {
  readonly messagesSent: Int32Array;
  readonly messagesReceived: Int32Array;
  readonly bytesSent: Float64Array;
  readonly checked: Int32Array;
  /** Number of invalid contributions among the checked ones. */
  readonly checkedInvalid: Int32Array;
  /** Number of the node's checks, each of one or several contributions, and the CPU time of all checks, µs. */
  readonly checks: Int32Array;
  readonly checkingUs: Float64Array;
  /** Number of messages rejected before any part was stored, by code. */
  readonly refused = new Map<MessageRefusal, number>();
  /**
   * Time of the node's first output, µs; -1 before the first output. The fields below have the values at that time.
   */
  readonly reachedUs: Int32Array;
  /** Number of contributions in the node's first output. */
  readonly signers: Int32Array;
  /** Share of the total weight held by the signers of the node's first output, if nodes have different weights. */
  readonly stakeShare: Float64Array;
  readonly messagesSentByThen: Int32Array;
  readonly messagesReceivedByThen: Int32Array;
  readonly bytesSentByThen: Float64Array;
  readonly checkedByThen: Int32Array;

  constructor(nodes: number) {
    this.messagesSent = new Int32Array(nodes);
    this.messagesReceived = new Int32Array(nodes);
    this.bytesSent = new Float64Array(nodes);
    this.checked = new Int32Array(nodes);
    this.checkedInvalid = new Int32Array(nodes);
    this.checks = new Int32Array(nodes);
    this.checkingUs = new Float64Array(nodes);
    this.reachedUs = new Int32Array(nodes).fill(-1);
    this.signers = new Int32Array(nodes);
    this.stakeShare = new Float64Array(nodes);
    this.messagesSentByThen = new Int32Array(nodes);
    this.messagesReceivedByThen = new Int32Array(nodes);
    this.bytesSentByThen = new Float64Array(nodes);
    this.checkedByThen = new Int32Array(nodes);
  }

  /** Records a node's first output, of this number of contributions. */
  reach(id: number, nowUs: number, signers: number, stakeShare: number): void {
    this.reachedUs[id] = nowUs;
    this.signers[id] = signers;
    this.stakeShare[id] = stakeShare;
    this.messagesSentByThen[id] = this.messagesSent[id]!;
    this.messagesReceivedByThen[id] = this.messagesReceived[id]!;
    this.bytesSentByThen[id] = this.bytesSent[id]!;
    this.checkedByThen[id] = this.checked[id]!;
  }

  /** Counts a rejected message. */
  refuse(code: MessageRefusal): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}

/**
 * Returns the minimum, mean and maximum of some values; zeros if there are none.
 *
 * @param includes returns whether the value at an index is included. Default: all values.
 * @param scale factor for the results.
 */
export function spread(
  values: ArrayLike<number>,
  includes: (index: number) => boolean = () => true,
  scale = 1,
): Spread {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    if (!includes(index)) continue;
    const value = values[index]!;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
    count++;
  }
  return count === 0
    ? { min: 0, mean: 0, max: 0 }
    : { min: min * scale, mean: (sum / count) * scale, max: max * scale };
}

/**
 * A running digest of a run's events: two lanes of 32 bits, each a multiply-rotate mix similar to MurmurHash3. The
 * digest distinguishes runs; it does not resist an adversary.
 */
export class Digest {
  #a = 0x243f6a88 | 0;
  #b = 0x85a308d3 | 0;

  /** Adds two integers, one per lane; each lane is also mixed into the other lane. */
  add(first: number, second: number): void {
    const a = Math.imul(this.#a ^ first, 0xcc9e2d51);
    const b = Math.imul(this.#b ^ second, 0x1b873593);
    this.#a = (((a << 15) | (a >>> 17)) + b) | 0;
    this.#b = ((b << 13) | (b >>> 19)) ^ a;
  }

  /** Returns 16 hexadecimal digits. */
  toString(): string {
    return hex32(this.#a) + hex32(this.#b);
  }
}

function hex32(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
