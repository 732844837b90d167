import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Fault } from '@tutti/simulation';
import { monotonicClock, monotonicNs } from '@tutti/transports/node';
import type { Latency } from './latency.ts';
import { NetworkNamespace } from './networkNamespace.ts';
import { Router } from './router.ts';
import { TunLink } from './tunLink.ts';

/** Address range reserved for network tests (RFC 2544), so that misdirected packets reach no machine. */
const subnetPrefix = '198.18.0';
const prefixBits = 15;

/** Maximum number of hosts, limited by the values of an address's last byte. */
export const maxHosts = 254;

interface TestbedNetworkOptions {
  readonly hosts: number;
  readonly latency: Latency;
  readonly rateMbit: number;
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** Called when a link fails. */
  readonly onFailure: (error: Error) => void;
}

/** Network namespace of a host, and the link that connects it to the router. */
interface LinkedHost {
  readonly namespace: NetworkNamespace;
  readonly link: TunLink;
}

/** Hosts in separate network namespaces, each with its own address, and the router that connects their links. */
export class TestbedNetwork {
  readonly router: Router;
  /** IPv4 address of each host. */
  readonly addresses: readonly string[];
  readonly #clock = monotonicClock(monotonicNs());
  readonly #hosts: LinkedHost[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor({ hosts, latency, rateMbit, faults, seed }: TestbedNetworkOptions) {
    this.addresses = Array.from({ length: hosts }, (_, host) => `${subnetPrefix}.${host + 1}`);
    this.router = new Router({ addresses: this.addresses, latency, rateMbit, faults, seed });
  }

  /** Opens a network. @throws EnvironmentError `tool-failed` after closing everything that was opened. */
  static async open(options: TestbedNetworkOptions): Promise<TestbedNetwork> {
    const network = new TestbedNetwork(options);
    try {
      for (const address of network.addresses) await network.#addHost(address, options.onFailure);
    } catch (error) {
      await network.close();
      throw error;
    }
    return network;
  }

  /** Returns the command line that runs a command on a host. */
  inside(host: number, command: readonly string[]): readonly string[] {
    return this.#hosts[host]!.namespace.inside(command);
  }

  /** Number of packets that this machine has lost unintentionally so far: on the links, and at the hosts' sockets. */
  get dropped(): { readonly links: number; readonly hosts: number } {
    const ports = new Set(this.#hosts.flatMap(({ link }) => link.ports));
    const atHosts = this.#hosts.map(({ namespace }) => droppedAtSockets(namespace.pid));
    return { links: droppedAtSockets('self', ports), hosts: atHosts.reduce((sum, drops) => sum + drops, 0) };
  }

  /** Ids of the processes that carry packets, except for this process. */
  get carriers(): readonly number[] {
    return this.#hosts.map(({ link }) => link.pid);
  }

  /**
   * Gives this process and the other processes that carry packets priority over the hosts. Without this priority,
   * signature checks would delay packets and affect the latency.
   */
  raisePriority(): void {
    for (const pid of [0, ...this.carriers]) setPriority(pid, constants.priority.PRIORITY_HIGH);
  }

  /** Sets the origin of the plan's times to the present time. */
  begin(): void {
    this.router.begin(this.#clock.nowUs());
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(
      this.#hosts.map(async ({ link, namespace }) => {
        await link.close();
        await namespace.close();
      }),
    );
  }

  /** Opens a host with this address, and connects its link to the router. */
  async #addHost(address: string, onFailure: (error: Error) => void): Promise<void> {
    const namespace = await NetworkNamespace.open();
    let link: TunLink;
    try {
      link = await TunLink.open(namespace, `${address}/${prefixBits}`);
    } catch (error) {
      await namespace.close();
      throw error;
    }
    const host = this.#hosts.push({ namespace, link }) - 1;
    link.onFailure(onFailure);
    link.onPacket((packet) => {
      this.router.onPacket(this.#clock.nowUs(), host, packet);
      this.#deliver();
    });
  }

  /** Delivers the packets that have arrived, and schedules the next delivery for the next arrival. */
  #deliver(): void {
    clearTimeout(this.#timer);
    const nowUs = this.#clock.nowUs();
    for (let due = this.router.takeDue(nowUs); due !== undefined; due = this.router.takeDue(nowUs))
      this.#hosts[due.to]!.link.send(due.packet);
    const { nextDueUs } = this.router;
    if (nextDueUs === undefined) return;
    this.#timer = setTimeout(() => this.#deliver(), Math.ceil((nextDueUs - nowUs) / 1000));
  }
}

/**
 * Returns the number of datagrams that the system has dropped so far at IPv4 UDP sockets, because they were not read in
 * time.
 *
 * @param pid id of a process in the network namespace that contains the sockets.
 * @param ports ports of the sockets that count. Default: all ports.
 */
function droppedAtSockets(pid: number | 'self', ports?: ReadonlySet<number>): number {
  return droppedIn(readFileSync(`/proc/${pid}/net/udp`, 'utf8'), ports);
}

/**
 * Returns the sum of the drops in a socket table. @param table content of Linux's `net/udp`: one socket per line below
 * a header, with the socket's address in the second column and its drops in the last column.
 */
export function droppedIn(table: string, ports?: ReadonlySet<number>): number {
  return table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address]) => ports === undefined || ports.has(Number.parseInt(address!.split(':')[1]!, 16)))
    .reduce((sum, fields) => sum + Number(fields.at(-1)), 0);
}
