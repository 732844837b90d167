import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode, TraceKind } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';

/**
 * What the Go reference did in the published runs that the paper does not ask of a node. They are wrapped around a
 * Handel node, which is unaware of them, for the calibrated model of the deployment.
 */
export const referenceQuirks = [
  /** With nothing better to verify, it verifies individual contributions that add nothing to an incomplete level. */
  'idle-checks',
  /** It chooses what to verify next before it has merged what it verified last, and so verifies much twice over. */
  'stale-choice',
  /** A level whose start time comes is sent at once to as many peers as the fast path contacts. */
  'start-burst',
  /** It stops sending on a level after one round through the peers, until Out_l has grown. */
  'one-round',
  /**
   * It neither sends nor reads the flag that a level is complete; it leaves out its individual contribution instead.
   */
  'no-level-flag',
] as const;
export type ReferenceQuirk = (typeof referenceQuirks)[number];

/** A verification: of what, and whom it came from. */
interface Check {
  readonly level: number;
  readonly sender: number;
  readonly contribution: Contribution;
}

/** A node of Handel with quirks of the Go reference. To the node it is its port, to the runtime it is the node. */
export class QuirkyNode implements Port, ProtocolNode {
  readonly #id: number;
  readonly #scheme: AggregationScheme;
  readonly #port: Port;
  readonly #startPeers: number;
  readonly #has: Readonly<Record<ReferenceQuirk, boolean>>;
  #node: ProtocolNode | undefined;
  #isStarted = false;
  #isInTimer = false;
  /** Bits of levels on which something was sent, and of those that are complete. */
  #sentLevels = 0;
  #completeLevels = 0;
  /** By level: weight of the last Out_l sent, and how often it was. */
  readonly #sentWeight: number[] = [];
  readonly #sentTimes: number[] = [];
  /** In_l by level, and the aggregates that came in on incomplete levels; each retained. */
  readonly #in: Contribution[] = [];
  #aggregates: Check[] = [];
  /** Individual contributions to verify when idle, the oldest first; each retained. */
  readonly #idle: Check[] = [];
  /** Senders whose individual contribution came in, or was verified for the node. */
  readonly #seen = new Set<number>();
  /**
   * What is being verified: nothing, something for the node, or something idle, and what the node asks for meanwhile.
   */
  #verifying: 'nothing' | 'asked' | 'idle' = 'nothing';
  #waiting: Check | undefined;
  #tickets = 0;

