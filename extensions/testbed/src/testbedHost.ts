import { setPriority } from 'node:os';
import {
  type ClusterSetup,
  type FromMember,
  MemberProcess,
  type MemberReport,
  type ProcessProgress,
} from '@tutti/node-cli/clusters';
import type { kernelName } from '@tutti/node-cli/command';
import type { RoundPlan } from '@tutti/transports';
import type { TestbedNetwork } from './testbedNetwork.ts';

/** Any: a host has its ports to itself. */
const firstPort = 7000;

export interface TestbedHostOptions {
  readonly host: number;
  readonly network: TestbedNetwork;
  readonly nodesPerHost: number;
  readonly seed: number;
  readonly kernel: ReturnType<typeof kernelName>;
  readonly onProgress: () => void;
  readonly onFailure: (error: Error) => void;
}

/** What a host's nodes are known by. */
type OpenedHost = Pick<Extract<FromMember, { type: 'opened' }>, 'entries' | 'commitments'>;

/** A host of a testbed: the process of its nodes, in its namespace, which can be killed, paused and restarted. */
export class TestbedHost {
  readonly #options: TestbedHostOptions;
  #member: MemberProcess | undefined;
  #progress: ProcessProgress | undefined;
  /** What the nodes need in order to restart. */
  #setup: ClusterSetup | undefined;
  #round: RoundPlan | undefined;
  #originUs = 0;

  constructor(options: TestbedHostOptions) {
    this.#options = options;
  }

  /** The process of its nodes; undefined while it has none. */
  get pid(): number | undefined {
    return this.#member?.pid;
  }

  /** The latest word of the process that its nodes are in now. */
  get progress(): ProcessProgress | undefined {
    return this.#progress;
  }

  /** Whether all its nodes gave an output, as far as they have not been killed since. */
  get reached(): boolean {
    return this.#progress?.reached === this.#options.nodesPerHost;
  }

  /** Starts the process and opens the sockets of its nodes. */
  async open(): Promise<OpenedHost> {
    const { host, network, nodesPerHost, seed, kernel, onProgress, onFailure } = this.#options;
    const member = new MemberProcess(
      `testbed host ${host}`,
      (progress) => {
        if (member !== this.#member) return;
        this.#progress = progress;
        onProgress();
      },
      (command) => network.inside(host, command),
    );
    this.#member = member;
    member.failure.catch(onFailure);
    // This process, which is the network, goes before the hosts; they inherited that.
    if (member.pid !== undefined) setPriority(member.pid, 0);
    const first = host * nodesPerHost;
    return member.ask(
      {
        type: 'open',
        first,
        end: first + nodesPerHost,
        seed,
        kernel,
        host: network.addresses[host]!,
        firstPort: firstPort,
      },
      'opened',
    );
  }

  /**
   * Gives the nodes the registry, whose part [verifyFirst, verifyEnd) the host checks.
   *
   * @returns what they open their commitments to the beacon with.
   */
  async prepare(setup: ClusterSetup, verifyFirst: number, verifyEnd: number): Promise<readonly Uint8Array[]> {
    this.#setup = setup;
    const { openings } = await this.#member!.ask({ type: 'prepare', setup, verifyFirst, verifyEnd }, 'prepared');
    return openings;
  }

  /** Tells the nodes of the round. */
  async enter(round: RoundPlan): Promise<void> {
    this.#round = round;
    await this.#member!.ask({ type: 'enter', plan: round }, 'entered');
  }

  /** @param originUs the common start, by `machineClock`. */
  start(originUs: number): void {
    this.#originUs = originUs;
    this.#member!.send({ type: 'start', originUs });
  }

  /** Ends the process at once, and all that its nodes knew. */
  async kill(): Promise<void> {
    const member = this.#member;
    this.#member = undefined;
    this.#progress = undefined;
    await member?.kill();
  }

  /**
   * Starts new nodes in place of killed ones, with the same keys, addresses and start of the round, and nothing else.
   */
  async restart(): Promise<void> {
    await this.open();
    await this.prepare(this.#setup!, 0, 0);
    await this.enter(this.#round!);
    this.start(this.#originUs);
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** How the round went; undefined where there is no process to say. */
  report(): Promise<MemberReport> | undefined {
    return this.#member?.ask({ type: 'report' }, 'reported');
  }

  close(): Promise<void> {
    return this.kill();
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#member?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }
}
