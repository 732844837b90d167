import { shuffle } from '@tutti/core';
import { proofBytes, proveMs } from '../costs.ts';
import { runRounds, votesOfSubnet } from '../rounds.ts';
import { countNewVotes } from '../rules.ts';
import { type LeanProof, type LeanRival, leanRivals } from '../world.ts';
import { type LeanOutcome, runLeanSlot, withChildren } from './result.ts';
import { type LeanScenario, sizesOf, validateLeanScenario } from './scenario.ts';

/** Result of one strategy in one world. */
export interface LeanComparison {
  readonly rival: LeanRival;
  /** Shares of the aggregators that are Byzantine, by behaviour. */
  readonly silent: number;
  readonly omitting: number;
  readonly subnets: number;
  readonly aggregators: number;
  /**
   * Share of all validators by deadline in ms: in the best proof that the next proposer has verified, and in all of
   * these proofs together, which its own merge could contain.
   */
  readonly covered: Readonly<Record<string, number>>;
  readonly pooled: Readonly<Record<string, number>>;
  /** Time until the median and the last node have verified proofs of two thirds, ms; null for never. */
  readonly twoThirdsMs: { readonly median: number | null; readonly worst: number | null };
  /** Number of proofs made of others, of proofs of raw votes alone, and of proofs on the global topic. */
  readonly merges: number;
  readonly leaves: number;
  readonly proofsOnTopic: number;
  readonly proverSeconds: Readonly<Record<LeanOutcome, number>>;
  /** Bytes received by all nodes, without the votes on the subnets. */
  readonly bytes: number;
  readonly verificationSeconds: number;
  /** Number of consecutive merges until a proof had all votes; null if none had. */
  readonly roundsToFull: number | null;
}

/** Shares of silent or of omitting aggregators to compare. */
export const comparedShares = [0, 0.2, 0.33];

/** Returns the worlds that a comparison runs: each strategy, with shares of silent or of omitting aggregators. */
export function comparedWorlds(
  base: LeanScenario,
  rivals: readonly LeanRival[] = leanRivals,
  shares: readonly number[] = comparedShares,
): LeanScenario[] {
  const roles = shares.flatMap((share) => (share === 0 ? [{}] : [{ silent: share }, { omitting: share }]));
  return rivals.flatMap((rival) => roles.map((given) => ({ ...base, rival, roles: given })));
}

/**
 * Runs one world.
 *
 * @param isIdeal true for no delay, no limit on time and one merge per round: the closed forms.
 */
export function compareLean(scenario: LeanScenario, isIdeal: boolean): LeanComparison {
  return isIdeal ? idealRow(scenario) : rowOf(scenario);
}

function sharedOf({ rival, roles, subnets, aggregators }: LeanScenario) {
  return { rival, silent: roles.silent ?? 0, omitting: roles.omitting ?? 0, subnets, aggregators };
}

function rowOf(scenario: LeanScenario): LeanComparison {
  const { covered, pooled, twoThirdsMs, merges, leaves, proofsOnTopic, ...rest } = runLeanSlot(scenario).result;
  const { proverSeconds, bytes, verificationSeconds, roundsToFull } = rest;
  const work = { merges, leaves, proofsOnTopic, proverSeconds, bytes, verificationSeconds, roundsToFull };
  return { ...sharedOf(scenario), covered, pooled, twoThirdsMs, ...work };
}

function idealRow(scenario: LeanScenario): LeanComparison {
  validateLeanScenario(scenario);
  const { profile, rival, roles, aggregators, seed, slot, deadlinesMs, nodes } = scenario;
  const sizes = { ...sizesOf(scenario), supers: 1, minGain: 0 };
  const order = [...shuffle(aggregators, seed, 'lean roles')];
  const silent = order.slice(0, Math.round((roles.silent ?? 0) * aggregators));
  const omitting = order.slice(silent.length, silent.length + Math.round((roles.omitting ?? 0) * aggregators));
  const leaves = sizes.duties.map((duty, position) => votesOfSubnet(sizes, duty, omitting.includes(position) ? 2 : 1));
  const run = runRounds({ sizes, rival, silent, leaves, slot });
  const best = run.proofs.reduce((a, b) => (b.size > a.size ? b : a));
  const leafCount = aggregators - silent.length;
  const perDeadline = Object.fromEntries(deadlinesMs.map((at) => [String(at), best.size / sizes.validators]));
  const onTopic = idealOnTopic(rival, leafCount, run.merges);
  const bytes = onTopic * proofBytes(profile.proof, 0, 2) * (nodes - 1);
  return {
    ...sharedOf(scenario),
    covered: perDeadline,
    pooled: perDeadline,
    twoThirdsMs: { median: null, worst: null },
    merges: run.merges,
    leaves: leafCount,
    proofsOnTopic: onTopic,
    proverSeconds: idealSeconds(scenario, run.proofs, best),
    bytes,
    verificationSeconds: (onTopic * (nodes - 1) * profile.verifier.proofMs) / 1000,
    roundsToFull: best.size === sizes.validators ? (run.roundsToFull ?? null) : null,
  };
}

/**
 * Returns the ideal number of proofs on the global topic. Levels publish only their top; so do BEAMSIM's strategies and
 * a tree. All others publish every proof.
 */
function idealOnTopic(rival: LeanRival, leaves: number, merges: number): number {
  if (['tree', 'halving', 'halving-owners', 'gossip', 'grid', 'direct'].includes(rival)) return 1;
  return rival === 'spec' ? leaves : leaves + merges;
}

function idealSeconds(
  { profile }: LeanScenario,
  proofs: readonly LeanProof[],
  best: LeanProof,
): Readonly<Record<LeanOutcome, number>> {
  const seconds = { useful: 0, duplicate: 0, late: 0, superseded: 0 };
  const useful = withChildren([best]);
  proofs.forEach((proof, at) => {
    const votes = proof.children.length === 0 ? proof.size : 0;
    const took = proveMs(profile.prover, votes, proof.children.length, profile.cores) / 1000;
    const isBehind = proofs.slice(0, at).some((other) => countNewVotes(proof.votes, other.votes) === 0);
    seconds[useful.has(proof) ? 'useful' : isBehind ? 'duplicate' : 'superseded'] += took;
  });
  return seconds;
}
