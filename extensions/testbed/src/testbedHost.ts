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

/** First UDP port of a host's nodes. All ports are free, because each host has its own ports. */
const firstPort = 7000;

interface TestbedHostOptions {
  readonly host: number;
  readonly network: TestbedNetwork;
  readonly nodesPerHost: number;
  readonly seed: number;
  readonly kernel: ReturnType<typeof kernelName>;
  readonly onProgress: () => void;
  readonly onFailure: (error: Error) => void;
}

/** Public data of a host's nodes. */
type OpenedHost = Pick<Extract<FromMember, { type: 'opened' }>, 'entries' | 'commitments'>;

/**
 * A host of a testbed: the process that runs its nodes, inside its network namespace. The process can be killed, paused
 * and restarted.
 */
export class TestbedHost {
  readonly #options: TestbedHostOptions;
  #member: MemberProcess | undefined;
  #progress: ProcessProgress | undefined;
  /** Setup with which killed nodes are restarted. */
  #setup: ClusterSetup | undefined;
  #round: RoundPlan | undefined;
  #originUs = 0;

  constructor(options: TestbedHostOptions) {
    this.#options = options;
  }

  /** Id of the process that runs the nodes; undefined while there is none. */
  get pid(): number | undefined {
    return this.#member?.pid;
  }

  /** Latest progress of the current process. */
  get progress(): ProcessProgress | undefined {
    return this.#progress;
  }

  /** Whether all nodes have produced an output since they were last killed. */
  get reached(): boolean {
    return this.#progress?.reached === this.#options.nodesPerHost;
  }

  /** Starts the process and opens the sockets of its nodes. */
  async open(): Promise<OpenedHost> {
    const { host, network, nodesPerHost, seed, kernel, onProgress, onFailure } = this.#options;
    const member = new MemberProcess({
      name: `testbed host ${host}`,
      onProgress: (progress) => {
        if (member !== this.#member) return;
        this.#progress = progress;
        onProgress();
      },
      inside: (command) => network.inside(host, command),
    });
    this.#member = member;
    member.failure.catch(onFailure);
    // This process, which simulates the network, has priority over the hosts. A child process inherits that priority,
    // so it is reset here.
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
        firstPort,
      },
      'opened',
    );
  }

  /**
   * Sends the registry to the nodes. The host checks the entries [verifyFirst, verifyEnd) of the registry.
   *
   * @returns the openings of the nodes' commitments to the beacon.
   */
  async prepare(setup: ClusterSetup, verifyFirst: number, verifyEnd: number): Promise<readonly Uint8Array[]> {
    this.#setup = setup;
    const { openings } = await this.#member!.ask({ type: 'prepare', setup, verifyFirst, verifyEnd }, 'prepared');
    return openings;
  }

  /** Sends the plan of the round to the nodes. */
  async enter(round: RoundPlan): Promise<void> {
    this.#round = round;
    await this.#member!.ask({ type: 'enter', plan: round }, 'entered');
  }

  /** Starts the nodes. @param originUs time of the common start by `machineClock`, µs. */
  start(originUs: number): void {
    this.#originUs = originUs;
    this.#member!.send({ type: 'start', originUs });
  }

  /** Kills the process immediately; the state of its nodes is lost. */
  async kill(): Promise<void> {
    const member = this.#member;
    this.#member = undefined;
    this.#progress = undefined;
    await member?.kill();
  }

  /**
   * Starts new nodes in place of killed nodes, with the same keys, addresses and start of the round, but no other
   * state.
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

  /** Returns the report of the round; undefined if there is no process. */
  report(): Promise<MemberReport> | undefined {
    return this.#member?.ask({ type: 'report' }, 'reported');
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#member?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }
}
