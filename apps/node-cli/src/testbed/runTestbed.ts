import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import type { Fault } from '@tutti/core';
import { Counts, monotonicNs, nodeCrypto, registryDigest, sessionId, WorldError } from '@tutti/transports';
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
import { type HostOutcome, TestbedHost } from './testbedHost.ts';
import { TestbedNetwork } from './testbedNetwork.ts';

/** Between telling the hosts when to start and the start, so that the last one hears of it in time. */
const LEAD_MS = 50;

/** What the beginning of an outage is counted as: the words of a simulation. */
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
  const failed = signalled<never>();
  const network = await TestbedNetwork.open({ ...plan, onFailure: failed.reject });
  const run = new TestbedRun(plan, network, context, failed.reject);
  const timer = setTimeout(() => failed.reject(run.timeout()), plan.timeoutMs);
  const onAbort = () => failed.reject(new Interrupted());
  context.signal.addEventListener('abort', onAbort, { once: true });
  if (context.signal.aborted) onAbort();
  try {
    return await Promise.race([run.outcome(), failed.promise]);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
    await run.close();
    await network.close();
  }
}

class TestbedRun {
  readonly #plan: TestbedPlan;
  readonly #network: TestbedNetwork;
  readonly #progress: Progress;
  readonly #fail: (error: Error) => void;
  readonly #hosts: readonly TestbedHost[];
  /** The hosts that the plan does not kill for good. */
  readonly #live: readonly TestbedHost[];
  readonly #livingNodes: number;
  readonly #allReached = signalled();
  /** What the plan did to hosts. */
  readonly #done = new Counts();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(plan: TestbedPlan, network: TestbedNetwork, context: Context, fail: (error: Error) => void) {
    const { nodesPerHost, seed, kernel } = plan;
    const gone = neverBack(plan.faults, plan.hosts, seed);
    const shared = { network, nodesPerHost, seed, kernel, onFailure: fail, onProgress: () => this.#look() };
    this.#plan = plan;
    this.#network = network;
    this.#progress = new Progress(context);
    this.#fail = fail;
    this.#hosts = Array.from({ length: plan.hosts }, (_, host) => new TestbedHost({ host, ...shared }));
    this.#live = this.#hosts.filter((_, host) => !gone.has(host));
    this.#livingNodes = this.#live.length * nodesPerHost;
  }

  async outcome(): Promise<TestbedOutcome> {
    this.#goBeforeHosts();
    const round = await this.#prepare();
    this.#plan.onReady({
      endpoints: round.entries.map(({ endpoint }) => endpoint),
      session: round.session,
      processes: this.#hosts.map((host) => host.pid!),
    });
    await this.#start();
    const carriedBefore = this.#carrierSeconds();
    await this.#allReached.promise;

    const networkCpuSeconds = this.#carrierSeconds() - carriedBefore;
    this.#leavePlan();
    const stopped = await Promise.all(this.#live.map((host) => host.stop()!));
    return { entries: round.entries, ...together(stopped), counts: this.#counts(), networkCpuSeconds };
  }

  timeout(): WorldError {
    return new WorldError(
      'timeout',
      `${this.#total('reached')} of ${this.#livingNodes} nodes reached the threshold within the ${this.#plan.timeoutMs / 1000} s of --timeout; give it more, or fewer nodes`,
    );
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#progress.done();
    await Promise.all(this.#hosts.map((host) => host.close()));
  }

  /** What carries the packets must not wait for those who check signatures, or it would be they who set the latency. */
  #goBeforeHosts(): void {
    for (const pid of [0, ...this.#network.carriers]) setPriority(pid, constants.priority.PRIORITY_HIGH);
  }

  /** Has the hosts make keys and sockets, and agree on the round. */
  async #prepare(): Promise<ClusterRound> {
    const { hosts: count, nodesPerHost, message, seed, periodMs, levelStartMs, fastPath, thresholdShare } = this.#plan;
    this.#progress.update(() => `starting ${count} hosts and making the keys of ${count * nodesPerHost} nodes`);
    const entries = (await Promise.all(this.#hosts.map((host) => host.open()))).flat();

    this.#progress.update(() => `checking the registry's ${entries.length} keys and proofs`);
    const round: ClusterRound = {
      entries,
      session: sessionId(nodeCrypto, registryDigest(nodeCrypto, entries), randomBytes(16).toString('hex')),
      message,
      seed,
      threshold: Math.max(1, Math.floor(thresholdShare * this.#livingNodes)),
      periodMs,
      levelStartMs,
      fastPath,
      emulate: 'none',
    };
    await Promise.all(
      this.#hosts.map((host, k) => {
        // Each checks what another made.
        const first = ((k + 1) % count) * nodesPerHost;
        return host.prepare(round, first, first + nodesPerHost);
      }),
    );
    return round;
  }

  /** Starts the nodes, and from their common start on follows the plan. */
  async #start(): Promise<void> {
    const originNs = monotonicNs() + BigInt(LEAD_MS * 1_000_000);
    for (const host of this.#hosts) host.start(originNs);
    await new Promise((resolve) => this.#timers.push(setTimeout(resolve, LEAD_MS)));
    const { faults, hosts, seed } = this.#plan;
    this.#network.begin();
    for (const step of steps(faults, hosts, seed)) this.#timers.push(setTimeout(() => this.#follow(step), step.atMs));
  }

  #follow(step: Step): void {
    const host = this.#hosts[step.host]!;
    if (!step.isOver) this.#done.add(counted[step.outage]);
    take(step, {
      kill: () => void host.kill().catch(this.#fail),
      restart: () => void host.restart().catch(this.#fail),
      pause: () => host.pause(),
      resume: () => host.resume(),
      setDown: (isDown) => this.#network.router.setDown(step.host, isDown),
    });
  }

  /** What is planned for later does not happen, and who was stopped goes on, to say how it went. */
  #leavePlan(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const host of this.#live) host.resume();
  }

  #look(): void {
    this.#progress.update(
      () =>
        `aggregating: ${this.#total('reached')} of ${this.#livingNodes} nodes at the threshold, ${grouped(this.#total('messages'))} messages, ${grouped(this.#total('checked'))} checks`,
    );
    if (this.#live.every((host) => host.reached)) this.#allReached.resolve();
  }

  #total(field: 'reached' | 'messages' | 'checked'): number {
    return this.#live.reduce((sum, host) => sum + (host.progress?.[field] ?? 0), 0);
  }

  #carrierSeconds(): number {
    return [process.pid, ...this.#network.carriers].reduce((sum, pid) => sum + processorSeconds(pid), 0);
  }

  #counts(): Record<string, number> {
    const counts = new Counts();
    const { cables, hosts } = this.#network.dropped;
    counts.addAll(this.#done.toRecord());
    counts.addAll(this.#network.router.counts.toRecord());
    if (cables > 0) counts.add('dropped-by-cables', cables);
    if (hosts > 0) counts.add('dropped-by-hosts', hosts);
    return counts.toRecord();
  }
}

function together(stopped: readonly HostOutcome[]): Omit<ClusterOutcome, 'entries'> {
  return {
    reports: stopped.flatMap(({ reports }) => reports),
    heaviest: stopped.map(({ heaviest }) => heaviest!).reduce((best, one) => (one.weight > best.weight ? one : best)),
    cpuSeconds: stopped.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    peakRssBytes: stopped.reduce((sum, { peakRssBytes }) => sum + peakRssBytes, process.resourceUsage().maxRSS * 1024),
  };
}
