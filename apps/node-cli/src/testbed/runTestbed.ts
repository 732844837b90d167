import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import type { Fault } from '@tutti/core';
import { monotonicNs, nodeCrypto, registryDigest, sessionId, WorldError } from '@tutti/transports';
import type { ClusterRound } from '../cluster/messages.ts';
import type { ClusterOutcome, ReadyCluster } from '../cluster/runCluster.ts';
import { signalled } from '../cluster/signalled.ts';
import type { Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { grouped } from '../output/tables.ts';
import { Interrupted } from '../usageError.ts';
import type { Latency } from './latency.ts';
import { neverBack, type Step, steps, take } from './outages.ts';
import { processorSeconds } from './processorSeconds.ts';
import { TestbedHost } from './testbedHost.ts';
import { TestbedNetwork } from './testbedNetwork.ts';

/** Between telling the hosts when to start and the start, so that the last one hears of it in time. */
const LEAD_MS = 50;

/** What a step of the plan is counted as: the words of a simulation. */
const counted = { pause: 'pause', kept: 'restart', lost: 'restart', crash: 'crash' } as const;

export interface TestbedPlan extends Omit<ClusterRound, 'entries' | 'session' | 'threshold' | 'emulate'> {
  readonly hosts: number;
  readonly nodesPerHost: number;
  /** Of the nodes that are not killed for good, in (0, 1]. */
  readonly thresholdShare: number;
  readonly kernel: 'wasm' | 'noble';
  readonly latency: Latency;
  readonly rateMbit: number;
  /** Their nodes are hosts. */
  readonly faults: readonly Fault[];
  readonly timeoutMs: number;
  /** Called just before the start. */
  readonly onReady: (ready: ReadyCluster) => void;
}

export interface TestbedOutcome extends ClusterOutcome {
  /** What became of packets and what the plan did, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of the processes that are the network, from the common start until all had reached the threshold. */
  readonly networkCpuSeconds: number;
}

/**
 * Runs nodes on hosts of their own until each that lives has reached the threshold. Hosts, network and processes are gone when
 * this returns or throws.
 *
 * @throws WorldError when a process fails or the time is up; Interrupted on Ctrl-C.
 */
export async function runTestbed(plan: TestbedPlan, context: Context): Promise<TestbedOutcome> {
  const { hosts: hostCount, nodesPerHost, faults, seed, kernel } = plan;
  const ended = signalled<never>();
  const fail = (error: Error) => ended.reject(error);
  const network = await TestbedNetwork.open({ ...plan, onFailure: fail });
  const progress = new Progress(context);
  const gone = neverBack(faults, hostCount, seed);
  const living = (hostCount - gone.size) * nodesPerHost;
  const allReached = signalled();
  const hosts = Array.from(
    { length: hostCount },
    (_, host) =>
      new TestbedHost({ host, network, nodesPerHost, seed, kernel, onFailure: fail, onProgress: () => look() }),
  );
  const live = hosts.filter((_, host) => !gone.has(host));
  const total = (field: 'reached' | 'messages' | 'checked') =>
    live.reduce((sum, host) => sum + (host.progress?.[field] ?? 0), 0);
  const look = () => {
    progress.update(
      () =>
        `aggregating: ${total('reached')} of ${living} nodes at the threshold, ${grouped(total('messages'))} messages, ${grouped(total('checked'))} checks`,
    );
    if (live.every((host) => host.reached)) allReached.resolve();
  };
  const timer = setTimeout(
    () =>
      fail(
        new WorldError(
          'timeout',
          `${total('reached')} of ${living} nodes reached the threshold within the ${plan.timeoutMs / 1000} s of --timeout; give it more, or fewer nodes`,
        ),
      ),
    plan.timeoutMs,
  );
  const onAbort = () => fail(new Interrupted());
  context.signal.addEventListener('abort', onAbort, { once: true });
  if (context.signal.aborted) onAbort();
  const unlessEnded = <T>(wait: Promise<T>): Promise<T> => Promise.race([wait, ended.promise]);

  const timers: NodeJS.Timeout[] = [];
  const follow = (step: Step) => {
    const host = hosts[step.host]!;
    if (!step.isOver) network.router.counts.add(counted[step.outage]);
    take(step, {
      kill: () => void host.kill().catch(fail),
      restart: () => void host.restart().catch(fail),
      pause: () => host.pause(),
      resume: () => host.resume(),
      setDown: (isDown) => network.router.setDown(step.host, isDown),
    });
  };

  try {
    // What carries the packets must not wait for those who check signatures, or it would be they who set the latency.
    setPriority(constants.priority.PRIORITY_HIGH);
    for (const pid of network.carriers) setPriority(pid, constants.priority.PRIORITY_HIGH);
    progress.update(() => `starting ${hostCount} hosts and making the keys of ${hostCount * nodesPerHost} nodes`);
    const entries = (await unlessEnded(Promise.all(hosts.map((host) => host.open())))).flat();

    progress.update(() => `checking the registry's ${entries.length} keys and proofs`);
    const { message, periodMs, levelStartMs, fastPath } = plan;
    const round: ClusterRound = {
      entries,
      session: sessionId(nodeCrypto, registryDigest(nodeCrypto, entries), randomBytes(16).toString('hex')),
      message,
      seed,
      threshold: Math.max(1, Math.floor(plan.thresholdShare * living)),
      periodMs,
      levelStartMs,
      fastPath,
      emulate: 'none',
    };
    await unlessEnded(
      Promise.all(
        hosts.map((host, k) => {
          // Each checks what another made.
          const checked = ((k + 1) % hostCount) * nodesPerHost;
          return host.prepare(round, checked, checked + nodesPerHost);
        }),
      ),
    );

    plan.onReady({
      endpoints: entries.map(({ endpoint }) => endpoint),
      session: round.session,
      processes: hosts.map((host) => host.pid!),
    });
    const originNs = monotonicNs() + BigInt(LEAD_MS * 1_000_000);
    for (const host of hosts) host.start(originNs);
    await unlessEnded(new Promise((resolve) => setTimeout(resolve, LEAD_MS)));
    network.begin();
    for (const step of steps(faults, hostCount, seed)) timers.push(setTimeout(() => follow(step), step.atMs));
    const carrierSeconds = () =>
      [process.pid, ...network.carriers].reduce((sum, pid) => sum + processorSeconds(pid), 0);
    const carriedBefore = carrierSeconds();
    await unlessEnded(allReached.promise);

    const networkCpuSeconds = carrierSeconds() - carriedBefore;
    for (const timer of timers) clearTimeout(timer);
    for (const host of live) host.resume();
    const stopped = await unlessEnded(Promise.all(live.map((host) => host.stop()!)));
    const heaviest = stopped
      .map((outcome) => outcome.heaviest!)
      .reduce((best, one) => (one.weight > best.weight ? one : best));
    return {
      entries,
      reports: stopped.flatMap((outcome) => outcome.reports),
      heaviest,
      cpuSeconds: stopped.reduce((sum, outcome) => sum + outcome.cpuSeconds, 0),
      peakRssBytes: stopped.reduce((sum, outcome) => sum + outcome.peakRssBytes, process.resourceUsage().maxRSS * 1024),
      counts: network.router.counts.toRecord(),
      networkCpuSeconds,
    };
  } finally {
    clearTimeout(timer);
    for (const timer of timers) clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
    progress.done();
    await Promise.all(hosts.map((host) => host.close()));
    await network.close();
  }
}
