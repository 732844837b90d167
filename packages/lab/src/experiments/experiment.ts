import { oneOf, requireIn, requireMethods } from '@tutti/core/input';
import { defaultScenario, type Scenario } from '@tutti/simulation';
import type { LabScenario } from '../goReference/labScenario.ts';
import { type Chart, Figure, type Runs, scenariosOf } from './figure.ts';

/** Sizes of an experiment: `tiny` for a test, `quick` for a few minutes, or `full`. */
export const extents = ['tiny', 'quick', 'full'] as const;
/** One of {@link extents}. */
export type Extent = (typeof extents)[number];

/**
 * A figure, table or claim of the paper as data: its runs, its charts, and the judgement of the claim. An experiment
 * runs nothing itself: the caller runs the scenarios and passes their results to {@link drawFigure}.
 */
export interface Experiment {
  /** Name for `tutti figures --only`. */
  readonly id: string;
  readonly title: string;
  /** Version and section of the paper, such as "v1.03 4.1". */
  readonly section: string;
  /** Claim of the paper, or of this project, and how it is judged. */
  readonly claim: string;
  /** Parameters that were fitted, chosen or omitted, for readers who compare results. */
  readonly note?: string;
  /**
   * Reason why the claim is known not to hold in this experiment. If a reason is given, a negative verdict does not
   * fail the build.
   */
  readonly departure?: string;
  charts(extent: Extent): readonly Chart[];
  holds(figure: Figure): Verdict;
}

/** Judgement of a claim. */
export interface Verdict {
  readonly holds: boolean;
  /** Reason for the verdict, with its numbers. */
  readonly because: string;
  /** Number that differs greatly from the authors' measurement although the claim holds, and the difference. */
  readonly differs?: string;
}

/** Combines an experiment with the results of its runs. @throws RangeError for an unknown extent. */
export function drawFigure(experiment: Experiment, extent: Extent, runs: Runs): Figure {
  requireMethods('experiment', experiment, ['charts']);
  requireIn('extent', extent, oneOf(extents));
  return new Figure(experiment.charts(extent), runs);
}

/** Returns every run of an experiment, possibly with repetitions. @throws RangeError for an unknown extent. */
export function scenariosFor(experiment: Experiment, extent: Extent): LabScenario[] {
  requireMethods('experiment', experiment, ['charts']);
  requireIn('extent', extent, oneOf(extents));
  return experiment
    .charts(extent)
    .flatMap(({ series }) => series.flatMap(({ samples }) => samples.flatMap(scenariosOf)));
}

/** Returns the value for the given extent. */
export function at<T>(extent: Extent, tiny: T, quick: T, full: T): T {
  return { tiny, quick, full }[extent];
}

/**
 * Returns the default scenario with changes. The default scenario is the paper's scenario on the paper's AWS network.
 */
export function scenario(changes: Partial<Scenario>): Scenario {
  return { ...defaultScenario, ...changes };
}
