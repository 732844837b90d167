import { drawFigure, type Experiment, type Extent, type Figure, type Verdict } from '@tutti/core/experiments';
import type { Runs } from './runs.ts';

/** What became of an experiment. */
export interface Finding {
  readonly experiment: Experiment;
  readonly figure: Figure;
  readonly verdict: Verdict;
  /** The command that draws it again. */
  readonly command: string;
}

export function findingOf(experiment: Experiment, extent: Extent, runs: Runs): Finding {
  const figure = drawFigure(experiment, extent, runs.find);
  const flag = extent === 'full' ? '' : ` --${extent}`;
  return {
    experiment,
    figure,
    verdict: experiment.holds(figure),
    command: `tutti figures --only ${experiment.id}${flag}`,
  };
}

/** A claim that was to hold and did not. */
export function isBroken({ experiment, verdict }: Finding): boolean {
  return !verdict.holds && experiment.departure === undefined;
}

export function verdictWord({ experiment, verdict }: Finding): string {
  if (verdict.holds) return 'held';
  return experiment.departure === undefined ? 'did not hold' : 'did not hold, as known';
}
