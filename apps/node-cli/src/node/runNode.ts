import { isIP } from 'node:net';
import type { ListedEntry, ListedRegistry } from '@tutti/certificates';
import type { Endpoint, HandelConfig } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import {
  type Clock,
  Group,
  Peer,
  type PriorityRows,
  type RoundReport,
  roundMessage,
  roundSeed,
  type Transport,
} from '@tutti/transports';
import { nodeCrypto, openTransport } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { signalled } from '../cluster/untilEnded.ts';
import { UsageError } from '../context.ts';
import type { Unwritten } from '../output/patientOutput.ts';
import type { Bind } from './addressFlags.ts';
import type { Identity } from './identity.ts';
import type { NodeLog, NodeTotals } from './nodeLog.ts';
import { type DueRound, type RefusedCommand, reached } from './roundSource.ts';

interface TransportOptions {
  /** Address to listen on, if it differs from the public address: behind a forwarded port, or with an onion name. */
  readonly bind?: Bind;
  /** Name of the flag that sets `bind`. Default: `--bind`. */
  readonly bindFlag?: string;
  /** SOCKS5 proxy for outgoing TCP connections. */
  readonly proxy?: Endpoint;
}

/**
 * Opens the transport for an entry of the registry.
 *
 * @throws EnvironmentError if the registry mixes transports, or if the address cannot be bound; UsageError if the
 * address to listen on is required but missing, or for a proxy without TCP.
 */
export async function openNodeTransport(
  entries: readonly ListedEntry[],
  index: number,
  { bind, bindFlag = '--bind', proxy }: TransportOptions,
): Promise<Transport> {
  const { transport: kind, endpoint } = entries[index]!;
  const other = entries.findIndex(({ transport }) => transport !== kind);
  if (other !== -1)
    throw new EnvironmentError(
      'mixed-transports',
      `registry entry ${other}: transport: expected ${kind}, as in entry ${index}, got ${entries[other]!.transport}; all nodes of a registry must use the same transport`,
    );
  if (proxy !== undefined && kind !== 'tcp')
    throw new UsageError(`--proxy: expected a registry with transport tcp, got ${kind}`);
  if (bind === undefined && isIP(endpoint.host) === 0)
    throw new UsageError(`${bindFlag}: expected an address to listen on, because ${endpoint.host} is a public name`);
  const at = { host: bind?.host ?? endpoint.host, port: bind?.port ?? endpoint.port };
  if (kind !== 'tcp') return openTransport({ kind, ...at });
  return openTransport({ kind, ...at, publicEndpoint: endpoint, ...(proxy === undefined ? {} : { proxy }) });
}

/** Plan of a {@link RunningNode}. */
export interface NodePlan {
  readonly bls: Bls;
  /** Registry whose entries have been checked. */
  readonly registry: ListedRegistry;
  readonly identity: Identity;
  /** Transport of the node; the node closes it. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly config: HandelConfig;
  /** Text to sign, see `roundMessage`. */
  readonly text: string;
  /**
   * Beacon for the seeds of all rounds that have no beacon of their own, see `roundSeed`; undefined if there is none.
   */
  readonly beacon: Uint8Array | undefined;
  readonly priorities: PriorityRows;
  /** Log of events; an exception from the log ends the node. */
  readonly log: NodeLog;
  /** Counts of unwritten lines and documents, which the output of the log updates. */
  readonly unwritten: Readonly<Unwritten>;
  /** Called for each rejected command with a line of text, including the line break. */
  readonly warn: (line: string) => void;
  readonly intervalMs: number;
  /** Maximum time to wait, after the source of rounds has ended, until the last round has produced an output, ms. */
  readonly graceMs: number;
}

/** A node that listens at the address of its registry entry, and runs rounds on request. */
export class RunningNode {
  readonly group: Group;
  readonly #plan: NodePlan;
  readonly #peer: Peer;
  readonly #failed = signalled<never>();
  /** Open rounds that have produced an output. */
  readonly #reached = new Set<number>();
  #onReached = (_round: number): void => {};
  readonly #interval: NodeJS.Timeout;
  #commandsRefused = 0;

