import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { version } from '@tutti/core';
import { pointText, resultTable, runDocument } from '@tutti/lab/results';
import type { RunResult } from '@tutti/simulation';
import { parquetFile } from '../files.ts';
import { type FigurePlan, sweepOf } from './figurePlan.ts';

/** Returns the Parquet file that {@link sweepCommand} writes, with one row per run in the order of `tutti sweep`. */
export function figureParquet(plan: FigurePlan, runs: readonly RunResult[]): Promise<Blob> {
  const table = resultTable(runs.map((run) => runDocument({ key: pointKey(run), ...run })));
  return parquetFile(table, { command: sweepCommand(plan), version });
}

/** Returns the arguments for `tutti` as shell text, including the sweep file as standard input. */
export function sweepCommand(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan)).replaceAll("'", "'\\''");
  return `sweep /dev/stdin --out tutti-figure.parquet <<< '${sweep}'`;
}

/** Returns the name of a sweep's run; see {@link pointText}. */
function pointKey({ scenario }: RunResult): string {
  return bytesToHex(sha256(utf8ToBytes(pointText(scenario)))).slice(0, 32);
}
