import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { version } from '@tutti/core';
import { defaultScenario } from '@tutti/simulation';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runMain } from '../../../apps/node-cli/test/runMain.ts';
import { freePorts } from '../../../tests/freePorts.ts';
import { isWhole } from '../../../tests/sampled.ts';
import { grows, start, temporaryFolder, tutti } from '../../../tests/tutti.ts';
import { runThroughRedis } from '../src/producer.ts';
import type { SweepJob } from '../src/queue.ts';
import { hasRedis, type RedisServer, startRedis } from './redis.ts';

const folder = temporaryFolder();
let files = 0;
const fresh = (ending: string) => join(folder, `${++files}${ending}`);

function sweepFile(sweep: object): string {
  const file = fresh('.json');
  writeFileSync(file, JSON.stringify({ name: 'test', ...sweep }));
  return file;
}

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

/** Returns the sorted result lines of a sweep that runs serially, without threads, kills or queues. */
function serial(file: string): Promise<string[]> {
  const sweep = readFileSync(file, 'utf8');
  if (!serials.has(sweep)) serials.set(sweep, runSerially(file));
  return serials.get(sweep)!;
}

/** Serial results by sweep, stored because two tests run the same sweep. */
const serials = new Map<string, Promise<string[]>>();

async function runSerially(file: string): Promise<string[]> {
  const out = fresh(`-${basename(file)}.serial.jsonl`);
  expect(await tutti('sweep', file, '--jobs', '1', '--out', out)).toMatchObject({ code: 0 });
  return linesOf(out).toSorted();
}

/** A version of the same release with different code, which may give another digest. */
const otherCode = version.replace(/.{8}$/, '0badc0de');

/** 60 runs of about 15 ms each. */
const smallRuns = { base: { nodes: 256 }, vary: { dead: [0, 0.2] }, seeds: { from: 1, count: 30 } };

describe('tutti distributed-sweeps', () => {
  it.each([
    [['worker', '--redis', 'here'], '--redis: expected redis://HOST:PORT or rediss://HOST:PORT, got "here"'],
    [
      ['run', 'x.json', '--out', 'x', '--queue', 'a:b'],
      '--queue: expected 1 to 100 letters, digits, dots, dashes or underscores, got "a:b"',
    ],
    [
      ['run', 'x.json', '--out', 'x', '--jobs', '2'],
      "unknown option '--jobs'; see 'tutti distributed-sweeps run --help'",
    ],
  ])('%j exits with 2 and prints one line', async (args, line) => {
    expect(await runMain(['distributed-sweeps', ...args])).toEqual({ code: 2, out: '', err: `tutti: ${line}\n` });
  });

  it.each(['run', 'worker'])('%s without a Redis prints one line and exits with 1', async (command) => {
    const url = `redis://:secret@127.0.0.1:${await freePorts(1)}`;
    const sweep = [sweepFile(smallRuns), '--out', fresh('.jsonl')];
    const args = [command, ...(command === 'run' ? sweep : []), '--redis', url];
    const { code, err } = await tutti('distributed-sweeps', ...args);
    const shown = url.replace('secret', '***');
    expect({ code, err }).toEqual({ code: 1, err: `tutti: ${shown}: Redis cannot be reached (ECONNREFUSED)\n` });
  });
});

const throughRedis = hasRedis ? 'a sweep through Redis' : 'a sweep through Redis: SKIPPED, there is no redis-server';

