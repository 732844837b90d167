import type { RandomStream } from '@tutti/core';
import { type GossipNodes, type GossipState, hasSent, Kind } from './gossipState.ts';

/**
 * Time for which data is committed to a link, µs. A node's own messages may overtake waiting data but not committed
 * data.
 */
const committedUs = 1000;
/** Maximum time by which an event is later than its cause, because event times are rounded up to whole µs, µs. */
const roundedUs = 1;

/** Peers to which a node passes a message, and conditions for the copies. */
interface Passing {
  readonly peers: ArrayLike<number>;
  /** Index of the node in each peer's list; empty if the peers are not from a mesh. */
  readonly back: ArrayLike<number>;
  /** Peers that have sent the message, in the format of {@link GossipState.from}. Default: none. */
  readonly from?: number;
  /** Maximum time for which a copy may wait for the links, ms; undefined for no limit. */
  readonly waitMs: number | undefined;
  /**
   * True if the node's upload is already busy with the message, see {@link GossipLinks.burden}. The copies then leave
   * immediately.
   */
  readonly isOwed: boolean;
}

/** Links of the simulated nodes. Each copy waits for its sender's upload and its receiver's download. */
export class GossipLinks {
  readonly #state: GossipState;
  readonly #nodes: GossipNodes;
  /** Copies that wait for each node's upload: message, receiver, bit and latest time of each copy. */
  readonly #outbox: (number[] | undefined)[] = [];
  /** Index of the first waiting copy in each node's outbox. */
  readonly #outNext: Int32Array;
  /** Time from which each link is free, µs. */
  readonly #upFreeUs: Float64Array;
  readonly #downFreeUs: Float64Array;
  /** Flag per node: 1 if an event is scheduled for the time at which its upload is free. */
  readonly #upDue: Uint8Array;
  readonly #aheadUs: number | undefined;
  /** Bytes in transit to each node's download; undefined in runs without flow control, which do not need them. */
  readonly #underWay: Float64Array | undefined;
  /** Time at which each node next looks for receivers that accept more copies, µs; infinite if it holds no copies. */
  readonly #openUs: Float64Array;
  /** Copies for busy receivers by node, in the format of the outbox. */
  readonly #held: (number[] | undefined)[] = [];
  readonly #lost: RandomStream;

  /**
   * Creates the links.
   *
   * @param lost draws which copies are lost.
   */
  constructor(state: GossipState, lost: RandomStream) {
    this.#lost = lost;
    const { nodes } = state.setting;
    const count = nodes.up.length;
    this.#state = state;
    this.#nodes = nodes;
    this.#outNext = new Int32Array(count);
    this.#upFreeUs = new Float64Array(count);
    this.#upDue = new Uint8Array(count);
    this.#downFreeUs = new Float64Array(count);
    this.#aheadUs = state.setting.aheadUs;
    if (this.#aheadUs !== undefined) this.#underWay = new Float64Array(count);
    this.#openUs = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  }

  /** Occupies a node's links with other bytes from a time on, after their current work. */
  burden(node: number, fromUs: number, upBytes: number, downBytes: number): void {
    this.#burdenUp(node, fromUs, upBytes);
    this.#burdenDown(node, fromUs, downBytes);
  }

  #burdenUp(node: number, fromUs: number, bytes: number): void {
    this.#upFreeUs[node] = Math.max(this.#upFreeUs[node]!, fromUs) + bytes / this.#nodes.up[node]!;
  }

  #burdenDown(node: number, fromUs: number, bytes: number): void {
    this.#downFreeUs[node] = Math.max(this.#downFreeUs[node]!, fromUs) + bytes / this.#nodes.down[node]!;
  }

