import { WorldError } from '@tutti/core/errors';
import { type HornParameters, planSlot, proposerOf, type SlotPlan } from '@tutti/core/horn';
import type { RegistryEntry, RegistryTransport } from '@tutti/core/registry';
import type { HornBlock } from '@tutti/transports/horn';
import type { Impairment } from '@tutti/transports/raw';
import type { Engine } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { counted } from '../numbers.ts';
import { Progress } from '../output/progress.ts';
import { awsRegions } from './distances.ts';
import type { FromHornMember, HornCast, HornMemberReport, ToHornMember } from './hornMessages.ts';
import { MemberProcess } from './memberProcess.ts';
import { nextStartUs } from './plannedRounds.ts';
import { slices } from './runCluster.ts';
import { type Run, untilEnded } from './untilEnded.ts';

export interface HornClusterPlan {
  readonly parameters: HornParameters;
  readonly nodes: number;
  readonly degree: number;
  readonly cast: HornCast;
  readonly processes: number;
  readonly kernel: Engine;
  readonly transport: RegistryTransport;
  readonly message: Uint8Array;
  /** Of keys, committees, duties, meshes and the proposer. */
  readonly seed: number;
  readonly emulate: 'aws' | 'none';
  readonly impairment?: Impairment | undefined;
  /** For all of it. */
  readonly timeoutMs: number;
}

export interface HornClusterOutcome {
  /** One per validator. */
  readonly entries: readonly RegistryEntry[];
  readonly plan: SlotPlan;
  /** The node that made the block, an honest one. */
  readonly proposer: number;
  readonly block: HornBlock;
  readonly members: readonly HornMemberReport[];
}

/** The node of each validator: as many validators on each node, give or take one. */
export function nodeOfValidators(validators: number, nodes: number): Int32Array {
  return Int32Array.from({ length: validators }, (_, validator) => Math.floor((validator * nodes) / validators));
}

/**
 * Runs one slot of Horn with real nodes. Its processes are gone when this returns or throws.
 *
 * @throws WorldError when a process fails or the time is up; Interrupted on Ctrl-C.
 */
export function runHornCluster(plan: HornClusterPlan, context: Context): Promise<HornClusterOutcome> {
  return untilEnded((fail) => new HornRun(plan, context, fail), plan.timeoutMs, context.signal);
}

type Progressed = Extract<FromHornMember, { type: 'progress' }>;

class HornRun implements Run<HornClusterOutcome> {
  readonly #plan: HornClusterPlan;
  readonly #progress: Progress;
  readonly #members: readonly MemberProcess<ToHornMember, FromHornMember>[];
  readonly #latest: (Progressed | undefined)[] = [];

  constructor(plan: HornClusterPlan, context: Context, fail: (error: Error) => void) {
    const { processes } = plan;
    this.#plan = plan;
    this.#progress = new Progress(context);
    this.#members = Array.from({ length: processes }, (_, k) => {
      const onProgress = (told: Progressed): void => this.#onProgress(k, told);
      const name = `process ${k + 1} of ${processes}`;
      const member = new MemberProcess<ToHornMember, FromHornMember>(name, onProgress, undefined, './hornMember.js');
      member.failure.catch(fail);
      return member;
    });
  }

  async outcome(): Promise<HornClusterOutcome> {
    const { parameters, nodes, degree, cast, message, seed, emulate, impairment } = this.#plan;
    const entries = await this.#open();
    const nodeOf = nodeOfValidators(parameters.validators, nodes);
    const plan = planSlot({ parameters, nodeOf, degree, seed });
    this.#progress.update(
      () => `checking the proofs of ${counted(entries.length, 'validator')} and signing their votes`,
    );
    const ended = Promise.all(this.#members.map((member) => member.answer('ended')));
    const regions = emulate === 'aws' ? awsRegions(nodes, seed) : undefined;
    const parts = slices(entries.length, this.#members.length);
    await this.#ask('prepared', (k) => {
      // Each checks what another process made.
      const { first: verifyFirst, end: verifyEnd } = parts[(k + 1) % parts.length]!;
      const setup = { entries, parameters, degree, message, seed, cast, regions, impairment };
      return { type: 'prepare', setup, verifyFirst, verifyEnd };
    });
    const originUs = nextStartUs();
    for (const member of this.#members) member.send({ type: 'start', originUs });
    await ended;
    const proposer = plan.nodeAt[proposerOf(plan, (node) => node < cast.honest)]!;
    const members = await this.#ask('reported', () => ({ type: 'report', proposer }));
    const block = members.map((member) => member.block).find((one) => one !== undefined)!;
    return { entries, plan, proposer, block, members };
  }

  timeout(): WorldError {
    return new WorldError(
      'timeout',
      `the slot did not end within the ${this.#plan.timeoutMs / 1000} s of --timeout; give it more, or a shorter slot`,
    );
  }

  async close(): Promise<void> {
    this.#progress.done();
    await Promise.all(this.#members.map((member) => member.dismiss()));
  }

  /** Has the processes open sockets and make keys. */
  async #open(): Promise<readonly RegistryEntry[]> {
    const { parameters, nodes, seed, kernel, transport } = this.#plan;
    const { validators } = parameters;
    this.#progress.update(() => `opening ${counted(nodes, 'socket')} and making ${counted(validators, 'key')}`);
    const hosted: number[][] = Array.from({ length: nodes }, () => []);
    for (const [validator, node] of nodeOfValidators(validators, nodes).entries()) hosted[node]!.push(validator);
    const parts = slices(nodes, this.#members.length);
    const opened = await this.#ask('opened', (k) => {
      const { first, end } = parts[k]!;
      return { type: 'open', first, end, seed, kernel, transport, validators: hosted.slice(first, end) };
    });
    return opened.flatMap(({ entries }) => entries);
  }

  #ask<T extends FromHornMember['type']>(reply: T, message: (k: number) => ToHornMember) {
    return Promise.all(this.#members.map((member, k) => member.ask(message(k), reply)));
  }

  #onProgress(k: number, told: Progressed): void {
    this.#latest[k] = told;
    const sum = (field: 'checked' | 'messages') => this.#latest.reduce((all, one) => all + (one?.[field] ?? 0), 0);
    this.#progress.update(() => `voting: ${counted(sum('messages'), 'message')}, ${counted(sum('checked'), 'check')}`);
  }
}
