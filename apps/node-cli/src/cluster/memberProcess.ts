import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HandelConfig, RegistryEntry, WireForm } from '@tutti/core';
import { WorldError } from '@tutti/core/input';
import type { Impairment, RoundPlan, RoundReport } from '@tutti/transports';
import type { Engine, Variant } from '@tutti/wasm-bls';
import type { ClusterCast } from './cast.ts';
import type { ClusterProtocolName } from './protocols.ts';

/** Settings that all nodes of a cluster share before its rounds. */
export interface ClusterSetup {
  readonly entries: readonly RegistryEntry[];
  readonly config: HandelConfig;
  /** Form of signatures on the wire. Default: compressed. */
  readonly points?: WireForm | undefined;
  /** Region of each entry, see `regionsOfEntries`. Default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** Intentional impairment of the sent packets. Default: none. */
  readonly impairment?: Impairment | undefined;
  /** Protocol of all rounds. Default: Handel. */
  readonly protocol?: ClusterProtocolName | undefined;
  /** Slow, dead and Byzantine entries. Default: none. */
  readonly cast?: ClusterCast | undefined;
}

/**
 * Messages from the process that runs the cluster to one that hosts some of its nodes, the registry entries [first,
 * end).
 */
export type ToMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      /** URL of a `SignersModule`. Default: BLS. */
      readonly signers?: string | undefined;
      /** Variant of BLS. */
      readonly variant?: Variant;
      /** Address on which the nodes listen. */
      readonly host: string;
      /** Port of the first node; the other nodes use the following ports. With 0, any free ports. */
      readonly firstPort: number;
    }
  /**
   * Verifies the entries [verifyFirst, verifyEnd) of the registry, and opens the nodes. All processes together verify
   * all entries.
   */
  | { readonly type: 'prepare'; readonly setup: ClusterSetup; readonly verifyFirst: number; readonly verifyEnd: number }
  /** Signs a round's message and starts to receive its packets. */
  | { readonly type: 'enter'; readonly plan: RoundPlan }
  /** Starts the round that was entered. `originUs` is the common start, by `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Requests the report of the round. */
  | { readonly type: 'report' }
  /** Requests the present secret key of the first node, as a thief would steal it: an insecure test key. */
  | { readonly type: 'steal' };

/** Results of a process's nodes in a round. */
export interface MemberReport {
  readonly reports: readonly RoundReport[];
  /** Number of rejected packets so far, by code, over all rounds. */
  readonly refused: Readonly<Record<string, number>>;
  /** CPU time between the start of the round and this report, seconds. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

/** Messages from a process that hosts nodes to the process that runs the cluster. */
export type FromMember =
  /** Commitments to the first beacon, in the order of the entries. */
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[]; readonly commitments: readonly Uint8Array[] }
  /** Openings of the commitments, sent once all commitments are fixed. */
  | { readonly type: 'prepared'; readonly openings: readonly Uint8Array[] }
  | { readonly type: 'entered' }
  | {
      readonly type: 'progress';
      readonly round: number;
      /** Number of the process's nodes that gave an output in that round. */
      readonly reached: number;
      /** Number of messages received, in all rounds. */
      readonly messages: number;
      readonly checked: number;
    }
  | ({
      readonly type: 'reported';
      /**
       * Entries that the process's honest nodes blacklisted in any round so far, each with the number of these nodes.
       */
      readonly blacklisted: readonly (readonly [index: number, nodes: number])[];
    } & MemberReport)
  | { readonly type: 'stolen'; readonly secretKey: Uint8Array }
  | { readonly type: 'failed'; readonly line: string };

/** Time after which a process that was asked to end is killed, ms. */
const patienceMs = 1000;

/** A message with its type. */
interface Typed {
  readonly type: string;
}
type ReplyOf<From extends Typed, T extends From['type']> = Extract<From, { type: T }>;
/** Progress that a process of a cluster reports. */
export type ProcessProgress = ReplyOf<FromMember, 'progress'>;

/** Options of a {@link MemberProcess}. */
export interface MemberProcessOptions<Progress> {
  /** Name of the process in errors. */
  readonly name: string;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Converts a command line to one that runs it elsewhere, such as in a network namespace, as the same process. Default:
   * the same command line.
   */
  readonly inside?: (command: readonly string[]) => readonly string[];
  /** Script to run, relative to this file. Default: `./member.js`. */
  readonly script?: string;
}

/** A process of a cluster, seen from its parent. Its script determines the messages between them. */
export class MemberProcess<To extends Typed = ToMember, From extends Typed = FromMember> {
  /** Rejects if the process fails or ends before it is asked to; never resolves. */
  readonly failure: Promise<never>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, (message: From) => void>();
  readonly #exited: Promise<void>;
  #dismissed = false;

  /** Starts the process. */
  constructor({
    name,
    onProgress,
    inside = (command) => command,
    script = './member.js',
  }: MemberProcessOptions<ReplyOf<From, 'progress'>>) {
    const [execPath, ...execArgv] = inside([process.execPath]);
    this.#child = fork(fileURLToPath(new URL(script, import.meta.url)), {
      serialization: 'advanced',
      execPath: execPath!,
      execArgv,
      stdio: ['ignore', 'ignore', process.env.TUTTI_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.failure = new Promise((_, reject) => {
      this.#child.on('message', (message: From & { readonly line?: string }) => {
        if (message.type === 'progress') onProgress(message as ReplyOf<From, 'progress'>);
        else if (message.type === 'failed') reject(new WorldError('process-failed', `${name}: ${message.line}`));
        else this.#waiting.get(message.type)?.(message);
      });
      this.#child.once('error', (cause) =>
        reject(new WorldError('process-failed', `${name}: cannot be started (${cause.message})`, { cause })),
      );
      this.#child.once('exit', (code, signal) => {
        if (this.#dismissed) return;
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        reject(new WorldError('process-died', `${name} ended ${how} before the run was over`));
      });
    });
    // The code that waits for the cluster handles this rejection; no other code needs to.
    this.failure.catch(() => {});
  }

  /** Process id, or undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message. It is lost if the process has ended. */
  send(message: To): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Sends a message and waits for its answer. A process that fails never answers; see `failure`. */
  ask<T extends From['type']>(message: To, reply: T): Promise<ReplyOf<From, T>> {
    const answered = this.answer(reply);
    this.send(message);
    return answered;
  }

  /** Waits for the next message of a type. */
  answer<T extends From['type']>(reply: T): Promise<ReplyOf<From, T>> {
    return new Promise((resolve) => {
      this.#waiting.set(reply, (answer) => resolve(answer as ReplyOf<From, T>));
    });
  }

  /** Kills the process, as a failure of its machine would, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Ends the process in any state, and resolves when it is gone. */
  async dismiss(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
    clearTimeout(kill);
  }
}

/** Sends a message to the process that started this one. */
export function sendToParent<From>(message: From): void {
  if (process.connected) process.send!(message);
}

/** Reports an error to the parent, and ends the process. */
export function fail(error: Error): void {
  if (!process.connected) process.exit(1);
  const line = process.env.TUTTI_DEBUG ? (error.stack ?? error.message) : error.message;
  process.send!({ type: 'failed', line }, () => process.exit(1));
}

/** Handles the parent's messages. The process ends when its parent does. */
export function serveParent<To>(onMessage: (message: To) => Promise<void> | void): void {
  process.on('message', (message: To) => void (async () => onMessage(message))().catch(fail));
  process.on('uncaughtException', fail);
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal, but the parent decides when this process ends.
  process.on('SIGINT', () => {});
}