  /** @param startPeers peers that a burst goes to. */
  constructor(id: number, scheme: AggregationScheme, port: Port, kept: readonly ReferenceQuirk[], startPeers: number) {
    this.#id = id;
    this.#scheme = scheme;
    this.#port = port;
    this.#startPeers = startPeers;
    this.#has = {
      'idle-checks': kept.includes('idle-checks'),
      'stale-choice': kept.includes('stale-choice'),
      'start-burst': kept.includes('start-burst'),
      'one-round': kept.includes('one-round'),
      'no-level-flag': kept.includes('no-level-flag'),
    };
  }

  /** Puts itself around the node that has it as its port. */
  around(node: ProtocolNode): ProtocolNode {
    this.#node = node;
    return this;
  }

  start(): void {
    this.#isStarted = true;
    this.#node!.start();
    this.#checkIdle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#node!.onMessage(from, level, aggregate, individual, this.#has['no-level-flag'] ? 0 : flags);
    if (this.#has['stale-choice'] && !this.#isComplete(level)) {
      this.#scheme.retain(aggregate);
      this.#aggregates.push({ level, sender: from, contribution: aggregate });
    }
    if (!this.#has['idle-checks']) return;
    const alone = individual === noContribution && this.#scheme.weight(aggregate) === 1;
    const contribution = alone ? aggregate : individual;
    if (contribution === noContribution || this.#isComplete(level) || this.#seen.has(from)) return;
    this.#seen.add(from);
    this.#scheme.retain(contribution);
    this.#idle.push({ level, sender: from, contribution });
    this.#checkIdle();
  }

  onTimer(timer: number): void {
    this.#isInTimer = true;
    this.#node!.onTimer(timer);
    this.#isInTimer = false;
  }

  onVerified(_ticket: number, valid: boolean): void {
    const wasAsked = this.#verifying === 'asked';
    if (wasAsked) {
      const stale = this.#has['stale-choice'] ? this.#takeBest() : undefined;
      this.#verifying = stale === undefined ? 'nothing' : 'idle';
      this.#node!.onVerified(this.#tickets, valid);
      if (stale !== undefined) {
        if (this.#waiting?.contribution === stale.contribution) {
          this.#waiting = undefined;
          this.#check(stale, 'asked');
        } else this.#check(stale, 'idle');
        this.#scheme.release(stale.contribution);
      }
    } else {
      this.#verifying = 'nothing';
      if (this.#waiting !== undefined) {
        this.#check(this.#waiting, 'asked');
        this.#waiting = undefined;
      }
    }
    this.#checkIdle();
  }

  nowUs(): number {
    return this.#port.nowUs();
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const { tree } = this.#scheme;
    const peers = tree.peerBlock(this.#id, level);
    const isFirst = ((this.#sentLevels >>> level) & 1) === 0;
    this.#sentLevels |= 1 << level;
    const count = isFirst && this.#isInTimer && this.#has['start-burst'] ? this.#startPeers : 1;
    const size = tree.size(peers);
    const stride = Math.ceil(size / count);
    let peer = to - tree.start(peers);
    for (let left = Math.min(count, size); left > 0; left--) {
      if (this.#mayContact(level, aggregate, size)) {
        this.#port.send(tree.start(peers) + peer, level, aggregate, individual, flags);
      }
      peer = (peer + stride) % size;
    }
  }

  setTimer(delayUs: number, timer: number): void {
    this.#port.setTimer(delayUs, timer);
  }

  verify(contribution: Contribution, level: number, sender: number): number {
    const check = { level, sender, contribution };
    if (this.#scheme.weight(contribution) === 1) this.#seen.add(sender);
    this.#forget(check);
    if (this.#verifying === 'nothing') this.#check(check, 'asked');
    else this.#waiting = check;
    return ++this.#tickets;
  }

  output(contribution: Contribution): void {
    this.#port.output(contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.#port.refuse(level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.levelImproved) {
      this.#scheme.retain(contribution);
      if (this.#in[level] !== undefined) this.#scheme.release(this.#in[level]);
      this.#in[level] = contribution;
      const size = this.#scheme.tree.size(this.#scheme.block(contribution));
      if (this.#scheme.weight(contribution) === size) this.#completeLevels |= 1 << level;
    }
    this.#port.trace(kind, level, peer, contribution);
  }

  /** Whether one more message on the level is within its round. */
  #mayContact(level: number, aggregate: Contribution, peers: number): boolean {
    if (!this.#has['one-round']) return true;
    const weight = this.#scheme.weight(aggregate);
    const times = weight > (this.#sentWeight[level] ?? 0) ? 0 : this.#sentTimes[level]!;
    if (times >= peers) return false;
    this.#sentWeight[level] = weight;
    this.#sentTimes[level] = times + 1;
    return true;
  }

  /**
   * Takes out what would improve its level most, by the known In_l; completing a level comes first, then lower levels.
   * Drops what would not improve anything.
   */
  #takeBest(): Check | undefined {
    let best: Check | undefined;
    let bestMark = 0;
    const left: Check[] = [];
    for (const check of this.#aggregates) {
      const mark = this.#mark(check);
      if (mark === 0) this.#scheme.release(check.contribution);
      else if (mark <= bestMark) left.push(check);
      else {
        if (best !== undefined) left.push(best);
        best = check;
        bestMark = mark;
      }
    }
    this.#aggregates = left;
    return best;
  }

  /**
   * An aggregate that is verified for the node is not to be chosen once more; another sender's of the same set may be.
   */
  #forget({ sender, contribution }: Check): void {
    const at = this.#aggregates.findIndex((one) => one.sender === sender && one.contribution === contribution);
    if (at < 0) return;
    this.#scheme.release(contribution);
    this.#aggregates.splice(at, 1);
  }

  /** How the Go reference scores an aggregate; 0 for one that adds nothing. */
  #mark({ level, contribution }: Check): number {
    const scheme = this.#scheme;
    const weight = scheme.weight(contribution);
    const known = this.#in[level];
    const knownWeight = known === undefined ? 0 : scheme.weight(known);
    const total = known !== undefined && scheme.disjoint(known, contribution) ? weight + knownWeight : weight;
    if (total <= knownWeight) return 0;
    const size = scheme.tree.size(scheme.tree.peerBlock(this.#id, level));
    return total === size ? 1_000_000 - 10 * level : 100_000 - 100 * level + 10 * (total - knownWeight);
  }

  #isComplete(level: number): boolean {
    return ((this.#completeLevels >>> level) & 1) === 1;
  }

  #checkIdle(): void {
    while (this.#isStarted && this.#verifying === 'nothing') {
      const check = this.#idle.shift();
      if (check === undefined) return;
      if (!this.#isComplete(check.level)) this.#check(check, 'idle');
      this.#scheme.release(check.contribution);
    }
  }

  #check({ level, sender, contribution }: Check, why: 'asked' | 'idle'): void {
    this.#verifying = why;
    this.#port.verify(contribution, level, sender);
  }
}
