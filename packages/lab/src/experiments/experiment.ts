import type { Scenario } from '@tutti/simulation';
import type { Figure } from './figure.ts';
import type { Measure } from './measures.ts';
import type { PublishedPoint } from './published.ts';

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

/** One set of axes. */
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly left: Axis;
  readonly right?: Axis;
  readonly series: readonly Series[];
  /** What is drawn beside the runs: fits and formulas. */
  curves?(figure: Figure): readonly Curve[];
}

export interface Axis {
  readonly label: string;
  /** Empty where there is none. */
  readonly unit: string;
  /** `names` for things that have no order: a row each. */
  readonly scale: 'linear' | 'log' | 'names';
}

export interface Series {
  /** Unique within an experiment. */
  readonly name: string;
  /** For the legend; default: the name. */
  readonly label?: string;
  /** Default: the left one. */
  readonly axis?: 'left' | 'right';
  readonly measure: Measure;
  /** None if there are only others' measurements. */
  readonly samples: readonly Sample[];
  /** Others' measurements, drawn over it. */
  readonly published?: readonly PublishedPoint[];
}

/** The runs behind one mark: a scenario with several seeds. */
export interface Sample {
  readonly x: number | string;
  readonly scenario: Scenario;
  readonly seeds: readonly number[];
}

/** Numbers that come from no run: a fit, a formula, or a count of something that needs no run. */
export interface Curve {
  readonly name: string;
  /** Counted, and drawn as such. */
  readonly isMeasured?: boolean;
  readonly axis?: 'left' | 'right';
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A scenario for each seed of a sample. */
export function scenariosOf({ scenario, seeds }: Sample): Scenario[] {
  return seeds.map((seed) => ({ ...scenario, seed }));
}

/** The seeds 1 to `count`. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
