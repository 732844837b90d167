import { randomBytes } from 'node:crypto';
import {
  type Endpoint,
  type HostReport,
  monotonicNs,
  nodeCrypto,
  type RegistryEntry,
  registryDigest,
  type SignedOutput,
  sessionId,
  WorldError,
} from '@tutti/transports';
import type { Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { grouped } from '../output/tables.ts';
import { Interrupted } from '../usageError.ts';
import { MemberProcess, type MemberProgress } from './memberProcess.ts';
import type { ClusterRound } from './messages.ts';
import { signalled } from './signalled.ts';

/** Between telling the processes when to start and the start, so that the last one hears of it in time. */
const LEAD_MS = 50;

export interface ClusterPlan extends Omit<ClusterRound, 'entries' | 'session'> {
  readonly nodes: number;
  readonly processes: number;
  readonly kernel: 'wasm' | 'noble';
  readonly timeoutMs: number;
  /** Called just before the start. */
  readonly onReady: (ready: ReadyCluster) => void;
}

/** A cluster whose nodes listen and have not started. */
export interface ReadyCluster {
  /** Where each registry entry listens. */
  readonly endpoints: readonly Endpoint[];
  readonly session: Uint8Array;
  /** Ids of the processes that host the nodes. */
  readonly processes: readonly number[];
}

export interface ClusterOutcome {
  readonly entries: readonly RegistryEntry[];
  readonly reports: readonly HostReport[];
  readonly heaviest: SignedOutput;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

/**
 * Runs a cluster until every node has reached the threshold. Its processes are gone when this returns or throws.
 *
 * @throws WorldError when a process fails or the time is up; Interrupted on Ctrl-C.
 */
export async function runCluster(plan: ClusterPlan, context: Context): Promise<ClusterOutcome> {
  const progress = new Progress(context);
  const latest: (MemberProgress | undefined)[] = [];
  const total = (field: 'reached' | 'messages' | 'checked') =>
    latest.reduce((sum, one) => sum + (one?.[field] ?? 0), 0);
  const allReached = signalled();
  const members = Array.from({ length: plan.processes }, (_, k) => {
    return new MemberProcess(`process ${k + 1} of ${plan.processes}`, (report) => {
      latest[k] = report;
      progress.update(
        () =>
          `aggregating: ${total('reached')} of ${plan.nodes} nodes at the threshold, ${grouped(total('messages'))} messages, ${grouped(total('checked'))} checks`,
      );
      if (total('reached') === plan.nodes) allReached.resolve();
    });
  });
  const ended = signalled<never>();
  const timer = setTimeout(() => {
    const reached = total('reached');
    ended.reject(
      new WorldError(
        'timeout',
        `${reached} of ${plan.nodes} nodes reached the threshold within the ${plan.timeoutMs / 1000} s of --timeout; give it more, or fewer nodes`,
      ),
    );
  }, plan.timeoutMs);
  const onAbort = () => ended.reject(new Interrupted());
  context.signal.addEventListener('abort', onAbort, { once: true });
  if (context.signal.aborted) onAbort();
  const unlessEnded = <T>(wait: Promise<T>): Promise<T> =>
    Promise.race([wait, ended.promise, ...members.map((member) => member.failure)]);

  try {
    progress.update(() => `opening sockets and making the keys of ${plan.nodes} nodes`);
    const parts = slices(plan.nodes, plan.processes);
    const { seed, kernel } = plan;
    const opened = await unlessEnded(
      Promise.all(
        members.map((member, k) =>
          member.ask({ type: 'open', ...parts[k]!, seed, kernel, host: '127.0.0.1', firstPort: 0 }, 'opened'),
        ),
      ),
    );
    const entries = opened.flatMap((reply) => reply.entries);

    progress.update(() => `checking the registry's ${plan.nodes} keys and proofs`);
    const session = sessionId(nodeCrypto, registryDigest(nodeCrypto, entries), randomBytes(16).toString('hex'));
    const round: ClusterRound = { ...pick(plan), entries, session };
    await unlessEnded(
      Promise.all(
        members.map((member, k) => {
          // Each checks what another process made.
          const { first: checkFirst, end: checkEnd } = parts[(k + 1) % parts.length]!;
          return member.ask({ type: 'prepare', round, checkFirst, checkEnd }, 'prepared');
        }),
      ),
    );

    plan.onReady({
      endpoints: entries.map(({ endpoint }) => endpoint),
      session,
      processes: members.map((member) => member.pid!),
    });
    const originNs = monotonicNs() + BigInt(LEAD_MS * 1_000_000);
    for (const member of members) member.send({ type: 'start', originNs });
    await unlessEnded(allReached.promise);

    const stopped = await unlessEnded(Promise.all(members.map((member) => member.ask({ type: 'stop' }, 'stopped'))));
    const heaviest = stopped
      .map((reply) => reply.heaviest!)
      .reduce((best, one) => (one.weight > best.weight ? one : best));
    return {
      entries,
      reports: stopped.flatMap((reply) => reply.reports),
      heaviest,
      cpuSeconds: stopped.reduce((sum, reply) => sum + reply.cpuSeconds, 0),
      peakRssBytes: stopped.reduce((sum, reply) => sum + reply.peakRssBytes, process.resourceUsage().maxRSS * 1024),
    };
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
    progress.done();
    await Promise.all(members.map((member) => member.dismiss()));
  }
}

/** What the processes are told of a plan: functions do not travel. */
function pick(plan: ClusterPlan): Omit<ClusterRound, 'entries' | 'session'> {
  const { message, seed, threshold, periodMs, levelStartMs, fastPath, emulate, impairment } = plan;
  return { message, seed, threshold, periodMs, levelStartMs, fastPath, emulate, impairment };
}

/** [0, count) in so many runs of nearly equal length. */
function slices(count: number, parts: number): { first: number; end: number }[] {
  return Array.from({ length: parts }, (_, k) => ({
    first: Math.floor((count * k) / parts),
    end: Math.floor((count * (k + 1)) / parts),
  }));
}
