import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, type HandelConfig, type RegistryEntry, registryDigest, type WireForm } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { type Impairment, type RoundPlan, roundSession } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import type { Engine, Variant } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { type ClusterCast, regionsOfEntries } from './cast.ts';
import { MemberProcesses, type ProcessProgress } from './memberProcess.ts';
import { Beacon, nextStartUs, type PlannedRound } from './plannedRounds.ts';
import type { ClusterProtocolName } from './protocols.ts';
import {
  blacklistedBy,
  type ClusterOutcome,
  type Reported,
  type RoundOutcome,
  refusedBy,
  roundOutcome,
} from './roundOutcome.ts';
import { type Run, signalled, untilEnded } from './untilEnded.ts';

/** Plan of {@link runCluster}. */
export interface ClusterPlan {
  readonly nodes: number;
  /**
   * Number of processes that host honest nodes. One additional process hosts the Byzantine and the dead nodes, because
   * the nodes of an attack share state.
   */
  readonly processes: number;
  readonly kernel: Engine;
  /** URL of a `SignersModule`. Default: BLS. */
  readonly signers?: string | undefined;
  /** True to request the secret key of the first node after the last round. Default: false. */
  readonly stealsKey?: boolean;
  /** Variant of BLS for the signatures. */
  readonly variant: Variant;
  /** Seed of the keys and, with `emulate`, of the regions. */
  readonly seed: number;
  /** Rounds to run: at least one, each with a different number. */
  readonly rounds: readonly PlannedRound[];
  readonly config: HandelConfig;
  /** Form of signatures on the wire. Default: compressed. */
  readonly points?: WireForm;
  readonly emulate: 'aws' | 'none';
  readonly impairment?: Impairment | undefined;
  readonly protocol: ClusterProtocolName;
  readonly cast: ClusterCast;
  /** Time limit of the whole run, ms. */
  readonly timeoutMs: number;
  /**
   * Time limit of each round, ms. When the limit is reached, the round ends if at least one node has reached the
   * threshold; otherwise, the run fails. Default: a round ends when all honest nodes have reached the threshold.
   */
  readonly patienceMs?: number;
  /** Function called immediately before the start of the first round. */
  readonly onReady: (ready: ReadyCluster) => void;
}

/** A cluster whose nodes are listening but have not started a round. */
export interface ReadyCluster {
  /** Address of each registry entry. */
  readonly endpoints: readonly Endpoint[];
  /** Session of the channels in the first round. */
  readonly session: Uint8Array;
  /** Ids of the processes that host the nodes. */
  readonly processes: readonly number[];
}

/**
 * Runs the rounds of a cluster one after another, each until every honest node has reached the threshold or the time
 * limit of the round has passed. All processes have ended when the promise settles.
 *
 * @throws EnvironmentError if a process fails or the run exceeds its time limit; Interrupted on Ctrl-C.
 */
export function runCluster(plan: ClusterPlan, context: Context): Promise<ClusterOutcome> {
  return untilEnded((fail) => new ClusterRun(plan, context, fail), plan.timeoutMs, context.signal);
}

/** Returns the data of a cluster that are known before its first round begins. */
export function readyCluster(
  entries: readonly RegistryEntry[],
  first: RoundPlan,
  processes: readonly number[],
): ReadyCluster {
  return {
    endpoints: entries.map(({ endpoint }) => endpoint),
    session: roundSession(nodeCrypto, registryDigest(nodeCrypto, { entries }), first),
    processes,
  };
}

class ClusterRun implements Run<ClusterOutcome> {
  readonly #plan: ClusterPlan;
  readonly #progress: Progress;
  /** Registry entries of each process; the processes with honest nodes come first. */
  readonly #parts: { first: number; end: number }[];
  readonly #members: MemberProcesses;
  readonly #latest: (ProcessProgress | undefined)[] = [];
  #round: PlannedRound;
  #allReached = signalled();

  constructor(plan: ClusterPlan, context: Context, fail: (error: Error) => void) {
    const { nodes, processes, rounds, cast } = plan;
    this.#plan = plan;
    this.#progress = new Progress(context);
    this.#round = rounds[0]!;
    this.#parts = slices(cast.honest, processes);
    if (cast.honest < nodes) this.#parts.push({ first: cast.honest, end: nodes });
    this.#members = new MemberProcesses(this.#parts.length, (k, progress) => this.#onProgress(k, progress), fail);
  }

