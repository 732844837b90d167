import {
  type AggregationScheme,
  type Contribution,
  ForwardingPort,
  noContribution,
  type Port,
  type ProtocolNode,
  type ScreeningRefusal,
  TraceKind,
} from '@tutti/core';
import { lineBits, type QuirkMemory, quirkRecord, unmarked, type WaitingVerification } from './quirkMemory.ts';

/**
 * Columns of a level's line: In_l and its weight; the weight of the last Out_l sent, and the number of times it was
 * sent. Contributions in a column are retained.
 */
const column = { in: 0, inWeight: 1, sentWeight: 2, sentTimes: 3 } as const;

/**
 * A node of Handel with deviations of the Go reference. The object is the port for the wrapped node, and the node for
 * the runtime.
 */
export class QuirkyNode extends ForwardingPort implements ProtocolNode {
  readonly #id: number;
  readonly #scheme: AggregationScheme;
  readonly #memory: QuirkMemory;
  /** Aggregates received on incomplete levels, each retained. */
  readonly #aggregates: number;
  /** Individual contributions to verify when idle, oldest first, each retained. */
  readonly #idle: number;
  /** Senders whose individual contribution was received or was verified for the node. */
  readonly #seen: number;
  /** Start of the levels' lines. */
  readonly #lines: number;
  #node: ProtocolNode | undefined;
  #isStarted = false;
  /** True while the node handles a timer. */
  #isInTimer = false;
  /** True if the node refused the message that it handles. */
  #isRefused = false;
  /** Levels at which something was sent, as bits. */
  #sentLevels = 0;
  /** Levels whose In_l is complete, as bits. */
  #completeLevels = 0;
  /** Current verification: none, one that the node requested, or one that a deviation caused. */
  #verifying: 'nothing' | 'asked' | 'idle' = 'nothing';
  /** Verification that the node requested while another one was in progress. */
  #waiting: WaitingVerification | undefined;
  /** Ticket of the node's last request. */
  #tickets = 0;

  constructor(id: number, port: Port, memory: QuirkMemory) {
    // The Go reference verifies one contribution at a time.
    super(port, false);
    const at = memory.open();
    this.#id = id;
    this.#scheme = memory.scheme;
    this.#memory = memory;
    this.#aggregates = at + quirkRecord.aggregates;
    this.#idle = at + quirkRecord.idle;
    this.#seen = at + quirkRecord.seen;
    this.#lines = at + quirkRecord.lines;
  }

  /** Wraps the node that has this object as its port. */
  around(node: ProtocolNode): ProtocolNode {
    this.#node = node;
    return this;
  }

