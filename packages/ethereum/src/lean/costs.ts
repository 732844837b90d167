/**
 * Costs of a prover's machine: parameters of a fit to measurements, for a named circuit and machine. Each cost has a
 * part that no core speeds up, and one that is divided by the cores.
 */
export interface ProverCosts {
  /** Cost of a raw vote, ms, and ms divided by the cores. */
  readonly perVoteMs: number;
  readonly perVoteCoreMs: number;
  /** Cost of a merged proof, ms, and ms divided by the cores. */
  readonly perChildMs: number;
  readonly perChildCoreMs: number;
  /** Cost of a merge in addition to its children, in children. */
  readonly mergeInChildren: number;
  /** Cost of every proof in addition to its parts, ms. */
  readonly fixedMs: number;
  /** Minimum time of a proof, ms. */
  readonly floorMs: number;
}

export interface ProofSizes {
  /** Size of a proof of raw votes alone, KiB: without votes, and per vote. */
  readonly leafKiB: number;
  readonly perVoteKiB: number;
  /** Size of a merge, KiB: without children, and per child. */
  readonly mergedKiB: number;
  readonly perChildKiB: number;
  /** Maximum size that the chain accepts, KiB. */
  readonly maxKiB: number;
}

export interface LeanVerifierCosts {
  /** Time to verify a proof, ms; and its factor while the node proves. */
  readonly proofMs: number;
  readonly whileProving: number;
  /** Time to verify a raw vote, ms. */
  readonly voteMs: number;
}

/** Costs of merging a block's messages, including the proposer's, ms: without any, and per message. */
export interface BlockCosts {
  readonly fixedMs: number;
  readonly perMessageMs: number;
}

/**
 * Returns the time of a prover for one proof, ms. It is additive in raw votes and children, an assumption that has not
 * been measured.
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

/** @param messages distinct messages of the block, including the proposer's own. */
export function blockMergeMs(costs: BlockCosts, messages: number): number {
  return costs.fixedMs + messages * costs.perMessageMs;
}
