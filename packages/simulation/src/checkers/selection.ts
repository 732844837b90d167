import {
  type AggregationScheme,
  type Contribution,
  type HandelNode,
  type HandelRules,
  noContribution,
  type VerificationPriorities,
  type WindowRanks,
} from '@tutti/core';
import { grownBy, List, stakeWeightOf, stakeWeightOfSigner, viewOf } from '@tutti/core/packed';

/** A sender with something useful queued on a level, and what In_l would weigh with it. */
interface Queued {
  readonly sender: number;
  readonly rank: number;
  readonly score: number;
}

/**
 * Checks each of a node's choices of what to verify against v1.03 sections 3.3 and 3.6, from the queue that it has at
 * that moment. Ranks and windows are recomputed here, so it does not matter how the node came to its choice.
 *
 * A contribution may be verified before a useful one of its level only if its rank exceeds that one's by less than the
 * level's window; after a few failures in a row, when the window is 1, it may not. So invalid contributions cannot keep
 * the useful one from being verified (section 4.1 (2)).
 *
 * A node with rules of its own is judged by its score and its window. If it has a selection rule, that rule decides what
 * goes first, and only useless verifications break a claim.
 */
export class SelectionChecker {
  readonly #scheme: AggregationScheme;
  readonly #priorities: VerificationPriorities;
  readonly #limits: WindowRanks;
  readonly #windows: Int32Array;
  readonly #growsRanks: boolean;
  /** How many valid contributions of a sender were verified. */
  readonly #verified = new Map<number, number>();

  /** @param growsRanks whether ranks grow with each verification (v1.0 section 3.6); in v1.03 they stay. */
  constructor(
    scheme: AggregationScheme,
    priorities: VerificationPriorities,
    limits: WindowRanks,
    { growsRanks = true }: { readonly growsRanks?: boolean } = {},
  ) {
    this.#growsRanks = growsRanks;
    this.#scheme = scheme;
    this.#priorities = priorities;
    this.#limits = limits;
    this.#windows = new Int32Array(scheme.tree.levels + 1).fill(limits.initial);
  }

  /**
   * Of a level's window, the best score goes first. While the node is under attack, a window counts only up to its
   * initial size.
   *
   * @returns the broken claim, what was expected and what came; undefined if nothing is wrong.
   */
  broken(
    node: HandelNode,
    level: number,
    sender: number,
    contribution: Contribution,
  ): { readonly claim: 'pruning' | 'window' | 'score'; readonly what: string } | undefined {
    const inWeight = stakeWeightOf(this.#scheme, node.in(level));
    const score = scoreOf(this.#scheme, node, level, contribution);
    if (score <= inWeight) {
      const what = `expected what makes In_l heavier than ${inWeight} to be verified, got what makes it ${score}`;
      return { claim: 'pruning', what };
    }
    if (node.rules.select !== undefined) return undefined;
    const window = this.#windows[level]!;
    const rank = this.#rank(node.id, sender);
    let first = { sender, rank };
    const others = this.#useful(node, level);
    for (const other of others) if (other.rank < first.rank) first = other;
    const after = rank - first.rank;
    if (after >= window) {
      const what = `expected a sender less than ${window} ranks after ${first.sender}, who is queued, got ${sender}, ${after} after`;
      return { claim: 'window', what };
    }
    const better = others.filter((other) => other.score > score && other.rank - first.rank < window);
    if (better.length === 0) return undefined;
    const near = better.find((other) => other.rank - first.rank < this.#limits.initial);
    const missed = near ?? (this.#isUnderAttack(node, level) ? undefined : better[0]);
    if (missed === undefined) return undefined;
    const what = `expected ${missed.sender} first, who makes In_l ${missed.score}, got ${sender}, who makes it ${score}`;
    return { claim: 'score', what };
  }

  /** A verification is done. */
  count(level: number, sender: number, valid: boolean, { window = papersWindow }: HandelRules = {}): void {
    this.#windows[level] = window(this.#windows[level]!, valid, this.#limits);
    if (valid) this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
  }

  /** What is queued on a level and would make In_l heavier: by whom, and how heavy. */
  #useful(node: HandelNode, level: number): readonly Queued[] {
    const inWeight = stakeWeightOf(this.#scheme, node.in(level));
    const useful: Queued[] = [];
    node.forEachKept(level, List.queued, (sender, aggregate, individual) => {
      const ofAggregate = scoreOf(this.#scheme, node, level, aggregate);
      const score = Math.max(ofAggregate, scoreOf(this.#scheme, node, level, individual));
      if (score > inWeight) useful.push({ sender, rank: this.#rank(node.id, sender), score });
    });
    return useful;
  }

  /**
   * Whether a window is smaller than its initial one, of the level of a useful choice or of another one with something
   * useful queued.
   */
  #isUnderAttack(node: HandelNode, chosen: number): boolean {
    return this.#windows.some(
      (window, level) => window < this.#limits.initial && (level === chosen || this.#useful(node, level).length > 0),
    );
  }

  /** The sender's rank; where ranks grow, a whole span further down for each that was verified. */
  #rank(receiver: number, sender: number): number {
    if (!this.#growsRanks) return this.#priorities.rank(receiver, sender);
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
  if (node.rules.score !== undefined && scheme.weight(contribution) > 1)
    return node.rules.score(viewOf(node), level, contribution);
  let score = stakeWeightOf(scheme, contribution);
  if (scheme.aggregatable(contribution, node.in(level))) return score + stakeWeightOf(scheme, node.in(level));
  node.forEachKept(level, List.verified, (sender) => {
    if (!scheme.contains(contribution, sender)) score += stakeWeightOfSigner(scheme, sender);
  });
  return score;
}

/** The window of v1.03 section 3.6, computed here again. */
function papersWindow(size: number, isValid: boolean, { max, expansion, contraction }: WindowRanks): number {
  return isValid ? Math.min(max, Math.floor(size * expansion)) : Math.max(1, Math.floor(size / contraction));
}
