import { requireMethods } from '@tutti/core/settings';
import type { LabScenario } from '../goReference/labScenario.ts';
import { type Chart, Figure, type Runs, scenariosOf } from './figure.ts';

/** How much of an experiment is run: as much as a test can wait for, as fits into a coffee break, or all of it. */
export const extents = ['tiny', 'quick', 'full'] as const;
export type Extent = (typeof extents)[number];

/**
 * A figure, table or claim of the paper as data: the runs that it needs, what is drawn of them, and whether the claim
 * held. Nothing is run here: the caller runs the scenarios and hands the results to {@link drawFigure}.
 */
export interface Experiment {
  /** As `tutti figures --only` spells it. */
  readonly id: string;
  readonly title: string;
  /** Where the paper has it. */
  readonly section: string;
  /** What the paper says, one sentence in our words. */
  readonly claim: string;
  /** What was fitted, chosen or left out here, for readers who compare; optional. */
  readonly note?: string;
  /** Why the claim is known not to hold here. If it is given, a negative verdict fails no build. */
  readonly departure?: string;
  charts(extent: Extent): readonly Chart[];
  holds(figure: Figure): Verdict;
}

export interface Verdict {
  readonly holds: boolean;
  /** With the numbers that it rests on. */
  readonly because: string;
  /** If the claim holds, but a number is far from the authors' measurement: which number, and by how much. */
  readonly differs?: string;
}

export function drawFigure(experiment: Experiment, extent: Extent, runs: Runs): Figure {
  requireMethods('experiment', experiment, ['charts']);
  return new Figure(experiment.charts(extent), runs);
}

/** Every run that an experiment takes, some perhaps more than once. */
export function scenariosFor(experiment: Experiment, extent: Extent): LabScenario[] {
  requireMethods('experiment', experiment, ['charts']);
  return experiment
    .charts(extent)
    .flatMap(({ series }) => series.flatMap(({ samples }) => samples.flatMap(scenariosOf)));
}
