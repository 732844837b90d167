import { drawFigure, type Experiment, type Extent, type Figure, type Verdict } from '@tutti/lab';
import type { DoneRuns } from './runs.ts';

/** Result of an experiment. */
export interface Finding {
  readonly experiment: Experiment;
  readonly figure: Figure;
  readonly verdict: Verdict;
  /** Command that reproduces the finding. */
  readonly command: string;
}

/** @param network the network of the runs, if it is not the experiment's own. */
export function findingOf(experiment: Experiment, extent: Extent, runs: DoneRuns, network?: string): Finding {
  const figure = drawFigure(experiment, extent, runs.find);
  const flag = extent === 'full' ? '' : ` --${extent}`;
  const on = network === undefined ? '' : ` --network ${network}`;
  return {
    experiment,
    figure,
    verdict: experiment.holds(figure),
    command: `tutti figures --only ${experiment.id}${flag}${on}`,
  };
}

/** Returns whether a claim did not hold. */
export function isBroken({ experiment, verdict }: Finding): boolean {
  return !verdict.holds && experiment.departure === undefined;
}

/** Describes the numbers of a verdict, and the difference from the published ones if it is large. */
export function verdictText({ verdict: { because, differs } }: Finding): string {
  return differs === undefined ? because : `${because}. It differs: ${differs}`;
}

export function verdictWord({ experiment, verdict }: Finding): string {
  if (verdict.holds) return verdict.differs === undefined ? 'held' : 'held, but differs';
  return experiment.departure === undefined ? 'did not hold' : 'did not hold, as documented';
}
