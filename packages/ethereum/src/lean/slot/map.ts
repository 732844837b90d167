import type { LeanRival } from '../world.ts';
import { runLeanSlot } from './result.ts';
import type { LeanScenario } from './scenario.ts';

/** A strategy with its settings, for comparison in the map. */
export interface LeanContender {
  readonly name: string;
  readonly rival: LeanRival;
  readonly branching: number;
}

/**
 * Compared strategies: one job of all, over the global topic and sent directly to the merging node; windows that
 * publish at once; levels of two and four.
 */
export const leanContenders: readonly LeanContender[] = [
  { name: 'super', rival: 'super', branching: 2 },
  { name: 'direct', rival: 'direct', branching: 2 },
  { name: 'window', rival: 'window', branching: 2 },
  { name: 'owners-2', rival: 'halving-owners', branching: 2 },
  { name: 'owners-4', rival: 'halving-owners', branching: 4 },
];

/** One cell of the map: a number of subnets, a machine and a deadline. */
export interface LeanMapCell {
  readonly subnets: number;
  readonly cores: number;
  readonly deadlineMs: number;
  /**
   * Share of all validators in the best proof that the next proposer has verified, and seconds of all provers, by
   * strategy.
   */
  readonly covered: Readonly<Record<string, number>>;
  readonly proverSeconds: Readonly<Record<string, number>>;
  /**
   * Name of the strategy that covers most. Among those within a hundredth, it is the one with least work; `none` if
   * none covers any.
   */
  readonly winner: string;
}

/** Difference up to which two shares are equal. */
const near = 0.01;

/** Runs every strategy at one cell. All aggregators are honest, one per subnet. */
export function leanMapCell(base: LeanScenario, subnets: number, cores: number, deadlineMs: number): LeanMapCell {
  const covered: Record<string, number> = {};
  const proverSeconds: Record<string, number> = {};
  for (const { name, rival, branching } of leanContenders) {
    const { result } = runLeanSlot({
      ...base,
      profile: { ...base.profile, cores },
      rival,
      branching,
      start: 'free',
      subnets,
      aggregators: subnets,
      nodes: subnets + 32,
      deadlinesMs: [deadlineMs],
    });
    covered[name] = result.covered[String(deadlineMs)]!;
    proverSeconds[name] = Object.values(result.proverSeconds).reduce((sum, one) => sum + one, 0);
  }
  const most = Math.max(...Object.values(covered));
  if (most === 0) return { subnets, cores, deadlineMs, covered, proverSeconds, winner: 'none' };
  const winner = Object.keys(covered)
    .filter((name) => covered[name]! >= most - near)
    .reduce((a, b) => (proverSeconds[b]! < proverSeconds[a]! ? b : a));
  return { subnets, cores, deadlineMs, covered, proverSeconds, winner };
}
