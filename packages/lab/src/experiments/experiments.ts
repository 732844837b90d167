import { ablationExperiments } from './ablations.ts';
import { batchedVerification } from './batching.ts';
import { checkCost } from './checkCost.ts';
import { complexity } from './complexity.ts';
import { calibrationExperiment, figure3, figure4, figure5, figure6 } from './deployment.ts';
import type { Experiment } from './experiment.ts';
import { globalShuffle } from './firstPlaces.ts';
import { parameterExperiments } from './parameters.ts';
import { comparedWithSanFermin } from './sanFermin.ts';
import { byzantineNodes } from './security.ts';
import { heterogeneousClocks, heterogeneousCpus, heterogeneousLatencies } from './versatility.ts';

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
