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
  scenariosFor,
} from './experiments/figure.ts';
export { type Fit, fitLine } from './experiments/fit.ts';
export type { Measure } from './experiments/measures.ts';
export { type PublishedPoint, published, publishedPoints } from './experiments/published.ts';
export { type RaceRun, raceMarks, racers, raceScenario, runRace } from './experiments/race.ts';
export { type TwinParameters, twinParameters, twinScenario } from './experiments/twin.ts';
