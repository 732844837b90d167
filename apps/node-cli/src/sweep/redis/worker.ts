import { version } from '@tutti/core';
import { shownValue, WorldError } from '@tutti/transports/errors';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { Interrupted } from '../../usageError.ts';
import { RunnerPool } from '../runnerPool.ts';
import { checkedJob } from './checkedJob.ts';
import { connectionOptions, RedisLink } from './link.ts';
import { type SweepJob, type SweepJobResult, uncollectedAgeS, workerName } from './queue.ts';

/**
 * A job whose worker was lost so often is more likely the cause than the victim: it fails, with a line that says so.
 */
const mostLosses = 20;
const tickMs = 1000;
/** What is running is given back on Ctrl-C, unless Redis does not answer for so long. */
const farewellMs = 3000;

export interface QueueService {
  readonly url: string;
  readonly queueName: string;
  readonly jobs: number;
  /** A worker that has not been heard of for so long is taken for lost, and its jobs are given to others. */
  readonly lostAfterMs: number;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  /** Told how many points were done. */
  readonly onDone: (points: number) => void;
  /** Told why a job was refused, in one line. */
  readonly onRefused: (line: string) => void;
}

/**
 * Runs the points that sweeps put into the queue, until it is told to stop; unfinished jobs then go back into the
 * queue.
 *
 * @throws WorldError `redis-unreachable`; `version-mismatch` for a sweep of another version, whose job goes back.
 */
export async function serveQueue(service: QueueService): Promise<void> {
  const { url, queueName, jobs, lostAfterMs, signal } = service;
  const link = await RedisLink.open(url);
  const pool = new RunnerPool(jobs);
  let end!: (error?: Error) => void;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  ended.catch(() => {});

  const giveBack = async (job: Job<SweepJob>, token: string | undefined): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };
  /** An invalid job fails for good, whatever attempts it asks for: nobody can run it. */
  const checked = (job: Job<unknown>): SweepJob => {
    try {
      return checkedJob(job.data, version);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      service.onRefused(`job ${shownValue(job.id)} refused: ${error.message}`);
      throw new UnrecoverableError(error.message);
    }
  };
  const work = async (job: Job<SweepJob, SweepJobResult>, token?: string): Promise<SweepJobResult> => {
    const data = checked(job);
    if (data.version !== version) {
      const got = JSON.stringify(data.version);
      end(
        new WorldError(
          'version-mismatch',
          `${queueName}: expected a sweep of version ${version}, got ${got}; use one version for both`,
        ),
      );
      void worker.pause(true);
      return giveBack(job, token);
    }
    try {
      const lines = await pool.run(data.points);
      service.onDone(lines.length);
      return lines;
    } catch (error) {
      if (error instanceof Interrupted) return giveBack(job, token);
      // The same points fail again, whatever attempts the job asks for.
      throw new UnrecoverableError((error as Error).message);
    }
  };

  const keep = { age: uncollectedAgeS };
  const worker = new Worker<SweepJob, SweepJobResult>(queueName, work, {
    name: workerName(),
    connection: connectionOptions(url),
    concurrency: jobs,
    // The threads compute and this one only keeps the locks, so a lock that is not renewed means a lost process.
    lockDuration: lostAfterMs / 2,
    stalledInterval: lostAfterMs / 2,
    maxStalledCount: mostLosses,
    removeOnComplete: keep,
    removeOnFail: keep,
  });
  // What BullMQ says here is that Redis is gone, which the link watches, or that a lock was lost: then another worker
  // has the job.
  worker.on('error', () => {});

  const tick = setInterval(() => {
    try {
      link.check();
    } catch (error) {
      end(error as Error);
    }
  }, tickMs);
  const onAbort = () => end();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([worker.waitUntilReady(), ended]);
    service.onReady();
    await ended;
  } finally {
    clearInterval(tick);
    signal.removeEventListener('abort', onAbort);
    const patience = AbortSignal.timeout(farewellMs);
    const outOfPatience = new Promise<void>((resolve) =>
      patience.addEventListener('abort', () => resolve(), { once: true }),
    );
    // First no more jobs are taken, then those in hand are let go.
    const closing = worker.close();
    await pool.close();
    await Promise.race([closing, outOfPatience]);
    await Promise.race([worker.disconnect().catch(() => {}), outOfPatience]);
    link.close();
  }
}