describe.skipIf(!hasRedis)(throughRedis, () => {
  let redis: RedisServer;
  const children: ReturnType<typeof start>[] = [];
  beforeAll(async () => {
    redis = await startRedis(folder);
  });
  const connections: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const { child } of children) child.kill('SIGKILL');
    await Promise.all(children.map(({ finished }) => finished));
    await Promise.all(connections.map((one) => one.close()));
    await redis?.stop();
  });

  /** Starts a command that uses a queue of the test's Redis. */
  const started = (queue: string, command: string, ...args: string[]) => {
    const child = start('distributed-sweeps', command, ...args, '--redis', redis.url, '--queue', queue);
    children.push(child);
    return child;
  };
  const worker = (queue: string, ...more: string[]) =>
    started(queue, 'worker', '--jobs', '1', '--lost-after', '1', ...more);
  const sweep = (queue: string, file: string, out: string) => started(queue, 'run', file, '--out', out, '--json');

  /** Opens a queue, and reads its events from the first one. */
  const opened = (name: string) => {
    const connection = { host: redis.host, port: redis.port };
    const queue = new Queue(name, { connection });
    const events = new QueueEvents(name, { connection, lastEventId: '0-0' });
    connections.push(events, queue);
    return { queue, events };
  };

  /** Number of points: one finished job, one job running at the kill and, in CI, one waiting job. */
  const some = isWhole ? 9 : 6;

  /** Returns a sweep with runs of about 100 ms, in jobs of three. */
  const longRuns = (count: number) => ({ base: { nodes: 1024, dead: 0.2 }, seeds: { from: 1, count } });

  it.runIf(isWhole)(
    'a worker that is killed with a job loses no point and counts none twice, with a network file too',
    async () => {
      const network = fresh('.csv');
      writeFileSync(network, 'a,b,c\n1,40,90\n40,1,60\n90,60,1\n');
      const { base, seeds } = longRuns(some);
      const file = sweepFile({ base: { ...base, network: `file:${network}` }, seeds });
      const out = fresh('.jsonl');
      const { queue, events } = opened('killed');
      await events.waitUntilReady();
      const victim = worker('killed');
      const stalled = new Set<string>();
      events.on('stalled', ({ jobId }) => void stalled.add(jobId));
      let taken = 0;
      const killed = new Promise<string>((resolve) => {
        events.on('active', ({ jobId }) => {
          // The second job, which the worker has just taken and which takes a third of a second.
          if (++taken === 2 && victim.child.kill('SIGKILL')) resolve(jobId);
        });
      });
      const { finished } = sweep('killed', file, out);
      const job = await killed;
      worker('killed');
      const { code, out: said } = await finished;
      expect(code).toBe(0);
      expect(JSON.parse(said)).toMatchObject({ points: some, ran: some, engine: 'bullmq' });
      expect(linesOf(out).toSorted()).toEqual(await serial(file));
      expect([...stalled]).toContain(job);
      const left = await queue.getJobCounts();
      expect(Object.values(left).every((count) => count === 0)).toBe(true);
    },
  );

  it('a sweep that is killed and restarted collects the results of the meantime, and has every point once', async () => {
    const file = sweepFile(longRuns(some));
    const out = fresh('.jsonl');
    const first = sweep('resumed', file, out);
    worker('resumed');
    await grows(folder, () => linesOf(out).length, 3, first.finished);
    first.child.kill('SIGKILL');
    await first.finished;
    const { queue, events } = opened('resumed');
    while ((await queue.getJobCountByTypes('completed')) === 0) await once(events, 'completed');
    const second = await sweep('resumed', file, out).finished;
    expect(second.code).toBe(0);
    expect(linesOf(out).toSorted()).toEqual(await serial(file));
  });

  it.runIf(isWhole)('a sweep stopped by Ctrl-C removes jobs that no worker has begun', async () => {
    const out = fresh('.jsonl');
    const { queue, events } = opened('stopped');
    const { child, finished } = sweep('stopped', sweepFile(longRuns(24)), out);
    while ((await queue.getWaitingCount()) < 8) await once(events, 'waiting');
    child.kill('SIGINT');
    expect(await finished).toMatchObject({ code: 130, out: '' });
    expect(await queue.getWaitingCount()).toBe(0);
  });

  it.runIf(isWhole)('a worker that is stopped returns its job at once', async () => {
    const { queue, events } = opened('given-back');
    const file = sweepFile({ base: { nodes: 4096, dead: 0.2 }, seeds: { count: 2 } });
    const stopping = sweep('given-back', file, fresh('.jsonl'));
    const active = once(events, 'active');
    const { child, finished } = worker('given-back', '--lost-after', '3600', '--json');
    await active;
    child.kill('SIGTERM');
    const { code, out } = await finished;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ queue: 'given-back', pointsRun: 0 });
    expect(await queue.getJobCounts('waiting', 'active', 'failed')).toEqual({ waiting: 2, active: 0, failed: 0 });
    stopping.child.kill('SIGTERM');
    await stopping.finished;
  });

  it.runIf(isWhole)('a worker refuses a sweep of other code, and leaves its job to others', async () => {
    const { queue } = opened('versions');
    await queue.add('points', { version: otherCode, points: [] });
    const { code, err } = await worker('versions').finished;
    expect(code).toBe(1);
    expect(err.trim().split('\n').at(-1)).toBe(
      `tutti: versions: expected a sweep of version ${version}, got "${otherCode}"; use one version for both`,
    );
    expect(await queue.getJobCounts('waiting', 'active', 'failed')).toEqual({ waiting: 1, active: 0, failed: 0 });
  });

  it('a worker refuses malformed jobs in one line each, parks them, and continues', async () => {
    const { queue } = opened('malformed');
    const jobs = [
      { version, points: 5 },
      { version, points: [null] },
      { version, points: [{ key: 'k', scenario: null }] },
      { version: 'x', points: [] },
      { version, points: [], networks: { 'file:\u009b31m': null } },
    ];
    for (const data of jobs) await queue.add('points', data, { attempts: 1000 });
    const out = fresh('.jsonl');
    const sweeping = sweep('malformed', sweepFile({ base: { nodes: 4 } }), out);
    const { child, finished } = worker('malformed');
    expect((await sweeping.finished).code).toBe(0);
    child.kill('SIGTERM');
    const { code, err } = await finished;
    expect(code).toBe(0);
    expect(err.match(/^malformed: job "\d" refused: .*$/gm)).toHaveLength(jobs.length);
    expect(err).not.toMatch(/^ +at |\u009b/m);
    expect(await queue.getJobCounts('waiting', 'active', 'delayed', 'failed')).toMatchObject({
      ...{ waiting: 0, active: 0, delayed: 0, failed: jobs.length },
    });
  });

  it('a sweep never has more jobs in Redis than the size of its networks permits', async () => {
    const jobs = new Set<string>();
    let most = 0;
    const { addBulk, remove } = Queue.prototype;
    vi.spyOn(Queue.prototype, 'addBulk').mockImplementation(function (this: Queue, added) {
      for (const { opts } of added) jobs.add(opts!.jobId!);
      most = Math.max(most, jobs.size);
      return addBulk.call(this, added);
    });
    vi.spyOn(Queue.prototype, 'remove').mockImplementation(function (this: Queue, id) {
      jobs.delete(id);
      return remove.call(this, id);
    });
    const connection = { host: redis.host, port: redis.port };
    const keysOf = async ({ data }: { data: SweepJob }) => data.points.map(({ key }) => key);
    connections.push(new Worker<SweepJob>('bounded', keysOf, { connection }));
    const done = new Set<string>();
    await runThroughRedis({
      // Each run takes longer than `batchMs`, so each point is one job.
      points: Array.from({ length: 40 }, (_, i) => ({ key: `${i}`, scenario: { ...defaultScenario, nodes: 65_536 } })),
      networks: { 'file:n.csv': { places: ['x'.repeat(1e7)], oneWayMs: [], inputs: [] } },
      isDone: (key) => done.has(key),
      ...{ url: redis.url, queueName: 'bounded', signal: new AbortController().signal, onWorkers: () => {} },
      onLines: (keys) => {
        for (const key of keys) done.add(key);
      },
    });
    vi.restoreAllMocks();
    expect([done.size, most]).toEqual([40, 16]);
  });

  it.runIf(isWhole)('a sweep refuses workers of other code', async () => {
    const other = new Worker('others', async () => [], {
      connection: { host: redis.host, port: redis.port },
      name: `tutti@${otherCode}@far-away.7`,
    });
    await other.waitUntilReady();
    const { code, err } = await sweep('others', sweepFile(smallRuns), fresh('.jsonl')).finished;
    expect(code).toBe(1);
    expect(err.replace(/redis:[\d./:]+:/, 'redis:')).toBe(
      `tutti: redis: expected workers of version ${version} on queue others, got ${otherCode} on far-away.7\n`,
    );
    await other.close();
  });
});
