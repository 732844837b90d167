import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { version } from '@tutti/core';
import type { Batch, SweepPoint } from '@tutti/node-cli/sweeps';

/** What a job carries: points, and the version of the code that must run them. */
export interface SweepJob {
  readonly version: string;
  readonly points: readonly SweepPoint[];
}

/** A job's result: a line for each point, as in the output file. */
export type SweepJobResult = readonly string[];

export const jobName = 'points';

/** A job's journey through Redis costs the processes some 3 ms together; at 250 ms a job that is 1 %. */
export const batchMs = 250;

/** Jobs that nobody collected, because their sweep was never run again, stay in Redis for a week. */
export const uncollectedAgeS = 7 * 24 * 3600;

/** A job's name: equal for equal points, so that a sweep run again finds what it queued before. */
export function jobId(batch: Batch): string {
  const hash = createHash('sha256');
  for (const { key } of batch.points) hash.update(key);
  return `points-${hash.digest('hex').slice(0, 32)}`;
}

const clientNamePattern = /:w:tutti@([^@]+)@([^@]+)$/;

/** What a worker calls itself in Redis's list of clients, where a sweep looks for workers of another version. */
export function workerName(): string {
  return `tutti@${version}@${hostname().replaceAll(/[^\w.-]/g, '_')}.${process.pid}`;
}

/** @returns undefined for a client that is no worker of ours. */
export function readWorkerName(client: string): { version: string; where: string } | undefined {
  const [, its, where] = clientNamePattern.exec(client) ?? [];
  return its === undefined || where === undefined ? undefined : { version: its, where };
}