  /**
   * Sends a message to peers that have not sent it. Each copy is sent when the links are free. If copies share the
   * upload, they are never dropped or held, and `waitMs` and `isOwed` have no effect.
   */
  pass(node: number, number: number, passing: Passing): void {
    if (this.#state.setting.gossip.sharesUpload === true) {
      this.#sendSideBySide(node, number, passing);
      return;
    }
    const { peers, back, from = 0, waitMs, isOwed } = passing;
    const now = this.#nowUs;
    const untilUs = this.untilUs(waitMs);
    // If nothing waits, a copy that can leave in time need not wait for its turn. A node's own copies are always sent.
    const isQuiet = this.#aheadUs === undefined && this.#upDue[node] === 0 && !this.#hasWaiting(node);
    const lastUs = isOwed ? Number.POSITIVE_INFINITY : isQuiet ? now + committedUs : Number.NEGATIVE_INFINITY;
    let freeUs = isOwed ? now : Math.max(this.#upFreeUs[node]!, now - roundedUs);
    for (let index = 0; index < peers.length; index++) {
      if (hasSent(from, index)) continue;
      const to = peers[index]!;
      const bit = back[index] ?? -1;
      if (freeUs > lastUs) this.enqueue(node, number, to, bit, untilUs);
      else if (!this.#isInTime(number, to, freeUs, untilUs)) this.#countExpired(number);
      else if (isOwed || !this.#isSuperfluous(node, number, to)) freeUs = this.#transmit(node, number, to, bit, freeUs);
    }
    if (isOwed) return;
    if (isQuiet) this.#upFreeUs[node] = freeUs;
    if (this.#hasWaiting(node)) this.pump(node);
  }

  #hasWaiting(node: number): boolean {
    const box = this.#outbox[node];
    return box !== undefined && this.#outNext[node]! < box.length;
  }

  /** Sends all copies at the same rate, after the upload's current work. Copies that have started are not cancelled. */
  #sendSideBySide(node: number, number: number, { peers, back, from = 0 }: Passing): void {
    const to = Array.from(peers, (peer, index) => ({ peer, bit: back[index] ?? -1 }));
    const copies = to.filter(({ peer }, index) => !hasSent(from, index) && !this.#isSuperfluous(node, number, peer));
    const bytes = copies.length * this.#state.wireBytes[number]! * this.#nodes.load[node]!;
    const doneUs = Math.max(this.#upFreeUs[node]!, this.#nowUs) + bytes / this.#nodes.up[node]!;
    for (const { peer, bit } of copies) this.#send(node, number, peer, bit, doneUs, copies.length);
    this.#upFreeUs[node] = doneUs;
  }

  /** Returns the time until which a copy may wait, µs; infinite without a limit. */
  untilUs(waitMs: number | undefined): number {
    return waitMs === undefined ? Number.POSITIVE_INFINITY : this.#nowUs + 1000 * waitMs;
  }

  /**
   * Returns the number of bytes that wait for a node's upload and will be sent in time. Some of these copies may later
   * turn out to be unwanted.
   */
  waitingUp(node: number): number {
    const box = [...(this.#held[node] ?? []), ...(this.#outbox[node] ?? []).slice(this.#outNext[node]!)];
    const up = this.#nodes.up[node]!;
    let freeUs = Math.max(this.#nowUs, this.#upFreeUs[node]!);
    for (let next = 0; next < box.length; next += 4) {
      const number = box[next]!;
      if (!this.#isInTime(number, box[next + 1]!, freeUs, box[next + 3]!)) continue;
      freeUs += (this.#state.wireBytes[number]! * this.#nodes.load[node]!) / up;
    }
    return (freeUs - this.#nowUs) * up;
  }

  /** Returns the number of bytes that have arrived at a node's link and are waiting to be downloaded. */
  waitingDown(node: number): number {
    return Math.max(0, this.#downFreeUs[node]! - this.#nowUs) * this.#nodes.down[node]!;
  }

  /** Returns the time for which a node's links will be busy with waiting data, µs. */
  busyUs(node: number): number {
    const { up, down } = this.#nodes;
    return Math.max(this.waitingUp(node) / up[node]!, this.waitingDown(node) / down[node]!);
  }

  /**
   * Returns the number of bytes that have passed a node's upload. A link carries bytes in the order in which they
   * arrived, after any initial {@link burden}.
   */
  sentBytes(node: number): number {
    const waiting = Math.max(0, this.#upFreeUs[node]! - this.#nowUs) * this.#nodes.up[node]!;
    return Math.max(0, this.#state.costs.sent[node]! - waiting);
  }

  receivedBytes(node: number): number {
    return Math.max(0, this.#state.costs.received[node]! - this.waitingDown(node));
  }

  /** Returns the number of bytes sent to a node that have not passed its download, in a run with flow control. */
  underWayBytes(node: number): number {
    return this.#underWay![node]! + Math.min(this.#state.costs.received[node]!, this.waitingDown(node));
  }

  /**
   * Handles a copy that arrives at its receiver's link.
   *
   * @returns the time at which the copy has passed the link, µs.
   */
  receive(node: number, bytes: number): number {
    const doneUs = Math.max(this.#downFreeUs[node]!, this.#nowUs - roundedUs) + bytes / this.#nodes.down[node]!;
    this.#downFreeUs[node] = doneUs;
    if (this.#underWay !== undefined) this.#underWay[node]! -= bytes;
    this.#state.costs.received[node]! += bytes;
    return doneUs;
  }

  /**
   * Returns whether upload and download are both free for a copy in time. A busy download delays only the copies for
   * that receiver.
   */
  #isInTime(number: number, to: number, freeUs: number, untilUs: number): boolean {
    if (untilUs === Number.POSITIVE_INFINITY) return true;
    return Math.max(freeUs, this.#downFreeUs[this.#receiverOf(number, to)]!) <= untilUs;
  }

  #countExpired(number: number): void {
    this.#state.costs.expired += this.#state.together[number]!;
  }

  /** Returns the node at a place of a message's topic. */
  #receiverOf(number: number, to: number): number {
    return this.#state.topics[this.#state.topicOf[number]!]!.members[to]!;
  }

  /**
   * Sends a copy over a link that becomes free at `freeUs`.
   *
   * @returns the time at which the link is free again, µs.
   */
  #transmit(node: number, number: number, to: number, bit: number, freeUs: number): number {
    const sentUs = freeUs + (this.#state.wireBytes[number]! * this.#nodes.load[node]!) / this.#nodes.up[node]!;
    this.#send(node, number, to, bit, sentUs, 1);
    return sentUs;
  }

  /**
   * Sends a copy.
   *
   * @param sentUs time at which the copy's last byte leaves if there is no window, µs.
   * @param copies number of copies that share the upload.
   */
  #send(node: number, number: number, to: number, bit: number, sentUs: number, copies: number): void {
    const { setting, wireBytes } = this.#state;
    const target = this.#receiverOf(number, to);
    const size = wireBytes[number]! * this.#nodes.load[node]!;
    const oneWayUs = setting.network.oneWayUs(node, target);
    const { windowBytes, lostShare = 0 } = setting.gossip;
    let leavesUs = sentUs;
    if (windowBytes !== undefined) {
      const rate = Math.min(this.#nodes.up[node]! / copies, this.#nodes.down[target]!);
      leavesUs += slowStartUs(size, rate, 2 * oneWayUs, windowBytes);
    }
    this.#state.costs.sent[node]! += size;
    if (lostShare > 0 && this.#lost.nextUnit() < lostShare) {
      this.#state.costs.lost += size;
      return;
    }
    if (this.#underWay !== undefined) this.#underWay[target]! += wireBytes[number]! * this.#nodes.load[target]!;
    this.#state.queue.push(Math.ceil(leavesUs) + oneWayUs, Kind.arrive, to, number, bit);
  }

  /**
   * Queues a copy for its sender's upload.
   *
   * @param untilUs latest time until which the copy may wait.
   */
  enqueue(node: number, number: number, to: number, bit: number, untilUs: number): void {
    this.#outbox[node] ??= [];
    this.#outbox[node].push(number, to, bit, untilUs);
  }

  /** Handles an upload that may be free again. */
  freed(node: number): void {
    this.#upDue[node] = 0;
    this.pump(node);
  }

  /** Sends waiting copies for as long as a node's upload is free. */
  pump(node: number): void {
    if (this.#upDue[node] === 1) return;
    const box = this.#outbox[node];
    if (box === undefined) return;
    const now = this.#nowUs;
    let next = this.#outNext[node]!;
    let freeUs = Math.max(this.#upFreeUs[node]!, now - roundedUs);
    while (next < box.length) {
      if (freeUs > now + committedUs) {
        this.#upDue[node] = 1;
        this.#state.queue.push(Math.ceil(freeUs - committedUs / 2), Kind.upFree, node, 0, 0);
        break;
      }
      const number = box[next]!;
      const to = box[next + 1]!;
      const bit = box[next + 2]!;
      const untilUs = box[next + 3]!;
      next += 4;
      if (!this.#isInTime(number, to, freeUs, untilUs)) {
        this.#countExpired(number);
        continue;
      }
      if (this.#isSuperfluous(node, number, to)) continue;
      const openUs = this.#openFrom(number, to);
      if (openUs > now) this.#hold(node, [number, to, bit, untilUs], openUs);
      else freeUs = this.#transmit(node, number, to, bit, freeUs);
    }
    this.#upFreeUs[node] = freeUs;
    if (next === box.length) {
      box.length = 0;
      next = 0;
    } else if (next > 4096 && next * 2 > box.length) {
      box.splice(0, next);
      next = 0;
    }
    this.#outNext[node] = next;
  }

  /** Holds a copy until its receiver accepts more copies. */
  #hold(node: number, copy: readonly number[], openUs: number): void {
    this.#held[node] ??= [];
    this.#held[node].push(...copy);
    const atUs = Math.ceil(Math.max(openUs, this.#nowUs + committedUs));
    if (this.#openUs[node]! <= atUs) return;
    this.#openUs[node] = atUs;
    this.#state.queue.push(atUs, Kind.downOpen, node, 0, 0);
  }

  /** Handles a receiver of held copies that now accepts more copies. */
  opened(node: number): void {
    if (this.#openUs[node] !== this.#nowUs) return;
    this.#openUs[node] = Number.POSITIVE_INFINITY;
    const box = this.#outbox[node]!;
    this.#outbox[node] = [...this.#held[node]!, ...box.slice(this.#outNext[node]!)];
    this.#outNext[node] = 0;
    this.#held[node] = [];
    this.pump(node);
  }

  /** Returns the time from which a copy's receiver accepts more copies, µs. */
  #openFrom(number: number, to: number): number {
    if (this.#aheadUs === undefined) return 0;
    const target = this.#receiverOf(number, to);
    const busyUntilUs =
      Math.max(this.#downFreeUs[target]!, this.#nowUs) + this.#underWay![target]! / this.#nodes.down[target]!;
    return busyUntilUs - this.#aheadUs;
  }

  /** Returns whether the sender knows that the receiver of a copy wants no more copies. */
  #isSuperfluous(node: number, number: number, to: number): boolean {
    const { isLarge, deliveredUs, setting } = this.#state;
    if (!isLarge[number]!) return false;
    const sinceUs = deliveredUs[number]![to]!;
    if (sinceUs === -1) return false;
    return sinceUs + setting.network.oneWayUs(node, this.#receiverOf(number, to)) <= this.#nowUs;
  }

  /**
   * Sends control messages. Control messages use capacity of both links and arrive immediately.
   *
   * @param bytes length of the messages, bytes.
   */
  sendIds(node: number, to: number, bytes: number): void {
    const { costs, setting } = this.#state;
    const { load } = setting.nodes;
    costs.control[node]! += bytes * load[node]!;
    costs.sent[node]! += bytes * load[node]!;
    this.#burdenUp(node, this.#nowUs, bytes * load[node]!);
    costs.received[to]! += bytes * load[to]!;
    this.#burdenDown(to, this.#nowUs, bytes * load[to]!);
  }

  get #nowUs(): number {
    return this.#state.queue.timeUs;
  }
}

/**
 * Returns the total time for which a copy waits for acknowledgements, µs. The congestion window, initially
 * `windowBytes`, doubles with each round trip until the window covers the data that the link carries in that time.
 */
function slowStartUs(bytes: number, rate: number, thereAndBackUs: number, windowBytes: number): number {
  let waitUs = 0;
  let window = windowBytes;
  for (let left = bytes; left > window && window < rate * thereAndBackUs; window *= 2) {
    waitUs += thereAndBackUs - window / rate;
    left -= window;
  }
  return waitUs;
}
