import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { version } from '@tutti/core';
import type { Batch, ReadNetworks, SweepPoint } from '@tutti/node-cli/sweeps';

/** Content of a job: points, and the version of the code that must run these points. */
export interface SweepJob {
  readonly version: string;
  readonly points: readonly SweepPoint[];
  /** Networks that the points name and that come from files. */
  readonly networks?: ReadNetworks;
}

/** Maximum number of places in a network from a file, because each job contains the network's table of latencies. */
export const maxJobPlaces = 256;

/** Result of a job: one line per point, as in the output file. */
export type SweepJobResult = readonly string[];

/** Name of every job. */
export const jobName = 'points';

/**
 * Target duration of a job, ms. The transfer of a job through Redis costs about 3 ms in total over all processes, which
 * is about 1 % of this duration.
 */
export const batchMs = 250;

/** Time for which Redis stores finished jobs whose results no sweep collects, s. */
export const uncollectedAgeS = 7 * 24 * 3600;

/** Returns a job's id. Equal points give equal ids, so that a repeated sweep finds its earlier jobs. */
export function jobId(batch: Batch): string {
  const hash = createHash('sha256');
  for (const { key } of batch.points) hash.update(key);
  return `${jobName}-${hash.digest('hex').slice(0, 32)}`;
}

const clientNamePattern = /:w:tutti@([^@]+)@([^@]+)$/;

/** Returns a worker's name in Redis's list of clients, in which a sweep looks for workers of another version. */
export function workerName(): string {
  return `tutti@${version}@${hostname().replaceAll(/[^\w.-]/g, '_')}.${process.pid}`;
}

/** Reads a worker's name; undefined if the client is not a worker of a sweep. */
export function readWorkerName(client: string): { version: string; where: string } | undefined {
  const match = clientNamePattern.exec(client);
  return match === null ? undefined : { version: match[1]!, where: match[2]! };
}
