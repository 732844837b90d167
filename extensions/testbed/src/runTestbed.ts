import { readFileSync } from 'node:fs';
import type { RegistryEntry } from '@tutti/core';
import type { EnvironmentError } from '@tutti/core/input';
import {
  aggregating,
  Beacon,
  type ClusterOutcome,
  leadMs,
  nextStartUs,
  type PlannedRound,
  type ReadyCluster,
  type ReportedProgress,
  type Run,
  readyCluster,
  refusedBy,
  roundOutcome,
  signalled,
  timeIsUp,
  untilEnded,
} from '@tutti/node-cli/clusters';
import {
  type Context,
  counted,
  type HandelFlags,
  handelConfig,
  type kernelName,
  Progress,
} from '@tutti/node-cli/command';
import type { Fault } from '@tutti/simulation';
import { Counts, type RoundPlan } from '@tutti/transports';
import type { Latency } from './latency.ts';
import { applyStep, type OutageStep, outageSteps, permanentlyKilled } from './outages.ts';
import { TestbedHost } from './testbedHost.ts';
import { TestbedNetwork } from './testbedNetwork.ts';

/** Number of ticks per second in which Linux reports CPU time; it is the same on every machine that Node supports. */
const ticksPerSecond = 100;

/** Indices of user and system time among the fields that follow the command's name; see proc(5). */
const userField = 11;
const systemField = 12;

/** Returns the CPU time that a process has used so far, s; 0 for a process that has ended. */
function processorSeconds(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userField]) + Number(fields[systemField])) / ticksPerSecond;
}

/** Name under which the document counts the outages of a kind. */
const countedAs = { pause: 'pause', kept: 'restart', lost: 'restart', crash: 'crash' } as const;

/** Plan of {@link runTestbed}. */
export interface TestbedPlan {
  readonly hosts: number;
  readonly nodesPerHost: number;
  readonly round: PlannedRound;
  /** Settings of Handel. The threshold is a share of the nodes that are not killed permanently. */
  readonly handel: Required<HandelFlags>;
  /** Seed of the keys and of the network's random draws. */
  readonly seed: number;
  readonly kernel: ReturnType<typeof kernelName>;
  readonly latency: Latency;
  readonly rateMbit: number;
  /** Faults of the run. Nodes in the plan are hosts. */
  readonly faults: readonly Fault[];
  readonly timeoutMs: number;
  /** Called just before the start with the sockets of the nodes and the processes of the hosts. */
  readonly onReady: (ready: ReadyCluster) => void;
}

export interface TestbedOutcome extends Omit<ClusterOutcome, 'stolenKey' | 'blacklisted'> {
  /** Number of packets and of plan events, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * CPU time of the processes that simulate the network, s, from the common start until all live nodes had reached the
   * threshold.
   */
  readonly networkCpuSeconds: number;
}

/**
 * Runs nodes on separate hosts until every live node has reached the threshold. When the function returns or throws,
 * the hosts, the network and the processes have ended.
 *
 * @throws EnvironmentError if a process fails or the time limit is reached; Interrupted on Ctrl-C.
 */
export async function runTestbed(plan: TestbedPlan, context: Context): Promise<TestbedOutcome> {
  const broken = signalled<never>();
  const network = await TestbedNetwork.open({ ...plan, onFailure: broken.reject });
  try {
    return await untilEnded(
      (fail) => {
        broken.promise.catch(fail);
        return new TestbedRun(plan, network, context, fail);
      },
      plan.timeoutMs,
      context.signal,
    );
  } finally {
    await network.close();
  }
}

class TestbedRun implements Run<TestbedOutcome> {
  readonly #plan: TestbedPlan;
  readonly #network: TestbedNetwork;
  readonly #progress: Progress;
  readonly #fail: (error: Error) => void;
  readonly #hosts: readonly TestbedHost[];
  /** Hosts that the plan does not kill permanently. */
  readonly #live: readonly TestbedHost[];
  readonly #liveNodes: number;
  readonly #allReached = signalled();
  /** Number of plan events that affected hosts, by name. */
  readonly #outages = new Counts();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(plan: TestbedPlan, network: TestbedNetwork, context: Context, fail: (error: Error) => void) {
    const { nodesPerHost, seed, kernel } = plan;
    const gone = permanentlyKilled(plan.faults, plan.hosts, seed);
    const shared = { network, nodesPerHost, seed, kernel, onFailure: fail, onProgress: () => this.#onProgress() };
    this.#plan = plan;
    this.#network = network;
    this.#progress = new Progress(context);
    this.#fail = fail;
    this.#hosts = Array.from({ length: plan.hosts }, (_, host) => new TestbedHost({ host, ...shared }));
    this.#live = this.#hosts.filter((_, host) => !gone.has(host));
    this.#liveNodes = this.#live.length * nodesPerHost;
  }

