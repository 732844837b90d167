import type { RegistryEntry, RegistryTransport } from '@tutti/core';
import { type HornParameters, planSlot, proposerOf, type SlotPlan } from '@tutti/core/horn';
import { EnvironmentError } from '@tutti/core/input';
import type { Impairment } from '@tutti/transports';
import type { HornBlock, HornSlotOptions } from '@tutti/transports/rooms';
import type { Engine } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { type ClusterCast, regionsOfEntries } from './cast.ts';
import type { FromHornMember, HornMemberReport, HornSetup, ToHornMember } from './hornMember.ts';
import { MemberProcesses } from './memberProcess.ts';
import { nextStartUs } from './plannedRounds.ts';
import { slices } from './runCluster.ts';
import { type Run, untilEnded } from './untilEnded.ts';

/** Plan for the slots of a cluster. */
export interface HornClusterPlan {
  readonly parameters: HornParameters;
  /** If true, {@link fittingSlot} determines the length of the slot. */
  readonly fitsSlot: boolean;
  readonly nodes: number;
  readonly degree: number;
  readonly cast: ClusterCast;
  readonly processes: number;
  readonly kernel: Engine;
  readonly transport: RegistryTransport;
  /** Message of each slot. The first message is that of slot 1. */
  readonly messages: readonly Uint8Array[];
  /**
   * Seed of the keys and of the first slot. The seed increases by one from each slot to the next. The seed of a slot
   * determines the slot's committees, duties and meshes.
   */
  readonly seed: number;
  readonly emulate: 'aws' | 'none';
  readonly impairment?: Impairment | undefined;
  /** Time limit of the whole run, ms. */
  readonly timeoutMs: number;
}

/** Result returned by {@link runHornCluster}. */
export interface HornClusterOutcome {
  /** Registry entries, one for each validator. */
  readonly entries: readonly RegistryEntry[];
  /** Results of the slots, in the same order as the plan's messages. */
  readonly slots: readonly HornSlotOutcome[];
}

/** Result of one slot. */
export interface HornSlotOutcome {
  readonly message: Uint8Array;
  readonly plan: SlotPlan;
  /** Number of the honest node that built the block. */
  readonly proposer: number;
  readonly block: HornBlock;
  readonly members: readonly HornMemberReport[];
}

/** Minimum length of a round, seconds, as in the Horn post. */
const minRoundSeconds = 4;

/** Maximum length of a round, seconds. */
const maxRoundSeconds = 20;

/**
 * Ratio of the length of a round to the time for checking the validators' proofs. On a few cores, the verification of
 * the votes of 64 nodes takes about as long as these checks.
 */
const roundPerCheckTime = 1.5;

/** Returns the maximum length of a slot from {@link fittingSlot}, with Horn's added round, seconds. */
export const maxFittingSeconds = ({ rounds }: HornParameters): number => (rounds + 1) * maxRoundSeconds;

/**
 * Returns the parameters with a slot of equal rounds, each long enough for this machine to keep up unless that would
 * exceed the maximum length of a round.
 *
 * @param checkSeconds time for checking the validators' proofs, seconds.
 */
function fittingSlot(parameters: HornParameters, checkSeconds: number): HornParameters {
  const needed = Math.ceil(roundPerCheckTime * checkSeconds);
  const roundSeconds = Math.min(maxRoundSeconds, Math.max(minRoundSeconds, needed));
  return { ...parameters, slotSeconds: parameters.rounds * roundSeconds, addedSeconds: roundSeconds };
}

/** Returns the hosting node of each validator. The numbers of validators on any two nodes differ by at most one. */
function nodeOfValidators(validators: number, nodes: number): Int32Array {
  return Int32Array.from({ length: validators }, (_, validator) => Math.floor((validator * nodes) / validators));
}

/**
 * Runs Horn slots with real nodes, one slot after another. All processes have ended when the promise settles.
 *
 * @throws EnvironmentError if a process fails or the run exceeds its time limit; Interrupted on Ctrl-C.
 */
export function runHornCluster(plan: HornClusterPlan, context: Context): Promise<HornClusterOutcome> {
  return untilEnded((fail) => new HornRun(plan, context, fail), plan.timeoutMs, context.signal);
}

type Progressed = Extract<FromHornMember, { type: 'progress' }>;

class HornRun implements Run<HornClusterOutcome> {
  readonly #plan: HornClusterPlan;
  readonly #progress: Progress;
  readonly #members: MemberProcesses<ToHornMember, FromHornMember>;
  readonly #latest: (Progressed | undefined)[] = [];

