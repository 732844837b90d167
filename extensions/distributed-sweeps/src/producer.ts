import { setTimeout as delay } from 'node:timers/promises';
import { version } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { Interrupted, inScope } from '@tutti/node-cli/command';
import { type Batch, batches, type ReadNetworks, type SweepPoint } from '@tutti/node-cli/sweeps';
import { Queue, QueueEvents } from 'bullmq';
import { connectionOptions, RedisLink } from './link.ts';
import {
  batchMs,
  jobId,
  jobName,
  readWorkerName,
  type SweepJob,
  type SweepJobResult,
  uncollectedAgeS,
} from './queue.ts';
import { shownUrl } from './shownUrl.ts';

/** Maximum number of jobs in Redis at once: enough for a few hundred cores. */
const maxQueued = 1000;
/** Number of jobs that Redis may always store at once, regardless of the size of the jobs' networks. */
const minQueued = 16;
/**
 * Maximum total size of the networks of all jobs in Redis, characters of JSON. This limit applies only above
 * `minQueued` jobs.
 */
const maxNetworkCharacters = 1e8;
/** Number of jobs that one call adds. */
const jobsPerCall = 100;
/**
 * Number of events that Redis stores; each contains a job's results. If an event is lost, the producer queries the
 * job's state.
 */
const maxEvents = 2 * maxQueued;

const tickMs = 1000;
/** Time without a result after which the state of each job is queried, ms. */
const quietMs = 15_000;
const workersIntervalMs = 5000;
/** Maximum time for removing the queued jobs and disconnecting at the end of a sweep, ms. */
const closeTimeoutMs = 3000;

interface RedisSweep {
  /** All points of the plan, whether finished or not: every start of a sweep must form the same batches. */
  readonly points: readonly SweepPoint[];
  /** Networks that scenarios name and that come from files. */
  readonly networks: ReadNetworks;
  readonly isDone: (key: string) => boolean;
  readonly url: string;
  readonly queueName: string;
  readonly signal: AbortSignal;
  /** Called with the result lines of points as they arrive, possibly more than once per point. */
  readonly onLines: (lines: readonly string[]) => void;
  readonly onWorkers: (count: number) => void;
}

/**
 * Runs the unfinished points on the workers that serve the queue. Every job is done at least once. A job stays in Redis
 * until its results are in the output. A job goes to another worker if its worker is lost, and is queued again if Redis
 * has lost the job.
 *
 * @throws EnvironmentError `redis-unreachable`, `version-mismatch`, `run-failed`, `bad-result`; Interrupted.
 */
export async function runThroughRedis(sweep: RedisSweep): Promise<void> {
  await inScope(async (scope) => {
    const link = scope.own(await RedisLink.open(sweep.url), (one) => one.close());
    const producer = scope.own(new Producer(sweep, link, await link.timeMs()), (one) => one.close());
    await producer.run();
  });
}

class Producer {
  readonly #sweep: RedisSweep;
  readonly #link: RedisLink;
  readonly #queue: Queue<SweepJob, SweepJobResult>;
  readonly #events: QueueEvents;
  readonly #todo: Iterator<Batch>;
  /** Networks from files, in a form that JSON preserves. */
  readonly #networks: ReadNetworks;
  readonly #maxQueued: number;
  /** Jobs that are queued and whose results are not collected yet. */
  readonly #queued = new Map<string, Batch>();
  readonly #finished: Promise<void>;
  #finish!: () => void;
  #fail!: (error: unknown) => void;
  #allQueued = false;
  #queueing = false;
  #lastHeardMs = performance.now();

