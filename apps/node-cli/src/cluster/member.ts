/**
 * A process of a cluster: hosts some of its nodes, and does what its parent says. It lives no longer than its parent.
 */
import {
  type Clock,
  checkEntry,
  type Host,
  monotonicClock,
  monotonicNs,
  nodeCrypto,
  openUdp,
  type SignedOutput,
} from '@tutti/transports';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { registryEntry, rehearsalSecrets } from '../nodeKeys.ts';
import type { FromMember, ToMember } from './messages.ts';
import { hostNodes, type OpenNode } from './nodes.ts';

const PROGRESS_INTERVAL_MS = 100;

/** A datagram burst of all neighbours at once must fit; a node alone sends tens. */
const QUEUE_BOUND = 1024;

class Member {
  #bls: Bls | undefined;
  #nodes: OpenNode[] = [];
  #hosts: Host[] = [];
  #clock: Clock = monotonicClock(monotonicNs());
  #progress: NodeJS.Timeout | undefined;
  #cpuAtStart: NodeJS.CpuUsage = process.cpuUsage();
  #reached = 0;

  async onMessage(message: ToMember): Promise<void> {
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'prepare':
        return this.#prepare(message);
      case 'start':
        return this.#start(message.originNs);
      case 'stop':
        return this.#stop();
    }
  }

  async #open({ first, end, seed, kernel, host, firstPort }: Extract<ToMember, { type: 'open' }>): Promise<void> {
    const bls = await loadBls({ kernel });
    this.#bls = bls;
    const entries = [];
    for (let index = first; index < end; index++) {
      const secrets = rehearsalSecrets(bls, seed, index);
      const port = firstPort === 0 ? 0 : firstPort + index - first;
      const transport = await openUdp({ host, port, queueBound: QUEUE_BOUND });
      this.#nodes.push({ index, secrets, transport });
      entries.push(registryEntry(bls, secrets, transport.local));
    }
    tell({ type: 'opened', entries });
  }

  async #prepare({ round, checkFirst, checkEnd }: Extract<ToMember, { type: 'prepare' }>): Promise<void> {
    for (let index = checkFirst; index < checkEnd; index++)
      checkEntry(nodeCrypto, round.entries[index]!, index, this.#bls!);
    const clock = { nowUs: () => this.#clock.nowUs() };
    this.#hosts = hostNodes(this.#bls!, this.#nodes, round, clock, () => this.#onOutput(), fail);
    tell({ type: 'prepared' });
  }

  async #start(originNs: bigint): Promise<void> {
    this.#clock = monotonicClock(originNs);
    while (this.#clock.nowUs() < 0)
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(-this.#clock.nowUs() / 1000)));
    this.#cpuAtStart = process.cpuUsage();
    this.#progress = setInterval(() => this.#tellProgress(), PROGRESS_INTERVAL_MS);
    for (const host of this.#hosts) host.start();
  }

  async #stop(): Promise<void> {
    clearInterval(this.#progress);
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    const heaviest = this.#hosts
      .map((host) => host.output())
      .reduce<SignedOutput | undefined>(
        (best, one) => ((one?.weight ?? 0) > (best?.weight ?? 0) ? one : best),
        undefined,
      );
    const reports = this.#hosts.map((host) => host.report());
    await Promise.all(this.#hosts.map((host) => host.close()));
    tell({
      type: 'stopped',
      reports,
      heaviest,
      cpuSeconds: (user + system) / 1e6,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    });
  }

  #onOutput(): void {
    const reached = this.#hosts.reduce((count, host) => count + (host.reached ? 1 : 0), 0);
    const isLast = reached === this.#hosts.length && reached > this.#reached;
    this.#reached = reached;
    if (isLast) this.#tellProgress();
  }

  #tellProgress(): void {
    let messages = 0;
    let checked = 0;
    for (const host of this.#hosts) {
      messages += host.counts.messagesReceived;
      checked += host.counts.checked;
    }
    tell({ type: 'progress', reached: this.#reached, messages, checked });
  }
}

function tell(message: FromMember): void {
  if (process.connected) process.send!(message);
}

function fail(error: Error): void {
  if (!process.connected) process.exit(1);
  const line = process.env.TUTTI_DEBUG ? (error.stack ?? error.message) : error.message;
  process.send!({ type: 'failed', line } satisfies FromMember, () => process.exit(1));
}

const member = new Member();
process.on('message', (message: ToMember) => void member.onMessage(message).catch(fail));
process.on('uncaughtException', fail);
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal; the parent decides what becomes of it.
process.on('SIGINT', () => {});
