import { complexity } from './complexity.ts';
import type { Experiment } from './experiment.ts';
import { parameterExperiments } from './parameters.ts';

/** Every experiment, in the order of the report. */
export const experiments: readonly Experiment[] = [complexity, ...parameterExperiments];
