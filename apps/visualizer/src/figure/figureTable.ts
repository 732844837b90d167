import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { version } from '@tutti/core';
import { pointText, type ResultTable, resultTable, runDocument } from '@tutti/lab/results';
import type { RunResult } from '@tutti/simulation';
import { parquetFile } from '../files.ts';
import { type FigurePlan, sweepOf } from './figurePlan.ts';

/** Returns the table of a figure's runs in the format and order of `tutti sweep`. */
function sweepTable(runs: readonly RunResult[]): ResultTable {
  return resultTable(runs.map((run) => runDocument({ key: pointKey(run), ...run })));
}

/** Returns the file that {@link sweepCommand} writes. */
export function figureParquet(plan: FigurePlan, runs: readonly RunResult[]): Promise<Uint8Array<ArrayBuffer>> {
  return parquetFile(sweepTable(runs), { command: sweepCommand(plan), version });
}

/** Returns the shell arguments of `tutti`, including the sweep's file. */
export function sweepCommand(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan)).replaceAll("'", "'\\''");
  return `sweep /dev/stdin --out tutti-figure.parquet <<< '${sweep}'`;
}

function pointKey({ scenario }: RunResult): string {
  return bytesToHex(sha256(utf8ToBytes(pointText(scenario)))).slice(0, 32);
}
