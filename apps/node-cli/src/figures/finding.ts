import { drawFigure, type Experiment, type Extent, type Figure, type Verdict } from '@tutti/lab';
import { shellWord } from '../context.ts';
import type { DoneRuns } from './runs.ts';

/** Result of an experiment. */
export interface Finding {
  readonly experiment: Experiment;
  readonly figure: Figure;
  readonly verdict: Verdict;
  /** Command that reproduces this finding. */
  readonly command: string;
}

/**
 * Returns the result of an experiment from its runs.
 *
 * @param network network of the runs, if it differs from the experiment's own network.
 */
export function findingOf(experiment: Experiment, extent: Extent, runs: DoneRuns, network?: string): Finding {
  const figure = drawFigure(experiment, extent, runs.find);
  const flag = extent === 'full' ? '' : ` --${extent}`;
  const on = network === undefined ? '' : ` --network ${shellWord(network)}`;
  return {
    experiment,
    figure,
    verdict: experiment.holds(figure),
    command: `tutti figures --only ${experiment.id}${flag}${on}`,
  };
}

/** Describes the numbers of a verdict, and their difference from the published numbers if that difference is large. */
export function verdictText({ verdict: { because, differs } }: Finding): string {
  return differs === undefined ? because : `${because}. It differs: ${differs}`;
}

/** Returns the documented reason why a claim does not hold; undefined if it holds or has no such reason. */
export function departureOf({ experiment, verdict }: Finding): string | undefined {
  return verdict.holds ? undefined : experiment.departure;
}

/** Summarises a verdict in a few words. */
export function verdictWord(finding: Finding): string {
  const { verdict } = finding;
  if (verdict.holds) return verdict.differs === undefined ? 'held' : 'held, but differs';
  return departureOf(finding) === undefined ? 'did not hold' : 'did not hold, as documented';
}