  constructor(sweep: RedisSweep, link: RedisLink, startMs: number) {
    this.#sweep = sweep;
    this.#link = link;
    const connection = connectionOptions(sweep.url);
    this.#queue = new Queue(sweep.queueName, { connection, streams: { events: { maxLen: maxEvents } } });
    // Reading begins 1 ms before the start, so that no event of the new jobs is missed.
    this.#events = new QueueEvents(sweep.queueName, { connection, lastEventId: `${startMs - 1}-0` });
    // BullMQ reports only connection errors here, which the link observes.
    this.#queue.on('error', () => {});
    this.#events.on('error', () => {});
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#collect(jobId, returnvalue));
    this.#events.on('failed', ({ jobId, failedReason }) => this.#onFailed(jobId, failedReason));
    this.#todo = batches(sweep.points, batchMs).values();
    this.#networks = Object.fromEntries(
      Object.entries(sweep.networks).map(([name, { oneWayMs, ...rest }]) => [
        name,
        { ...rest, oneWayMs: oneWayMs.map((row) => Array.from(row)) },
      ]),
    );
    const { length } = JSON.stringify(this.#networks);
    this.#maxQueued = Math.max(minQueued, Math.min(maxQueued, Math.floor(maxNetworkCharacters / length)));
    this.#finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  async run(): Promise<void> {
    const { signal } = this.#sweep;
    const onAbort = () => this.#fail(new Interrupted());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let lastWorkersMs = Number.NEGATIVE_INFINITY;
    const tick = setInterval(() => {
      this.#attempt(async () => {
        this.#link.check();
        const nowMs = performance.now();
        if (nowMs - this.#lastHeardMs > quietMs) {
          this.#lastHeardMs = nowMs;
          await this.#queryStates([...this.#queued.keys()], false);
        }
        if (nowMs - lastWorkersMs > workersIntervalMs) {
          lastWorkersMs = nowMs;
          this.#sweep.onWorkers((await this.#workers()).length);
        }
      });
    }, tickMs);
    this.#attempt(async () => {
      await this.#refuseOtherVersions();
      const { completed = 0, failed = 0 } = await this.#queue.getJobCounts('completed', 'failed');
      await this.#queueMore(completed + failed > 0);
    });
    try {
      await this.#finished;
    } finally {
      clearInterval(tick);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Removes the jobs that no worker has started, and disconnects. */
  async close(): Promise<void> {
    const timeout = delay(closeTimeoutMs, undefined, { ref: false });
    if (this.#link.isUp) {
      const removed = Promise.allSettled([...this.#queued.keys()].map((id) => this.#queue.remove(id)));
      await Promise.race([removed, timeout]);
    }
    // Without this close(), the loop that reads events would never end.
    const closing = [this.#events.close(), this.#link.isUp ? this.#queue.close() : this.#queue.disconnect()];
    await Promise.race([Promise.allSettled(closing), timeout]);
  }

  /** Runs an operation that may fail. A failure of the operation ends the sweep. */
  #attempt(work: () => Promise<void>): void {
    work().catch(this.#fail);
  }

  async #workers(): Promise<{ version: string; where: string }[]> {
    const clients = await this.#queue.getWorkers();
    return clients.flatMap((client) => readWorkerName(client.rawname ?? '') ?? []);
  }

  async #refuseOtherVersions(): Promise<void> {
    const workers = await this.#workers();
    this.#sweep.onWorkers(workers.length);
    const other = workers.find((worker) => worker.version !== version);
    if (other === undefined) return;
    const { url, queueName } = this.#sweep;
    throw new EnvironmentError(
      'version-mismatch',
      `${shownUrl(url)}: expected workers of version ${version} on queue ${queueName}, got ${other.version} on ${other.where}`,
    );
  }

  /** Queues more jobs. @param leftovers whether Redis may contain finished or failed jobs of an earlier sweep. */
  async #queueMore(leftovers = false): Promise<void> {
    if (this.#queueing) return;
    this.#queueing = true;
    while (!this.#allQueued && this.#queued.size < this.#maxQueued) {
      const added = this.#nextBatches();
      for (const [id, batch] of added) this.#queued.set(id, batch);
      await this.#add(added);
      if (leftovers) await this.#queryStates([...added.keys()], true);
    }
    this.#queueing = false;
    if (this.#allQueued && this.#queued.size === 0) this.#finish();
  }

  #nextBatches(): Map<string, Batch> {
    const next = new Map<string, Batch>();
    while (next.size < Math.min(jobsPerCall, this.#maxQueued - this.#queued.size)) {
      const { done, value } = this.#todo.next();
      if (done === true) {
        this.#allQueued = true;
        break;
      }
      if (!value.points.every(({ key }: SweepPoint) => this.#sweep.isDone(key))) next.set(jobId(value), value);
    }
    return next;
  }

  /** Queues jobs. A job whose id is already in Redis is not changed. */
  async #add(jobs: ReadonlyMap<string, Batch>): Promise<void> {
    const keep = { age: uncollectedAgeS };
    await this.#queue.addBulk(
      [...jobs].map(([id, { points }]) => ({
        name: jobName,
        data: { version, points, ...this.#networksOf(points) },
        opts: { jobId: id, removeOnComplete: keep, removeOnFail: keep },
      })),
    );
  }

  #networksOf(points: readonly SweepPoint[]): Pick<SweepJob, 'networks'> {
    const names = [...new Set(points.map(({ scenario }) => scenario.network))];
    const named = names.filter((name) => Object.hasOwn(this.#networks, name));
    return named.length === 0
      ? {}
      : { networks: Object.fromEntries(named.map((name) => [name, this.#networks[name]!])) };
  }

  #collect(id: string, lines: unknown): void {
    const batch = this.#queued.get(id);
    if (batch === undefined) return;
    this.#lastHeardMs = performance.now();
    this.#attempt(async () => {
      if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string')) {
        throw new EnvironmentError(
          'bad-result',
          `${id}: expected a list of results, got ${JSON.stringify(lines)?.slice(0, 40)}`,
        );
      }
      this.#sweep.onLines(lines);
      const missing = batch.points.find(({ key }) => !this.#sweep.isDone(key));
      if (missing !== undefined)
        throw new EnvironmentError('bad-result', `${id}: expected a result of ${missing.key}, got none`);
      this.#queued.delete(id);
      // The job's results are in the output, so Redis no longer needs the job.
      const removed = this.#queue.remove(id);
      if (!this.#allQueued && this.#queued.size < this.#maxQueued / 2) await this.#queueMore();
      await removed;
      if (this.#allQueued && this.#queued.size === 0 && !this.#queueing) this.#finish();
    });
  }

  #onFailed(id: string, reason: string): void {
    if (this.#queued.has(id)) this.#fail(new EnvironmentError('run-failed', reason));
  }

  /**
   * Queries the state of jobs for which no event has arrived. Collects the results of completed jobs, and queues lost
   * jobs again.
   *
   * @param retries whether to retry failed jobs; these jobs failed in an earlier sweep. If false, a failed job ends
   * this sweep.
   */
  async #queryStates(ids: readonly string[], retries: boolean): Promise<void> {
    const states = await Promise.all(ids.map((id) => this.#queue.getJobState(id)));
    for (const [index, id] of ids.entries()) {
      const state = states[index];
      const batch = this.#queued.get(id);
      if (batch === undefined) continue;
      if (state === 'completed') {
        const job = await this.#queue.getJob(id);
        if (job !== undefined) this.#collect(id, job.returnvalue);
      } else if (state === 'failed' && !retries) {
        this.#onFailed(id, (await this.#queue.getJob(id))?.failedReason ?? 'unknown');
      } else if (state === 'failed' || state === 'unknown') {
        await this.#queue.remove(id);
        await this.#add(new Map([[id, batch]]));
      }
    }
  }
}
