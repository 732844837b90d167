import { isAbove, type Summary } from '../../summary.ts';
import type { LeanStrategy } from '../world.ts';
import { runLeanSeeds } from './result.ts';
import type { LeanScenario } from './scenario.ts';

/** A strategy with its settings, as compared in the map. */
export interface LeanContender {
  readonly name: string;
  readonly strategy: LeanStrategy;
  readonly branching: number;
}

/**
 * Compared strategies: one job over all votes, over the global topic and sent directly to the merging node; windows
 * that publish immediately; levels of two and of four.
 */
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

/** Runs every strategy for one cell with each seed. All aggregators are honest, one per subnet. */
export function leanMapCell(
  base: LeanScenario,
  place: Pick<LeanMapCell, 'subnets' | 'cores' | 'deadlineMs'>,
  seeds: readonly number[],
): LeanMapCell {
  const { subnets, cores, deadlineMs } = place;
  const covered: Record<string, Summary> = {};
  const proverSeconds: Record<string, Summary> = {};
  for (const { name, strategy, branching } of leanContenders) {
    const scenario: LeanScenario = {
      ...base,
      profile: { ...base.profile, cores },
      strategy,
      branching,
      start: 'free',
      subnets,
      aggregators: subnets,
      nodes: subnets + 32,
      deadlinesMs: [deadlineMs],
    };
    const result = runLeanSeeds(scenario, seeds);
    covered[name] = result.covered[String(deadlineMs)]!;
    proverSeconds[name] = result.busySeconds;
  }
  const names = Object.keys(covered);
  const isFirst = (name: string) => names.every((other) => other === name || isAbove(covered[name]!, covered[other]!));
  return { ...place, covered, proverSeconds, winner: names.find(isFirst) ?? null };
}
