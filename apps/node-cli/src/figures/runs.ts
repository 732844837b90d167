import { join } from 'node:path';
import { version } from '@tutti/core';
import type { LabScenario } from '@tutti/lab';
import type { RunResult } from '@tutti/simulation';
import { readNetworksAmong } from '../networkFile.ts';
import { estimatedCostMs } from '../sweep/cost.ts';
import { runLocally } from '../sweep/localEngine.ts';
import { pointKey, type SweepPoint } from '../sweep/point.ts';
import { parseResultLine, ResultFile } from '../sweep/resultFile.ts';

interface RunsRequest {
  readonly scenarios: readonly LabScenario[];
  /** File of results, one result per line. Runs with a result in this file are not repeated. */
  readonly path: string;
  readonly jobs: number;
  readonly signal: AbortSignal;
  onProgress(progress: RunsProgress): void;
}

interface RunsProgress {
  readonly done: number;
  readonly total: number;
  /** Estimated work of the current runs, ms of one core: completed and remaining. */
  readonly costDone: number;
  readonly costLeft: number;
}

/** Runs with their results. */
export interface DoneRuns {
  /** Returns the result of one of the requested scenarios. */
  find(scenario: LabScenario): RunResult;
  /** Number of distinct runs, because several figures may show the same run. */
  readonly total: number;
  /** Number of distinct runs that were made now. */
  readonly ran: number;
}

/**
 * Returns the path of the file in a folder that stores the runs of this version of the code. Each version of the code
 * has its own file.
 */
export function runsFile(folder: string): string {
  return join(folder, `runs-${version.slice(version.indexOf('+') + 1)}.jsonl`);
}

/**
 * Runs each scenario once on this machine's cores, and stores the results.
 *
 * @throws EnvironmentError as thrown by {@link ResultFile} and {@link runLocally}; Interrupted. After an error, the
 * file contains the runs that finished.
 */
export async function runAll({ scenarios, path, jobs, signal, onProgress }: RunsRequest): Promise<DoneRuns> {
  const networks = readNetworksAmong(scenarios.map(({ network }) => network));
  const keyOf = (scenario: LabScenario) => pointKey(scenario, networks[scenario.network]?.inputs);
  const keyed = scenarios.map((scenario): SweepPoint => ({ key: keyOf(scenario), scenario }));
  const points = new Map(keyed.map((point) => [point.key, point]));
  const results = new Map<string, RunResult>();
  const file = new ResultFile(path, (result) => {
    if (points.has(result.key)) results.set(result.key, result);
  });
  const todo = [...points.values()].filter(({ key }) => !results.has(key));
  let costLeft = todo.reduce((sum, { scenario }) => sum + estimatedCostMs(scenario), 0);
  let costDone = 0;
  const reportProgress = () => onProgress({ done: results.size, total: points.size, costDone, costLeft });
  const onLines = (lines: readonly string[]) => {
    file.append(lines);
    for (const line of lines) {
      const result = parseResultLine(line)!;
      results.set(result.key, result);
      const costMs = estimatedCostMs(points.get(result.key)!.scenario);
      costDone += costMs;
      costLeft -= costMs;
    }
    reportProgress();
  };
  try {
    reportProgress();
    if (todo.length > 0) await runLocally({ points: todo, jobs, networks, signal, onLines });
  } finally {
    file.close();
  }
  return { find: (scenario) => results.get(keyOf(scenario))!, total: points.size, ran: todo.length };
}