  constructor(plan: NodePlan) {
    const { bls, registry, identity, transport, clock, config, log } = plan;
    this.#plan = plan;
    this.group = new Group({ kernel: bls, ...registry });
    this.#peer = new Peer({
      group: this.group,
      index: identity.index,
      networkSecret: identity.secrets.networkSecret,
      sign: (message) => bls.sign(identity.secrets.secretKey, message),
      transport,
      clock,
      config,
      onOutput: (report) => this.#guarded(() => this.#onOutput(report)),
      onClosed: (report) => this.#guarded(() => this.#onClosed(report)),
      onFailure: this.#failed.reject,
    });
    this.#interval = setInterval(() => this.#guarded(() => log.onInterval(this.totals())), plan.intervalMs);
  }

  totals(): NodeTotals {
    const commandsRefused = this.#commandsRefused;
    return { ...this.#peer.totals(), commandsRefused, unwritten: { ...this.#plan.unwritten } };
  }

  /**
   * Runs rounds as they arrive. After the last round, the function waits for the first output of that round, but at
   * most for the grace period. A command that cannot be carried out is reported, counted and skipped.
   *
   * @param signal aborted when no further round should start, not even a round that is already open.
   * @throws EnvironmentError; any error from the source of rounds or from the log.
   */
  async run(rounds: AsyncIterable<DueRound | RefusedCommand>, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#failed.promise, this.#runAll(rounds, signal)]);
  }

  /** Closes all rounds and the sockets. The totals remain readable after closing. */
  async close(): Promise<void> {
    clearInterval(this.#interval);
    await this.#peer.close();
    // An error from the log in the last rounds is reported here.
    await Promise.race([this.#failed.promise, undefined]);
  }

  async #runAll(rounds: AsyncIterable<DueRound | RefusedCommand>, signal: AbortSignal): Promise<void> {
    const { text, priorities, clock, graceMs, log } = this.#plan;
    let last: number | undefined;
    for await (const due of rounds) {
      if ('refused' in due) {
        this.#refuseCommand(due.refused);
        continue;
      }
      const { number, startMs, beacon = this.#plan.beacon } = due;
      if (this.#peer.openRounds.includes(number)) {
        this.#refuseCommand(`round ${number}: expected a round that is not open yet, got an open round`);
        continue;
      }
      this.#peer.open({
        number,
        message: roundMessage(text, number),
        seed: roundSeed(nodeCrypto, this.group.digest, number, beacon),
        priorities,
      });
      if (startMs !== undefined && !(await reached(startMs, signal))) break;
      const lateMs = startMs === undefined ? 0 : Math.max(0, Date.now() - startMs);
      this.#peer.start(number, clock.nowUs() - Math.floor(lateMs * 1000));
      log.onStarted(number);
      last = number;
    }
    if (last !== undefined) await this.#waitFor(last, graceMs);
  }

  #refuseCommand(line: string): void {
    this.#commandsRefused++;
    this.#plan.warn(`tutti: ${line}; passed over\n`);
  }

  async #waitFor(round: number, graceMs: number): Promise<void> {
    if (this.#reached.has(round)) return;
    const done = signalled();
    this.#onReached = (one) => {
      if (one === round) done.resolve();
    };
    const timer = setTimeout(done.resolve, graceMs);
    await done.promise;
    clearTimeout(timer);
  }

  #onOutput(report: RoundReport): void {
    const { log } = this.#plan;
    if (this.#reached.has(report.round)) log.onBetter(report);
    else log.onReached(report);
    this.#reached.add(report.round);
    this.#onReached(report.round);
  }

  #onClosed(report: RoundReport): void {
    this.#reached.delete(report.round);
    this.#plan.log.onClosed(report);
  }

  /**
   * Calls a function of a log while the node is running. An exception from the log ends the node, but does not reach
   * the calling code.
   */
  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#failed.reject(error as Error);
    }
  }
}
