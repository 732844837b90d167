import type { AggregationScheme } from '../../contribution/scheme.ts';
import type { HandelNode } from '../../handel/node.ts';
import { List } from '../../handel/pending.ts';
import { grownBy } from '../../handel/state.ts';
import type { WindowRanks } from '../../handel/window.ts';
import type { VerificationPriorities } from '../../overlay/verificationPriority.ts';
import { type Contribution, noContribution } from '../../protocol.ts';

/**
 * Checks each of a node's choices of what to verify against v1.03 sections 3.3 and 3.6, from the queue that it has at
 * that moment. Ranks and windows are recomputed here, so it does not matter how the node came to its choice.
 *
 * A contribution may be verified before a useful one of its level only if its rank exceeds that one's by less than the
 * level's window; after a few failures in a row, when the window is 1, it may not. So invalid contributions cannot keep
 * the useful one from being verified (section 4.1 (2)).
 */
export class SelectionChecker {
  readonly #scheme: AggregationScheme;
  readonly #priorities: VerificationPriorities;
  readonly #limits: WindowRanks;
  readonly #windows: Int32Array;
  /** How many valid contributions of a sender were verified. */
  readonly #verified = new Map<number, number>();

  constructor(scheme: AggregationScheme, priorities: VerificationPriorities, limits: WindowRanks) {
    this.#scheme = scheme;
    this.#priorities = priorities;
    this.#limits = limits;
    this.#windows = new Int32Array(scheme.tree.levels + 1).fill(limits.initial);
  }

  /**
   * Under attack a window counts only up to its initial size, so a better score is missed only within that.
   *
   * @returns the broken claim, what was expected and what came; undefined if nothing is wrong.
   */
  broken(
    node: HandelNode,
    level: number,
    sender: number,
    contribution: Contribution,
  ): { readonly claim: 'pruning' | 'window' | 'score'; readonly what: string } | undefined {
    const inWeight = node.inWeight(level);
    const score = scoreOf(this.#scheme, node, level, contribution);
    if (score <= inWeight) {
      const what = `expected what makes In_l heavier than ${inWeight} to be verified, got what makes it ${score}`;
      return { claim: 'pruning', what };
    }
    const window = this.#windows[level]!;
    const rank = this.#rank(node.id, sender);
    let first = { sender, rank };
    const others: { readonly sender: number; readonly rank: number; readonly score: number }[] = [];
    node.forEachKept(level, List.queued, (from, aggregate, individual) => {
      const ofAggregate = scoreOf(this.#scheme, node, level, aggregate);
      const other = {
        sender: from,
        rank: this.#rank(node.id, from),
        score: Math.max(ofAggregate, scoreOf(this.#scheme, node, level, individual)),
      };
      if (other.score <= inWeight) return;
      others.push(other);
      if (other.rank < first.rank) first = other;
    });
    const after = rank - first.rank;
    if (after >= window) {
      const what = `expected a sender less than ${window} ranks after ${first.sender}, who is queued, got ${sender}, ${after} after`;
      return { claim: 'window', what };
    }
    const near = Math.min(window, this.#limits.initial);
    const better = others.find((other) => other.score > score && other.rank - first.rank < near);
    if (better === undefined) return undefined;
    const what = `expected ${better.sender} first, who makes In_l ${better.score}, got ${sender}, who makes it ${score}`;
    return { claim: 'score', what };
  }

  /** A verification is done. */
  count(level: number, sender: number, valid: boolean): void {
    const window = this.#windows[level]!;
    this.#windows[level] = valid
      ? Math.min(this.#limits.max, Math.floor(window * this.#limits.expansion))
      : Math.max(1, Math.floor(window / this.#limits.contraction));
    if (valid) this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
  }

  /** v1.0 section 3.6: a whole span further down for each that was verified. */
  #rank(receiver: number, sender: number): number {
    const verified = this.#verified.get(sender) ?? 0;
    return this.#priorities.rank(receiver, sender) + grownBy(this.#priorities.span, verified);
  }
}

/**
 * The weight that In_l would have with a contribution (v1.03 section 3.3), alone or with the verified individual
 * contributions that it lacks.
 */
function scoreOf(scheme: AggregationScheme, node: HandelNode, level: number, contribution: Contribution): number {
  if (contribution === noContribution) return 0;
  let score = scheme.weight(contribution);
  if (scheme.disjoint(contribution, node.in(level))) return score + node.inWeight(level);
  node.forEachKept(level, List.verified, (sender) => {
    if (!scheme.contains(contribution, sender)) score++;
  });
  return score;
}
