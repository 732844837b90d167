import { join } from 'node:path';
import { version } from '@tutti/core';
import { type Experiment, type Extent, type LabScenario, scenariosFor } from '@tutti/lab';
import { canonicalJson } from '@tutti/lab/results';
import { defaultScenario, type RunResult } from '@tutti/simulation';
import { takenNetworks } from '../networkFile.ts';
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
 * @throws WorldError as thrown by {@link ResultFile} and {@link runLocally}; Interrupted. After an error, the file
 * contains the runs that finished.
 */
export async function runAll({ scenarios, path, jobs, signal, onProgress }: RunsRequest): Promise<DoneRuns> {
  const networks = takenNetworks(scenarios.map(({ network }) => network));
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

type Fields = Readonly<Record<string, unknown>>;

/** A sweep file in the form that `tutti sweep` reads. */
interface SweepFile {
  readonly name: string;
  readonly base: object;
  readonly vary: { readonly together: readonly object[] };
  readonly seeds: { readonly from: number; readonly count: number };
}

/**
 * Returns the sweep with the runs of a figure and of the figure's model. The base of the sweep contains the fields that
 * all runs share and that differ from the default scenario, and each mark is a record. Every mark gets all seeds from
 * the smallest to the largest seed over all marks.
 */
function figureSweep({ id }: Pick<Experiment, 'id'>, scenarios: readonly LabScenario[]): SweepFile {
  const seeds = scenarios.map(({ seed }) => seed);
  const from = Math.min(...seeds);
  const marks = new Map(scenarios.map(({ seed: _, ...scenario }) => [canonicalJson(scenario), scenario]));
  const all: readonly Fields[] = [...marks.values()].map((one) => ({ ...one }));
  const usual: Fields = { ...defaultScenario };
  const isShared = (field: string) => new Set(all.map((one) => canonicalJson(one[field]))).size === 1;
  const fields = [...new Set(all.flatMap((one) => Object.keys(one)))];
  const differsFromDefault = (field: string) => canonicalJson(all[0]![field]) !== canonicalJson(usual[field]);
  const base = fields.filter((field) => isShared(field) && differsFromDefault(field));
  const varied = fields.filter((field) => !isShared(field));
  return {
    name: id,
    base: Object.fromEntries(base.map((field) => [field, all[0]![field]])),
    vary: { together: all.map((one) => Object.fromEntries(varied.map((field) => [field, one[field]]))) },
    seeds: { from, count: Math.max(...seeds) - from + 1 },
  };
}

/** Returns the text of a file with the {@link figureSweep} of an experiment. */
export function figureSweepText(experiment: Experiment, extent: Extent): string {
  return `${JSON.stringify(figureSweep(experiment, scenariosFor(experiment, extent)), null, 2)}\n`;
}