  async outcome(): Promise<ClusterOutcome> {
    const { rounds, processes, stealsKey, onReady } = this.#plan;
    const pids = this.#members.all.map((member) => member.pid!);
    const { entries, beacon } = await this.#prepare();
    const outcomes: RoundOutcome[] = [];
    let members: readonly Reported[] = [];
    for (const round of rounds) {
      const plan = beacon.planOf(round);
      await this.#enter(plan);
      if (round === rounds[0]) onReady(readyCluster(entries, plan, pids));
      members = (await this.#run()).slice(0, processes);
      const outcome = roundOutcome(plan, members);
      beacon.next(plan, outcome.output);
      outcomes.push(outcome);
    }
    return {
      entries,
      rounds: outcomes,
      refused: refusedBy(members),
      blacklisted: blacklistedBy(members),
      ...(stealsKey && { stolenKey: (await this.#members.all[0]!.ask({ type: 'steal' }, 'stolen')).secretKey }),
    };
  }

  timeout(limitMs = this.#plan.timeoutMs): EnvironmentError {
    return timeIsUp(this.#reported(), this.#plan.cast.honest, limitMs, this.#which());
  }

  async close(): Promise<void> {
    this.#progress.done();
    await this.#members.dismiss();
  }

  /** Lets the processes create keys and sockets, and verify each other's keys. */
  async #prepare(): Promise<{ entries: readonly RegistryEntry[]; beacon: Beacon }> {
    const { nodes, seed, kernel, signers, variant, emulate, config, points, impairment, protocol, cast } = this.#plan;
    const parts = this.#parts;
    this.#progress.update(() => `opening sockets and making the keys of ${counted(nodes, 'node')}`);
    const opened = await this.#members.ask('opened', (k) => ({
      type: 'open',
      ...parts[k]!,
      seed,
      kernel,
      signers,
      variant,
      host: '127.0.0.1',
      firstPort: 0,
    }));
    const entries = opened.flatMap((reply) => reply.entries);

    this.#progress.update(() => `checking the registry's ${counted(nodes, 'key')} and proofs`);
    const regions = emulate === 'aws' ? regionsOfEntries(nodes, seed) : undefined;
    const setup = { entries, config, points, regions, impairment, protocol, cast };
    const prepared = await this.#members.ask('prepared', (k) => {
      // Each process verifies the keys that the next process created.
      const { first: verifyFirst, end: verifyEnd } = parts[(k + 1) % parts.length]!;
      return { type: 'prepare', setup, verifyFirst, verifyEnd };
    });
    const commitments = opened.flatMap((reply) => reply.commitments);
    const openings = prepared.flatMap((reply) => reply.openings);
    return { entries, beacon: new Beacon(entries, commitments, openings) };
  }

  async #enter(plan: RoundPlan): Promise<void> {
    this.#round = plan;
    this.#allReached = signalled();
    await this.#members.ask('entered', () => ({ type: 'enter', plan }));
  }

  /** Runs the current round to its end. */
  async #run(): Promise<readonly Reported[]> {
    const originUs = nextStartUs();
    this.#members.send({ type: 'start', originUs });
    const { patienceMs } = this.#plan;
    const late = patienceMs === undefined ? [] : [sleep(patienceMs, undefined, { ref: false })];
    await Promise.race([this.#allReached.promise, ...late]);
    if (total(this.#reported(), 'reached') === 0) throw this.timeout(patienceMs);
    return this.#members.ask('reported', () => ({ type: 'report' }));
  }

  #onProgress(k: number, progress: ProcessProgress): void {
    this.#latest[k] = progress;
    const { honest } = this.#plan.cast;
    this.#progress.update(() => aggregating(this.#reported(), honest, this.#which()));
    if (total(this.#reported(), 'reached') === honest) this.#allReached.resolve();
  }

  #which(): string {
    const { length } = this.#plan.rounds;
    return length === 1 ? '' : `round ${this.#round.number} of ${length}: `;
  }

  /** Returns the progress of the current round. */
  #reported(): ReportedProgress {
    return this.#latest.map((progress) => (progress?.round === this.#round.number ? progress : undefined));
  }
}

/** Divides [0, count) into the given number of ranges of nearly equal length. */
export function slices(count: number, parts: number): { first: number; end: number }[] {
  return Array.from({ length: parts }, (_, k) => ({
    first: Math.floor((count * k) / parts),
    end: Math.floor((count * (k + 1)) / parts),
  }));
}

/** Report of each process on the current round; undefined for a process that has not reported. */
export type ReportedProgress = readonly (ProcessProgress | undefined)[];

/** Returns the sum of a count over all processes. */
function total(reported: ReportedProgress, field: 'reached' | 'messages' | 'checked'): number {
  return reported.reduce((sum, one) => sum + (one?.[field] ?? 0), 0);
}

/**
 * Describes the progress of a round in one line of text.
 *
 * @param which description of the round, followed by a separator; empty if there is only one round.
 */
export function aggregating(reported: ReportedProgress, nodes: number, which = ''): string {
  return `${which}aggregating: ${total(reported, 'reached')} of ${counted(nodes, 'node')} at the threshold, ${counted(total(reported, 'messages'), 'message')}, ${counted(total(reported, 'checked'), 'check')}`;
}

/**
 * Returns the error for a run or a round that exceeds its time limit. The other parameters are the same as those of
 * `aggregating`.
 *
 * @param timeoutMs time limit, ms.
 */
export function timeIsUp(reported: ReportedProgress, nodes: number, timeoutMs: number, which = ''): EnvironmentError {
  return new EnvironmentError(
    'timeout',
    `${which}${total(reported, 'reached')} of ${counted(nodes, 'node')} reached the threshold within the ${timeoutMs / 1000} s of --timeout; increase --timeout or use fewer nodes`,
  );
}
