import { setTimeout as delay } from 'node:timers/promises';
import { version } from '@tutti/core';
import { EnvironmentError, shownValue } from '@tutti/core/input';
import { Interrupted, inScope } from '@tutti/node-cli/command';
import { RunnerPool } from '@tutti/node-cli/sweeps';
import { type Job, type Processor, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { connectionOptions, RedisLink } from './link.ts';
import { type SweepJob, type SweepJobResult, uncollectedAgeS, workerName } from './queue.ts';
import { validatedJob } from './validatedJob.ts';

/**
 * Maximum number of workers that may be lost while they run a job. A job that loses more workers is probably the cause,
 * and fails with a line that says so.
 */
const maxLosses = 20;
const tickMs = 1000;
/** Maximum time for returning the running jobs to the queue and disconnecting when the service stops, ms. */
const closeTimeoutMs = 3000;

interface QueueService {
  readonly url: string;
  readonly queueName: string;
  readonly jobs: number;
  /** Time without a renewed lock after which a worker counts as lost and its jobs go to other workers, ms. */
  readonly lostAfterMs: number;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  /** Called with the number of points that a job has finished. */
  readonly onDone: (points: number) => void;
  /** Called with a one-line reason when a job is rejected. */
  readonly onRefused: (line: string) => void;
}

type SweepWorker = Worker<SweepJob, SweepJobResult>;
type QueuedJob = Job<SweepJob, SweepJobResult>;

/**
 * Runs the points that sweeps put into the queue, until `signal` stops the service. Unfinished jobs then return to the
 * queue.
 *
 * @throws EnvironmentError `redis-unreachable`; `version-mismatch` for a sweep of another version, whose job returns to
 * the queue.
 */
export async function serveQueue(service: QueueService): Promise<void> {
  await inScope(async (scope) => {
    const link = scope.own(await RedisLink.open(service.url), (one) => one.close());
    const pool = scope.own(new RunnerPool(service.jobs), (one) => one.close());
    const end = new AbortController();
    const worker: SweepWorker = openWorker(service, async (job, token) => {
      const data = validatedJobOf(job, service);
      if (data.version !== version) {
        end.abort(otherVersion(service.queueName, data.version));
        void worker.pause(true);
        return returnJob(job, token);
      }
      return answer(job, token, pool, service);
    });
    scope.handOver(pool);
    scope.own(worker, (one) => closeWorker(one, pool));
    const check = (): void => {
      try {
        link.check();
      } catch (error) {
        end.abort(error);
      }
    };
    scope.own(setInterval(check, tickMs), (one) => clearInterval(one));
    const ended = untilEnded(service.signal, end.signal);
    await Promise.race([worker.waitUntilReady(), ended]);
    if (!service.signal.aborted) service.onReady();
    await ended;
  });
}

/** Resolves when the service must stop; rejects with the reason if it cannot continue. */
function untilEnded(stop: AbortSignal, failure: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => (failure.aborted ? reject(failure.reason) : resolve());
    if (stop.aborted || failure.aborted) return settle();
    for (const signal of [stop, failure]) signal.addEventListener('abort', settle, { once: true });
  });
}

function openWorker(
  { url, queueName, jobs, lostAfterMs }: QueueService,
  work: Processor<SweepJob, SweepJobResult>,
): SweepWorker {
  const stored = { age: uncollectedAgeS };
  const worker: SweepWorker = new Worker(queueName, work, {
    name: workerName(),
    connection: connectionOptions(url),
    concurrency: jobs,
    // The runs use other threads, so this thread is always free to renew the locks. A lock that is not renewed
    // therefore means a lost process.
    lockDuration: lostAfterMs / 2,
    stalledInterval: lostAfterMs / 2,
    maxStalledCount: maxLosses,
    removeOnComplete: stored,
    removeOnFail: stored,
  });
  // BullMQ reports only two kinds of errors here: Redis is unreachable, which the link observes, or a lock was lost.
  // After a lost lock, another worker has the job.
  worker.on('error', () => {});
  return worker;
}

/**
 * Returns the content of a job after checking it. An invalid job fails permanently, regardless of its requested number
 * of attempts, because no worker can run it.
 */
function validatedJobOf(job: Job<unknown>, { onRefused }: QueueService): SweepJob {
  try {
    return validatedJob(job.data, version);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    onRefused(`job ${shownValue(job.id)} refused: ${error.message}`);
    throw new UnrecoverableError(error.message);
  }
}

function otherVersion(queueName: string, got: string): EnvironmentError {
  return new EnvironmentError(
    'version-mismatch',
    `${queueName}: expected a sweep of version ${version}, got ${JSON.stringify(got)}; use one version for both`,
  );
}

async function answer(
  job: QueuedJob,
  token: string | undefined,
  pool: RunnerPool,
  { onDone }: QueueService,
): Promise<SweepJobResult> {
  try {
    const lines = await pool.run(job.data);
    onDone(lines.length);
    return lines;
  } catch (error) {
    if (error instanceof Interrupted) return returnJob(job, token);
    // Another attempt would fail at the same points, so the job's requested number of attempts is ignored.
    throw new UnrecoverableError((error as Error).message);
  }
}

async function returnJob(job: QueuedJob, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

/** Stops taking jobs, returns the running jobs to the queue, and disconnects. */
async function closeWorker(worker: SweepWorker, pool: RunnerPool): Promise<void> {
  const timeout = delay(closeTimeoutMs, undefined, { ref: false });
  const closing = worker.close();
  await pool.close();
  await Promise.race([closing, timeout]);
  await Promise.race([worker.disconnect().catch(() => {}), timeout]);
}
