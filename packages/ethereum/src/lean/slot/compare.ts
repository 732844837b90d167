import { shuffle } from '@tutti/core';
import { sizeOf, union } from '@tutti/core/horn';
import { isAbove, requireSome, type Summary, summaryOf } from '../../statistics.ts';
import { proofBytes, proveMs } from '../profile.ts';
import { runRounds, votesOfSubnet } from '../rounds.ts';
import { countNewVotes } from '../rules.ts';
import { type LeanProof, type LeanStrategy, leanStrategies } from '../world.ts';
import { type LeanOutcome, type LeanSlotResult, runLeanSeeds, summaryFields, withChildren } from './result.ts';
import { type LeanScenario, sizesOf, validateLeanScenario } from './scenario.ts';

/** Quantities of a slot that a comparison contains. */
const comparedKeys = [
  'covered',
  'pooled',
  'twoThirdsMs',
  'merges',
  'leaves',
  'proofsOnTopic',
  'proverSeconds',
  'bytes',
  'verificationSeconds',
  'roundsToFull',
] as const;
type Compared = Pick<LeanSlotResult, (typeof comparedKeys)[number]>;

/** Results of one strategy under one condition, over seeds. Inherited fields are those of {@link LeanSlotResult}. */
export interface LeanComparison extends Compared {
  readonly strategy: LeanStrategy;
  /** Shares of the aggregators with the Byzantine roles `silent` and `omitting`. */
  readonly silent: number;
  readonly omitting: number;
  readonly subnets: number;
  readonly aggregators: number;
}

/** A ranking: one strategy's share is above those of other strategies, as defined by {@link isAbove}. */
export interface LeanRanking {
  readonly quantity: 'covered' | 'pooled';
  readonly deadlineMs: number;
  readonly silent: number;
  readonly omitting: number;
  readonly strategy: LeanStrategy;
  readonly above: readonly LeanStrategy[];
}

/** Returns the rankings that a comparison supports, among rows with equal shares of Byzantine aggregators. */
export function leanRankings(rows: readonly LeanComparison[]): LeanRanking[] {
  return (['covered', 'pooled'] as const).flatMap((quantity) =>
    rows.flatMap((row) => {
      const { strategy, silent, omitting } = row;
      const others = rows.filter((other) => other.silent === silent && other.omitting === omitting);
      return Object.keys(row[quantity]).flatMap((deadline): LeanRanking[] => {
        const below = others.filter((other) => isAbove(row[quantity][deadline]!, other[quantity][deadline]!));
        const above = below.map((other) => other.strategy);
        return above.length === 0
          ? []
          : [{ quantity, deadlineMs: Number(deadline), silent, omitting, strategy, above }];
      });
    }),
  );
}

/** Shares of silent or omitting aggregators to compare. */
export const comparedShares = [0, 0.2, 0.33];

/** Returns the conditions to compare: each strategy with each share of silent or omitting aggregators. */
export function comparedWorlds(
  base: LeanScenario,
  strategies: readonly LeanStrategy[] = leanStrategies,
  shares: readonly number[] = comparedShares,
): LeanScenario[] {
  const roles = shares.flatMap((share) => (share === 0 ? [{}] : [{ silent: share }, { omitting: share }]));
  return strategies.flatMap((strategy) => roles.map((given) => ({ ...base, strategy, roles: given })));
}

/**
 * Runs one condition with each seed.
 *
 * @param isIdeal whether to run without delay or time limit, with one merge per round, to compare with the closed
 * forms. Seeds then determine only the Byzantine nodes and the unserved subnets.
 */
export function compareLean(scenario: LeanScenario, isIdeal: boolean, seeds: readonly number[]): LeanComparison {
  requireSome('seeds', seeds);
  const { strategy, roles, subnets, aggregators } = scenario;
  const condition = { strategy, silent: roles.silent ?? 0, omitting: roles.omitting ?? 0, subnets, aggregators };
  const result: Compared = isIdeal ? idealOver(scenario, seeds) : runLeanSeeds(scenario, seeds);
  const compared = comparedKeys.map((key) => [key, result[key]]);
  return { ...condition, ...(Object.fromEntries(compared) as Compared) };
}

function idealOver(scenario: LeanScenario, seeds: readonly number[]): Compared {
  const runs = seeds.map((seed) => idealRun({ ...scenario, seed }));
  const rounds = runs.flatMap(({ roundsToFull }) => (roundsToFull === null ? [] : [roundsToFull]));
  return {
    covered: summaryFields(runs.map(({ covered }) => covered)),
    pooled: summaryFields(runs.map(({ pooled }) => pooled)),
    twoThirdsMs: { median: null, worst: null },
    ...summaryFields(runs.map(({ work }) => work)),
    proverSeconds: summaryFields(runs.map(({ proverSeconds }) => proverSeconds)),
    roundsToFull: rounds.length === 0 ? null : summaryOf(rounds),
  };
}