  start(): void {
    this.#isStarted = true;
    this.#node!.start();
    this.#verifyIdle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const { has, lists, sets } = this.#memory;
    this.#isRefused = false;
    this.#node!.onMessage(from, level, aggregate, individual, has['no-level-flag'] ? 0 : flags);
    if (this.#isRefused || this.#isComplete(level)) return;
    if (has['stale-choice']) {
      this.#scheme.retain(aggregate);
      lists.push(this.#aggregates, level, from, aggregate);
    }
    if (!has['idle-checks']) return;
    const alone = individual === noContribution && this.#scheme.weight(aggregate) === 1;
    const contribution = alone ? aggregate : individual;
    if (contribution === noContribution || !sets.add(this.#seen, from)) return;
    this.#scheme.retain(contribution);
    lists.push(this.#idle, level, from, contribution);
    this.#verifyIdle();
  }

  onTimer(timer: number): void {
    this.#isInTimer = true;
    this.#node!.onTimer(timer);
    this.#isInTimer = false;
  }

  onVerified(_ticket: number, valid: boolean): void {
    const wasAsked = this.#verifying === 'asked';
    if (wasAsked) {
      const stale = this.#memory.has['stale-choice'] ? this.#takeBest() : undefined;
      this.#verifying = stale === undefined ? 'nothing' : 'idle';
      this.#node!.onVerified(this.#tickets, valid);
      if (stale !== undefined) {
        if (this.#waiting?.contribution === stale.contribution) {
          this.#waiting = undefined;
          this.#verify(stale, 'asked');
        } else this.#verify(stale, 'idle');
        this.#scheme.release(stale.contribution);
      }
    } else {
      this.#verifying = 'nothing';
      if (this.#waiting !== undefined) {
        this.#verify(this.#waiting, 'asked');
        this.#waiting = undefined;
      }
    }
    this.#verifyIdle();
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const { tree } = this.#scheme;
    const peers = tree.peerBlock(this.#id, level);
    const size = tree.size(peers);
    const isFirst = ((this.#sentLevels >>> level) & 1) === 0;
    this.#sentLevels |= 1 << level;
    if (!isFirst || !this.#isInTimer || !this.#memory.has['start-burst']) {
      if (this.#maySend(level, aggregate, size)) this.port.send(to, level, aggregate, individual, flags);
      return;
    }
    const first = tree.start(peers);
    const count = this.#memory.startPeers;
    const stride = Math.ceil(size / count);
    let peer = to - first;
    for (let left = Math.min(count, size); left > 0; left--) {
      if (this.#maySend(level, aggregate, size)) {
        this.port.send(first + peer, level, aggregate, individual, flags);
      }
      peer = (peer + stride) % size;
    }
  }

  override verify(contribution: Contribution, level: number, sender: number): number {
    const check = { level, sender, contribution };
    if (this.#scheme.weight(contribution) === 1) this.#memory.sets.add(this.#seen, sender);
    this.#forget(check);
    if (this.#verifying === 'nothing') this.#verify(check, 'asked');
    else this.#waiting = check;
    return ++this.#tickets;
  }

  override refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.#isRefused = true;
    super.refuse(level, peer, code);
  }

  override trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.levelImproved) this.#improve(level, contribution);
    super.trace(kind, level, peer, contribution);
  }

  /** Records a new In_l. The marks of the level's aggregates must then be computed again. */
  #improve(level: number, contribution: Contribution): void {
    const { lists } = this.#memory;
    const scheme = this.#scheme;
    const weight = scheme.weight(contribution);
    scheme.retain(contribution);
    scheme.release(this.#get(level, column.in));
    this.#set(level, column.in, contribution);
    this.#set(level, column.inWeight, weight);
    if (weight === scheme.tree.size(scheme.block(contribution))) this.#completeLevels |= 1 << level;
    for (let place = lists.count(this.#aggregates) - 1; place >= 0; place--) {
      if (lists.level(this.#aggregates, place) === level) lists.setMark(this.#aggregates, place, unmarked);
    }
  }

  /**
   * Counts a message at the level. Returns whether the node may send the message. With `one-round`, the node sends at
   * most as many messages as the level has peers until Out_l grows.
   */
  #maySend(level: number, aggregate: Contribution, peers: number): boolean {
    if (!this.#memory.has['one-round']) return true;
    const weight = this.#scheme.weight(aggregate);
    const times = weight > this.#get(level, column.sentWeight) ? 0 : this.#get(level, column.sentTimes);
    if (times >= peers) return false;
    this.#set(level, column.sentWeight, weight);
    this.#set(level, column.sentTimes, times + 1);
    return true;
  }

  /**
   * Removes and returns the aggregate with the highest score, based on the known In_l; undefined if there is none.
   * Aggregates that would improve nothing are discarded.
   */
  #takeBest(): WaitingVerification | undefined {
    const { lists } = this.#memory;
    const list = this.#aggregates;
    const count = lists.count(list);
    let best: WaitingVerification | undefined;
    let bestMark = 0;
    let left = 0;
    for (let place = 0; place < count; place++) {
      let mark = lists.mark(list, place);
      if (mark === unmarked) {
        mark = this.#score(lists.level(list, place), lists.contribution(list, place));
        lists.setMark(list, place, mark);
      }
      if (mark === 0) this.#scheme.release(lists.contribution(list, place));
      else if (mark <= bestMark) lists.copy(list, place, left++);
      else {
        const better = lists.get(list, place);
        if (best !== undefined) lists.set(list, left++, best.level, best.sender, best.contribution, bestMark);
        best = better;
        bestMark = mark;
      }
    }
    lists.shorten(list, left);
    return best;
  }

  /**
   * Removes an aggregate whose verification the node has requested, so that the aggregate is not chosen again. Another
   * sender's aggregate of the same set remains.
   */
  #forget({ sender, contribution }: WaitingVerification): void {
    const { lists } = this.#memory;
    const list = this.#aggregates;
    const count = lists.count(list);
    for (let place = 0; place < count; place++) {
      if (lists.contribution(list, place) !== contribution || lists.sender(list, place) !== sender) continue;
      this.#scheme.release(contribution);
      lists.remove(list, place);
      return;
    }
  }

  /**
   * Returns the Go reference's score of an aggregate; 0 for one that adds nothing. An aggregate that completes a level
   * has the highest score. Otherwise, the score is higher for a lower level or a greater improvement.
   */
  #score(level: number, contribution: Contribution): number {
    const scheme = this.#scheme;
    const weight = scheme.weight(contribution);
    const known = this.#get(level, column.in);
    const knownWeight = this.#get(level, column.inWeight);
    const total = scheme.aggregatable(known, contribution) ? weight + knownWeight : weight;
    if (total <= knownWeight) return 0;
    const size = scheme.tree.size(scheme.tree.peerBlock(this.#id, level));
    return total === size ? 1_000_000 - 10 * level : 100_000 - 100 * level + 10 * (total - knownWeight);
  }

  #isComplete(level: number): boolean {
    return ((this.#completeLevels >>> level) & 1) === 1;
  }

  /** Verifies the oldest individual contribution of an incomplete level if there is no current verification. */
  #verifyIdle(): void {
    const { lists } = this.#memory;
    while (this.#isStarted && this.#verifying === 'nothing' && lists.count(this.#idle) > 0) {
      const check = lists.shift(this.#idle);
      if (!this.#isComplete(check.level)) this.#verify(check, 'idle');
      this.#scheme.release(check.contribution);
    }
  }

  #verify({ level, sender, contribution }: WaitingVerification, why: 'asked' | 'idle'): void {
    this.#verifying = why;
    this.port.verify(contribution, level, sender);
  }

  #get(level: number, which: number): number {
    return this.#memory.slab.ints[this.#line(level) + which]!;
  }

  #set(level: number, which: number, value: number): void {
    this.#memory.slab.ints[this.#line(level) + which] = value | 0;
  }

  #line(level: number): number {
    return this.#lines + (level << lineBits);
  }
}
