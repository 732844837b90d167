/**
 * Costs of a prover's machine: parameters of a fit to measurements, for a named circuit and machine. Each cost has a
 * part that is independent of the number of cores, and a part that is divided by it.
 */
export interface ProverCosts {
  /** Constant part of the cost of a raw vote, ms. */
  readonly perVoteMs: number;
  /** Part of the cost of a raw vote that is divided by the cores, ms. */
  readonly perVoteCoreMs: number;
  /** Constant part of the cost of a merged proof per child, ms. */
  readonly perChildMs: number;
  /** Part of the cost of a merged proof per child that is divided by the cores, ms. */
  readonly perChildCoreMs: number;
  /** Cost of a merge in addition to its children, as a number of children. */
  readonly mergeInChildren: number;
  /** Cost of every proof in addition to its parts, ms. */
  readonly fixedMs: number;
  /** Minimum time of a proof, ms. */
  readonly floorMs: number;
}

export interface ProofSizes {
  /** Fixed size of a proof of raw votes only, KiB. */
  readonly leafKiB: number;
  /** Additional size of a proof of raw votes per vote, KiB. */
  readonly perVoteKiB: number;
  /** Fixed size of a merged proof, KiB. */
  readonly mergedKiB: number;
  /** Additional size of a merged proof per child, KiB. */
  readonly perChildKiB: number;
  /** Maximum size that the chain accepts, KiB. */
  readonly maxKiB: number;
}

export interface LeanVerifierCosts {
  /** Time to verify a proof, ms. */
  readonly proofMs: number;
  /** Factor on the time to verify a proof while the node proves. */
  readonly whileProving: number;
  /** Time to verify a raw vote, ms. */
  readonly voteMs: number;
}

/** Cost of merging a block's messages, including the proposer's: a fixed part and a part per message, ms. */
export interface BlockCosts {
  readonly fixedMs: number;
  readonly perMessageMs: number;
}

/**
 * Returns the time of a prover for one proof, ms. The cost is assumed to be additive in raw votes and children, which
 * has not been measured.
 */
export function proveMs(costs: ProverCosts, votes: number, children: number, cores: number): number {
  const vote = costs.perVoteMs + costs.perVoteCoreMs / cores;
  const child = costs.perChildMs + costs.perChildCoreMs / cores;
  const merged = children === 0 ? 0 : children + costs.mergeInChildren;
  return Math.max(costs.floorMs, costs.fixedMs + votes * vote + merged * child);
}

/** Returns the size of a proof, bytes. */
export function proofBytes(sizes: ProofSizes, votes: number, children: number): number {
  const leaf = sizes.leafKiB + sizes.perVoteKiB * votes;
  const merged = children === 0 ? 0 : sizes.mergedKiB + sizes.perChildKiB * children;
  return Math.round(1024 * Math.min(sizes.maxKiB, Math.max(leaf, merged)));
}

/** @param messages number of distinct messages in the block, including the proposer's own. */
export function blockMergeMs(costs: BlockCosts, messages: number): number {
  return costs.fixedMs + messages * costs.perMessageMs;
}
