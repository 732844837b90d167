/**
 * The papers' figures and tables as data. Each {@link Experiment} has its section, its claim, the scenarios of its
 * curves and the judgement of the claim. A {@link Figure} contains an experiment's runs, {@link drawFigure} creates a
 * figure, and {@link published} contains the authors' points. The calibrated model adds the properties of the authors'
 * deployment to a simulation.
 *
 * @example
 * ```js
 * import { experiments } from '@tutti/lab';
 * import { fitLine, defaultScenario, simulate } from '@tutti/simulation';
 *
 * const [{ title, section }] = experiments;
 * console.log(`the first figure: ${title} (${section})`);
 * const timeOf = (nodes) => simulate({ ...defaultScenario, nodes }).timeToThresholdMs.mean;
 * const times = [6, 7, 8, 9].map((log2) => [log2, timeOf(2 ** log2)]);
 * console.log(`Handel takes ${fitLine(times).slope.toFixed(0)} ms more each time the nodes double`);
 * ```
 *
 * ```text
 * the first figure: Time to 99 % and to 51 %, compared with the complete graph and flooding (v1.03 7.2, figure 3)
 * Handel takes 13 ms more each time the nodes double
 * ```
 *
 * @packageDocumentation
 */
import { ablationExperiments } from './experiments/ablations.ts';
import { batchedVerification } from './experiments/batching.ts';
import { complexity } from './experiments/complexity.ts';
import { calibrationExperiment, figure3, figure4, figure5, figure6 } from './experiments/deployment.ts';
import type { Experiment } from './experiments/experiment.ts';
import { globalShuffle } from './experiments/firstPlaces.ts';
import { parameterExperiments } from './experiments/parameters.ts';
import { comparedWithSanFermin } from './experiments/sanFermin.ts';
import { byzantineNodes, checkCost } from './experiments/security.ts';
import { heterogeneousClocks, heterogeneousCpus, heterogeneousLatencies } from './experiments/versatility.ts';

export {
  type MatrixAttack,
  type MatrixCell,
  type MatrixRow,
  matrixAttacks,
  matrixCell,
  matrixGiveUpMs,
  matrixRows,
  matrixScenario,
} from './experiments/attackMatrix.ts';
export { type CalibratedParameters, calibratedParameters, calibratedScenario } from './experiments/calibratedModel.ts';
export {
  drawFigure,
  type Experiment,
  type Extent,
  extents,
  scenariosFor,
  type Verdict,
} from './experiments/experiment.ts';
export {
  type Axis,
  type Chart,
  type Curve,
  type DrawnChart,
  type DrawnPoint,
  type DrawnSeries,
  Figure,
  type Runs,
  type Sample,
  type Series,
} from './experiments/figure.ts';
export { bytesSent, checked, type Measure, threeDigits, timeMs } from './experiments/measures.ts';
export {
  type PublishedPoint,
  type PublishedRow,
  published,
  publishedPoints,
  type Triple,
} from './experiments/published.ts';
export {
  doublings,
  type RaceProtocol,
  type RaceRun,
  raceProtocols,
  raceScenario,
  runRace,
} from './experiments/race.ts';
export { type AttackLimits, attackLimits, networkAttack } from './experiments/security.ts';
export { type CommitteeOptions, type CommitteeRun, committeeCells, runCommittee } from './experiments/slotCommittee.ts';
export { createLabSimulation, type GoReference, type LabScenario, simulateLab } from './goReference/labScenario.ts';
export { type ReferenceQuirk, referenceQuirks } from './goReference/quirkMemory.ts';

/** All experiments, in the order of the report. */
export const experiments: readonly Experiment[] = [
  figure3,
  figure4,
  figure5,
  figure6,
  calibrationExperiment,
  ...parameterExperiments,
  complexity,
  heterogeneousLatencies,
  heterogeneousCpus,
  heterogeneousClocks,
  byzantineNodes,
  checkCost,
  globalShuffle,
  comparedWithSanFermin,
  batchedVerification,
  ...ablationExperiments,
];