/** Runs rounds without time, and computes from these rounds the costs of a slot without delay. */
function idealRun(scenario: LeanScenario) {
  validateLeanScenario(scenario);
  const { profile, strategy, roles, aggregators, seed, slot, deadlinesMs, nodes } = scenario;
  const sizes = { ...sizesOf(scenario), supers: 1, minGain: 0 };
  const order = [...shuffle(aggregators, seed, 'lean roles')];
  const silent = order.slice(0, Math.round((roles.silent ?? 0) * aggregators));
  const omitting = order.slice(silent.length, silent.length + Math.round((roles.omitting ?? 0) * aggregators));
  const leaves = sizes.duties.map((duty, position) => votesOfSubnet(sizes, duty, omitting.includes(position) ? 2 : 1));
  const run = runRounds({ sizes, strategy, silent, leaves, slot });
  // Without live aggregators, there is no best proof.
  const best = run.proofs.toSorted((a, b) => b.size - a.size).slice(0, 1);
  const covered = best[0]?.size ?? 0;
  const leafCount = aggregators - silent.length;
  const published = idealOnTopic(strategy, run.proofs, best);
  const onTopic = published.length;
  const pooled = union(
    published.map(({ votes }) => votes),
    sizes.validators,
  );
  const atDeadlines = (votes: number) =>
    Object.fromEntries(deadlinesMs.map((at) => [String(at), votes / sizes.validators]));
  return {
    covered: atDeadlines(covered),
    pooled: atDeadlines(sizeOf(pooled)),
    work: {
      merges: run.merges,
      leaves: leafCount,
      proofsOnTopic: onTopic,
      bytes: onTopic * proofBytes(profile.proof, 0, 2) * (nodes - 1),
      verificationSeconds: (onTopic * (nodes - 1) * profile.verifier.proofMs) / 1000,
    },
    proverSeconds: idealSeconds(scenario, run.proofs, best),
    roundsToFull: covered === sizes.validators ? (run.roundsToFull ?? null) : null,
  };
}

/**
 * Returns the proofs on the global topic in the ideal case. Levels, BEAMSIM's strategies and a tree publish only their
 * topmost proof. leanSpec publishes the leaves, which the proposer merges. All other strategies publish every proof.
 *
 * @param best the best proof; empty without proofs.
 */
function idealOnTopic(
  strategy: LeanStrategy,
  proofs: readonly LeanProof[],
  best: readonly LeanProof[],
): readonly LeanProof[] {
  if (['tree', 'halving', 'halving-owners', 'gossip', 'grid', 'direct'].includes(strategy)) return best;
  return strategy === 'spec' ? proofs.filter(({ children }) => children.length === 0) : proofs;
}

function idealSeconds(
  { profile }: LeanScenario,
  proofs: readonly LeanProof[],
  best: readonly LeanProof[],
): Record<LeanOutcome, number> {
  const seconds = { useful: 0, duplicate: 0, late: 0, superseded: 0 };
  const useful = withChildren(best);
  proofs.forEach((proof, at) => {
    const votes = proof.children.length === 0 ? proof.size : 0;
    const took = proveMs(profile.prover, votes, proof.children.length, profile.cores) / 1000;
    const isBehind = proofs.slice(0, at).some((other) => countNewVotes(proof.votes, other.votes) === 0);
    seconds[useful.has(proof) ? 'useful' : isBehind ? 'duplicate' : 'superseded'] += took;
  });
  return seconds;
}

/** A strategy with its settings, as compared in the map. */
export interface LeanContender {
  readonly name: string;
  readonly strategy: LeanStrategy;
  readonly branching: number;
}

/** Compared strategies: one job over all votes, by topic or directly; free windows; levels with branching 2 and 4. */
export const leanContenders: readonly LeanContender[] = [
  { name: 'super', strategy: 'super', branching: 2 },
  { name: 'direct', strategy: 'direct', branching: 2 },
  { name: 'window', strategy: 'window', branching: 2 },
  { name: 'owners-2', strategy: 'halving-owners', branching: 2 },
  { name: 'owners-4', strategy: 'halving-owners', branching: 4 },
];

/** One cell of the map: a number of subnets, a machine and a deadline. */
export interface LeanMapCell {
  readonly subnets: number;
  readonly cores: number;
  readonly deadlineMs: number;
  /**
   * Two summaries per strategy. `covered` is the share of all validators in the best proof that a node has verified,
   * over all nodes that could propose and all seeds. `proverSeconds` is the time of all provers, over the seeds.
   */
  readonly covered: Readonly<Record<string, Summary>>;
  readonly proverSeconds: Readonly<Record<string, Summary>>;
  /** Strategy whose p10 exceeds the p90 of every other strategy; null if the intervals overlap. */
  readonly winner: string | null;
}

/** Fields that identify a cell of the map. */
type LeanMapPlace = Pick<LeanMapCell, 'subnets' | 'cores' | 'deadlineMs'>;

/** Number of nodes that could propose in each cell of the map. */
export const leanMapProposers = 32;

/** Returns the scenario of each of {@link leanContenders} for one cell. @throws RangeError that names the field. */
export function leanMapScenarios(base: LeanScenario, place: LeanMapPlace): readonly LeanScenario[] {
  const { subnets, cores, deadlineMs } = place;
  return leanContenders.map(({ strategy, branching }) => {
    const scenario: LeanScenario = {
      ...base,
      profile: { ...base.profile, cores },
      roles: {},
      unserved: 0,
      strategy,
      branching,
      start: 'free',
      subnets,
      aggregators: subnets,
      nodes: subnets + leanMapProposers,
      deadlinesMs: [deadlineMs],
    };
    validateLeanScenario(scenario);
    return scenario;
  });
}

/** Runs every strategy for one cell with each seed. All aggregators are honest, one per subnet. */
export function leanMapCell(base: LeanScenario, place: LeanMapPlace, seeds: readonly number[]): LeanMapCell {
  const covered: Record<string, Summary> = {};
  const proverSeconds: Record<string, Summary> = {};
  for (const [at, scenario] of leanMapScenarios(base, place).entries()) {
    const { name } = leanContenders[at]!;
    const result = runLeanSeeds(scenario, seeds);
    covered[name] = result.covered[String(place.deadlineMs)]!;
    proverSeconds[name] = result.busySeconds;
  }
  const names = Object.keys(covered);
  const isFirst = (name: string) => names.every((other) => other === name || isAbove(covered[name]!, covered[other]!));
  return { ...place, covered, proverSeconds, winner: names.find(isFirst) ?? null };
}
