import { join } from 'node:path';
import { version } from '@tutti/core';
import type { LabScenario } from '@tutti/lab';
import type { RunResult } from '@tutti/simulation';
import { takenNetworks } from '../networkFile.ts';
import { estimatedCostMs } from '../sweep/cost.ts';
import { runLocally } from '../sweep/localEngine.ts';
import { pointKey, type SweepPoint } from '../sweep/point.ts';
import { parseResultLine } from '../sweep/result.ts';
import { ResultFile } from '../sweep/resultFile.ts';

interface RunsRequest {
  readonly scenarios: readonly LabScenario[];
  /** File of results, one per line. Runs in this file are not repeated. */
  readonly path: string;
  readonly jobs: number;
  readonly signal: AbortSignal;
  onProgress(progress: RunsProgress): void;
}

interface RunsProgress {
  readonly done: number;
  readonly total: number;
  /** Estimated work of the current runs in ms of one core: done, and remaining. */
  readonly costDone: number;
  readonly costLeft: number;
}

export interface DoneRuns {
  find(scenario: LabScenario): RunResult;
  /** Number of distinct runs; several figures may show the same run. */
  readonly total: number;
  /** Number of those runs that were made now. */
  readonly ran: number;
}

/** Returns the file in which a folder stores the runs of this version of the code. Each version has its own file. */
export function runsFile(folder: string): string {
  return join(folder, `runs-${version.slice(version.indexOf('+') + 1)}.jsonl`);
}

/**
 * Runs scenarios on this machine's cores, each once, and stores the results.
 *
 * @throws WorldError as {@link ResultFile} and {@link runLocally}; Interrupted. The file then contains the finished
 * runs.
 */
export async function runAll({ scenarios, path, jobs, signal, onProgress }: RunsRequest): Promise<DoneRuns> {
  const networks = takenNetworks(scenarios.map(({ network }) => network));
  const keyOf = (scenario: LabScenario) => pointKey(scenario, networks[scenario.network]?.inputs);
  const points = new Map<string, SweepPoint>();
  for (const scenario of scenarios) {
    const key = keyOf(scenario);
    points.set(key, { key, scenario });
  }
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
