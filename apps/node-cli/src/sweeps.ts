/** `@tutti/node-cli/sweeps`: sweeps with an engine from an extension, which decides where the points run. */

export { type SweepOptions, sweepFile, withSweepFlags } from './commands/sweep.ts';
export type { ReadNetworks } from './networkFile.ts';
export { type Batch, batches, maxBatchPoints } from './sweep/cost.ts';
export type { EngineTask, SweepEngine } from './sweep/engine.ts';
export { RunnerPool } from './sweep/localEngine.ts';
export { pointKey, type SweepPoint } from './sweep/point.ts';