  constructor(plan: HornClusterPlan, context: Context, fail: (error: Error) => void) {
    this.#plan = plan;
    this.#progress = new Progress(context);
    this.#members = new MemberProcesses<ToHornMember, FromHornMember>(
      plan.processes,
      (k, progress) => this.#onProgress(k, progress),
      fail,
      './hornMember.js',
    );
  }

  async outcome(): Promise<HornClusterOutcome> {
    const { nodes, degree, cast, seed, messages, emulate, impairment } = this.#plan;
    const entries = await this.#open();
    const parameters = await this.#checked(entries);
    const regions = emulate === 'aws' ? regionsOfEntries(nodes, seed) : undefined;
    const setup = { entries, parameters, degree, cast, regions, impairment };
    const slots: HornSlotOutcome[] = [];
    for (const [index, message] of messages.entries()) {
      const slot = { number: index + 1, message, seed: (seed + index) % 2 ** 32 };
      slots.push(await this.#run(parameters, slot, index === 0 ? setup : undefined));
    }
    return { entries, slots };
  }

  async #run(
    parameters: HornParameters,
    slot: HornSlotOptions,
    setup: HornSetup | undefined,
  ): Promise<HornSlotOutcome> {
    const { nodes, degree, cast } = this.#plan;
    const { message, seed } = slot;
    const nodeOf = nodeOfValidators(parameters.validators, nodes);
    const plan = planSlot({ parameters, nodeOf, degree, seed });
    const ended = Promise.all(this.#members.all.map((member) => member.answer('ended')));
    this.#progress.update(() => `signing ${counted(parameters.validators, 'vote')}`);
    await this.#members.ask('prepared', () => ({ type: 'prepare', setup, slot }));
    const originUs = nextStartUs();
    this.#members.send({ type: 'start', originUs });
    await ended;
    const proposer = plan.nodeAt[proposerOf(plan, (node) => node < cast.honest)]!;
    const members = await this.#members.ask('reported', () => ({ type: 'report', proposer }));
    const block = members.map((member) => member.block).find((one) => one !== undefined)!;
    return { message, plan, proposer, block, members };
  }

  /**
   * Lets the processes check each other's proofs.
   *
   * @returns the parameters of the slot. If no length of the slot was given, the time of the checks determines it.
   */
  async #checked(entries: readonly RegistryEntry[]): Promise<HornParameters> {
    const { parameters, fitsSlot } = this.#plan;
    const parts = slices(entries.length, this.#members.all.length);
    this.#progress.update(() => `checking the proofs of ${counted(entries.length, 'validator')}`);
    const startedMs = performance.now();
    await this.#members.ask('checked', (k) => ({ type: 'check', entries, ...parts[(k + 1) % parts.length]! }));
    return fitsSlot ? fittingSlot(parameters, (performance.now() - startedMs) / 1000) : parameters;
  }

  timeout(): EnvironmentError {
    return new EnvironmentError(
      'timeout',
      `the slots did not end within ${this.#plan.timeoutMs / 1000} s (the total length of the slots plus --timeout); increase --timeout`,
    );
  }

  async close(): Promise<void> {
    this.#progress.done();
    await this.#members.dismiss();
  }

  /** Lets the processes open sockets and create keys. */
  async #open(): Promise<readonly RegistryEntry[]> {
    const { parameters, nodes, seed, kernel, transport } = this.#plan;
    const { validators } = parameters;
    this.#progress.update(() => `opening ${counted(nodes, 'socket')} and making ${counted(validators, 'key')}`);
    const hosted: number[][] = Array.from({ length: nodes }, () => []);
    for (const [validator, node] of nodeOfValidators(validators, nodes).entries()) hosted[node]!.push(validator);
    const parts = slices(nodes, this.#members.all.length);
    const opened = await this.#members.ask('opened', (k) => {
      const { first, end } = parts[k]!;
      return { type: 'open', first, end, seed, kernel, transport, validators: hosted.slice(first, end) };
    });
    return opened.flatMap(({ entries }) => entries);
  }

  #onProgress(k: number, progress: Progressed): void {
    this.#latest[k] = progress;
    const sum = (field: 'checked' | 'messages') => this.#latest.reduce((all, one) => all + (one?.[field] ?? 0), 0);
    this.#progress.update(() => `voting: ${counted(sum('messages'), 'message')}, ${counted(sum('checked'), 'check')}`);
  }
}
