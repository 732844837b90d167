/**
 * What a prover's machine takes: parameters of a fit to measurements, which name the circuit and the machine they are
 * of. Each part has a share that no core speeds up and one that all cores divide.
 */
export interface ProverCosts {
  /** A raw vote: ms, and ms divided by the cores. */
  readonly perVoteMs: number;
  readonly perVoteCoreMs: number;
  /** A proof that is merged: ms, and ms divided by the cores. */
  readonly perChildMs: number;
  readonly perChildCoreMs: number;
  /** What a merge costs beside its children, in children. */
  readonly mergeInChildren: number;
  /** What every proof costs beside its parts, ms. */
  readonly fixedMs: number;
  /** No proof takes less, ms. */
  readonly floorMs: number;
}

export interface ProofSizes {
  /** A proof of raw votes alone, KiB: without any, and for each vote. */
  readonly leafKiB: number;
  readonly perVoteKiB: number;
  /** A merge, KiB: without children, and for each child. */
  readonly mergedKiB: number;
  readonly perChildKiB: number;
  /** What the chain refuses, KiB. */
  readonly maxKiB: number;
}

export interface LeanVerifierCosts {
  /** A proof, ms; and how many times as long it takes while the node proves. */
  readonly proofMs: number;
  readonly whileProving: number;
  /** A raw vote, ms. */
  readonly voteMs: number;
}

/** The merge of a block's messages, the proposer's among them, ms: without any, and for each. */
export interface BlockCosts {
  readonly fixedMs: number;
  readonly perMessageMs: number;
}

/** Milliseconds that a prover works on one proof. Additive in raw votes and children, which nobody has measured. */
export function proveMs(costs: ProverCosts, votes: number, children: number, cores: number): number {
  const vote = costs.perVoteMs + costs.perVoteCoreMs / cores;
  const child = costs.perChildMs + costs.perChildCoreMs / cores;
  const merged = children === 0 ? 0 : children + costs.mergeInChildren;
  return Math.max(costs.floorMs, costs.fixedMs + votes * vote + merged * child);
}

/** Bytes of a proof. */
export function proofBytes(sizes: ProofSizes, votes: number, children: number): number {
  const leaf = sizes.leafKiB + sizes.perVoteKiB * votes;
  const merged = children === 0 ? 0 : sizes.mergedKiB + sizes.perChildKiB * children;
  return Math.round(1024 * Math.min(sizes.maxKiB, Math.max(leaf, merged)));
}

/** @param messages distinct messages of the block, the proposer's own among them. */
export function blockMergeMs(costs: BlockCosts, messages: number): number {
  return costs.fixedMs + messages * costs.perMessageMs;
}
