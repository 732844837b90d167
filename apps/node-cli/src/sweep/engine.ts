import type { ReadNetworks } from '../networkFile.ts';
import type { SweepPoint } from './point.ts';

/** Task for an engine. */
export interface EngineTask {
  /** Points without a result so far. */
  readonly points: readonly SweepPoint[];
  /** All points in the order of the plan, with or without a result. */
  readonly all: readonly SweepPoint[];
  /** Returns whether the point with this key has a result. */
  readonly isDone: (key: string) => boolean;
  /** Networks that were read from files named by scenarios. */
  readonly networks: ReadNetworks;
  readonly signal: AbortSignal;
  /** Called by the engine with the result lines of finished points. The engine may pass a line more than once. */
  readonly onLines: (lines: readonly string[]) => void;
  /** Called by the engine with the number of its workers, if it has workers. */
  readonly onWorkers: (count: number) => void;
}

/** Engine for running the points of a sweep. */
export interface SweepEngine {
  /** Name of the engine in the document. */
  readonly name: string;
  /** Runs the given points. The promise resolves when each point has its line. */
  run(task: EngineTask): Promise<void>;
}
