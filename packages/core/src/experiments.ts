export { type CalibratedParameters, calibratedParameters, calibratedScenario } from './experiments/calibratedModel.ts';
export {
  type Axis,
  type Chart,
  type Curve,
  type Experiment,
  type Extent,
  extents,
  type Sample,
  type Series,
  type Verdict,
} from './experiments/experiment.ts';
export { experiments } from './experiments/experiments.ts';
export {
  type DrawnChart,
  type DrawnPoint,
  type DrawnSeries,
  drawFigure,
  Figure,
  type Runs,
  scenariosFor,
} from './experiments/figure.ts';
export { type Fit, fitLine } from './experiments/fit.ts';
export type { Interval } from './experiments/interval.ts';
export type { Measure } from './experiments/measures.ts';
export {
  type PublishedPoint,
  type PublishedRow,
  published,
  publishedPoints,
  type Triple,
} from './experiments/published.ts';
export { type RaceRun, raceMarks, racers, raceScenario, runRace } from './experiments/race.ts';
