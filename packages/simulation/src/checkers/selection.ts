import {
  type AggregationScheme,
  type Contribution,
  type HandelRules,
  noContribution,
  type VerificationPriorities,
  type WindowRanks,
} from '@tutti/core';
import { grownBy, type HandelInspector, List, RuleView, stakeWeightOf, stakeWeightOfSigner } from '@tutti/core/packed';

/** A sender with a useful queued contribution on a level, its rank, and the weight that In_l would have with it. */
interface Queued {
  readonly sender: number;
  readonly rank: number;
  readonly score: number;
}

/**
 * Checks each of a node's choices of a verification by v1.03 sections 3.3 and 3.6, from the queue at that moment. Ranks
 * and windows are recomputed here, so the check is independent of the node's own choice.
 *
 * A contribution may be verified before a useful contribution of its level only if its rank exceeds the useful
 * contribution's rank by less than the level's window. After a few consecutive failures, the window is 1 and permits no
 * exception. Invalid contributions therefore cannot prevent the verification of a useful contribution (section 4.1
 * (2)).
 *
 * A node of a variant is checked with its own score and window. If the node has a selection rule, that rule decides the
 * order, and only useless verifications violate a claim.
 */
export class SelectionChecker {
  readonly #scheme: AggregationScheme;
  readonly #priorities: VerificationPriorities;
  readonly #limits: WindowRanks;
  /** Per level: the size of the window. */
  readonly #windows: Int32Array;
  readonly #growsRanks: boolean;
  /** Per sender: the number of contributions that were verified as valid. */
  readonly #verified = new Map<number, number>();

  /** @param growsRanks whether ranks grow with each verification (v1.0 section 3.6); in v1.03 ranks are constant. */
  constructor(scheme: AggregationScheme, priorities: VerificationPriorities, limits: WindowRanks, growsRanks: boolean) {
    this.#scheme = scheme;
    this.#priorities = priorities;
    this.#limits = limits;
    this.#growsRanks = growsRanks;
    this.#windows = new Int32Array(scheme.tree.levels + 1).fill(limits.initial);
  }

  /**
   * Checks three claims about a choice. `pruning`: the contribution is useful. `window`: its rank exceeds the lowest
   * rank of a useful contribution of the level by less than the window. `score`: no useful contribution in the window
   * has a better score. While the node is under attack, the claim `score` counts a window only up to its initial size.
   * A node with a selection rule is checked for `pruning` only.
   *
   * @returns the violated claim, the expected and the actual state; undefined if there is none.
   */
  broken(
    node: HandelInspector,
    level: number,
    sender: number,
    contribution: Contribution,
  ): { readonly claim: 'pruning' | 'window' | 'score'; readonly what: string } | undefined {
    const inWeight = stakeWeightOf(this.#scheme, node.in(level));
    const score = scoreOf(this.#scheme, node, level, contribution);
    if (score <= inWeight) {
      const what = `expected a verified contribution that makes In_l heavier than ${inWeight}, got one that makes its weight ${score}`;
      return { claim: 'pruning', what };
    }
    if (node.rules.select !== undefined) return undefined;
    const window = this.#windows[level]!;
    const rank = this.#rank(node.id, sender);
    const others = this.#useful(node, level);
    let first = { sender, rank };
    for (const other of others) if (other.rank < first.rank) first = other;
    const after = rank - first.rank;
    if (after >= window) {
      const what = `expected a sender less than ${window} ranks after queued sender ${first.sender}, got sender ${sender}, ${after} ranks after it`;
      return { claim: 'window', what };
    }
    const better = others.filter((other) => other.score > score && other.rank - first.rank < window);
    if (better.length === 0) return undefined;
    const near = better.find((other) => other.rank - first.rank < this.#limits.initial);
    const missed = near ?? (this.#isUnderAttack(node, level) ? undefined : better[0]);
    if (missed === undefined) return undefined;
    const what = `expected sender ${missed.sender} first, which makes the weight of In_l ${missed.score}, got sender ${sender}, which makes it ${score}`;
    return { claim: 'score', what };
  }

  /** Records the end of a verification. */
  count(level: number, sender: number, valid: boolean, { window = papersWindow }: HandelRules = {}): void {
    this.#windows[level] = window(this.#windows[level]!, valid, this.#limits);
    if (valid) this.#verified.set(sender, (this.#verified.get(sender) ?? 0) + 1);
  }

  /** Returns the queued contributions that would make In_l heavier: their senders, and the resulting weights. */
  #useful(node: HandelInspector, level: number): readonly Queued[] {
    const inWeight = stakeWeightOf(this.#scheme, node.in(level));
    const useful: Queued[] = [];
    node.forEachContribution(level, List.queued, (sender, aggregate, individual) => {
      const ofAggregate = scoreOf(this.#scheme, node, level, aggregate);
      const score = Math.max(ofAggregate, scoreOf(this.#scheme, node, level, individual));
      if (score > inWeight) useful.push({ sender, rank: this.#rank(node.id, sender), score });
    });
    return useful;
  }

  /**
   * Returns whether a window is smaller than its initial size, on the level of a useful choice or on another level with
   * a useful queued contribution.
   */
  #isUnderAttack(node: HandelInspector, chosen: number): boolean {
    return this.#windows.some(
      (window, level) => window < this.#limits.initial && (level === chosen || this.#useful(node, level).length > 0),
    );
  }

  /** Returns the sender's rank. If ranks grow, each verified contribution adds one span. */
  #rank(receiver: number, sender: number): number {
    if (!this.#growsRanks) return this.#priorities.rank(receiver, sender);
    const verified = this.#verified.get(sender) ?? 0;
    return this.#priorities.rank(receiver, sender) + grownBy(this.#priorities.span, verified);
  }
}

/**
 * Returns the weight that In_l would have with a contribution (v1.03 section 3.3), either alone or united with the
 * verified individual contributions that the contribution lacks.
 */
function scoreOf(scheme: AggregationScheme, node: HandelInspector, level: number, contribution: Contribution): number {
  if (contribution === noContribution) return 0;
  if (node.rules.score !== undefined && scheme.weight(contribution) > 1)
    return node.rules.score(new RuleView(node.state), level, contribution);
  let score = stakeWeightOf(scheme, contribution);
  if (scheme.aggregatable(contribution, node.in(level))) return score + stakeWeightOf(scheme, node.in(level));
  node.forEachContribution(level, List.verified, (sender) => {
    if (!scheme.contains(contribution, sender)) score += stakeWeightOfSigner(scheme, sender);
  });
  return score;
}

/** Computes the new window size after a verification, as v1.03 section 3.6 defines it. */
function papersWindow(size: number, isValid: boolean, { max, expansion, contraction }: WindowRanks): number {
  return isValid ? Math.min(max, Math.ceil(size * expansion)) : Math.max(1, Math.floor(size / contraction));
}