  async outcome(): Promise<TestbedOutcome> {
    this.#network.raisePriority();
    const { entries, round } = await this.#prepare();
    const processes = this.#hosts.map((host) => host.pid!);
    this.#plan.onReady(readyCluster(entries, round, processes));
    await this.#start();
    const secondsAtStart = this.#carrierSeconds();
    await this.#allReached.promise;

    const networkCpuSeconds = this.#carrierSeconds() - secondsAtStart;
    this.#cancelPlan();
    const members = await Promise.all(this.#live.map((host) => host.report()!));
    return {
      entries,
      rounds: [roundOutcome(round, members)],
      refused: refusedBy(members),
      counts: this.#counts(),
      networkCpuSeconds,
    };
  }

  timeout(): EnvironmentError {
    return timeIsUp(this.#reported(), this.#liveNodes, this.#plan.timeoutMs);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#progress.done();
    await Promise.all(this.#hosts.map((host) => host.kill()));
  }

  /** Makes the hosts create keys and sockets, and agree on the round. */
  async #prepare(): Promise<{ entries: readonly RegistryEntry[]; round: RoundPlan }> {
    const { hosts: count, nodesPerHost, handel } = this.#plan;
    this.#progress.update(
      () => `starting ${counted(count, 'host')} and making the keys of ${count * nodesPerHost} nodes`,
    );
    const opened = await Promise.all(this.#hosts.map((host) => host.open()));
    const entries = opened.flatMap((host) => host.entries);

    this.#progress.update(() => `checking the registry's ${counted(entries.length, 'key')} and proofs`);
    const setup = { entries, config: handelConfig(handel, this.#liveNodes) };
    const openings = await Promise.all(
      this.#hosts.map((host, k) => {
        // Each host checks the keys of the next host.
        const first = ((k + 1) % count) * nodesPerHost;
        return host.prepare(setup, first, first + nodesPerHost);
      }),
    );
    const commitments = opened.flatMap((host) => host.commitments);
    const round = new Beacon(entries, commitments, openings.flat()).planOf(this.#plan.round);
    await Promise.all(this.#hosts.map((host) => host.enter(round)));
    return { entries, round };
  }

  /** Starts the nodes, and applies the fault plan from the common start on. */
  async #start(): Promise<void> {
    const originUs = nextStartUs();
    for (const host of this.#hosts) host.start(originUs);
    await new Promise((resolve) => this.#timers.push(setTimeout(resolve, leadMs)));
    const { faults, hosts, seed } = this.#plan;
    this.#network.begin();
    for (const step of outageSteps(faults, hosts, seed))
      this.#timers.push(setTimeout(() => this.#applyStep(step), step.atMs));
  }

  #applyStep(step: OutageStep): void {
    const host = this.#hosts[step.host]!;
    if (!step.isOver) this.#outages.add(countedAs[step.outage]);
    applyStep(step, {
      kill: () => void host.kill().catch(this.#fail),
      restart: () => void host.restart().catch(this.#fail),
      pause: () => host.pause(),
      resume: () => host.resume(),
      setDown: (isDown) => this.#network.router.setDown(step.host, isDown),
    });
  }

  /** Cancels the remaining steps of the plan, and resumes stopped processes so that they can report. */
  #cancelPlan(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const host of this.#live) host.resume();
  }

  #onProgress(): void {
    this.#progress.update(() => aggregating(this.#reported(), this.#liveNodes));
    if (this.#live.every((host) => host.reached)) this.#allReached.resolve();
  }

  #reported(): ReportedProgress {
    return this.#live.map((host) => host.progress);
  }

  #carrierSeconds(): number {
    return [process.pid, ...this.#network.carriers].reduce((sum, pid) => sum + processorSeconds(pid), 0);
  }

  #counts(): Record<string, number> {
    const counts = new Counts();
    const { links, hosts } = this.#network.dropped;
    counts.addAll(this.#outages.toRecord());
    counts.addAll(this.#network.router.counts.toRecord());
    if (links > 0) counts.add('dropped-by-links', links);
    if (hosts > 0) counts.add('dropped-by-hosts', hosts);
    return counts.toRecord();
  }
}
