import type { HandelConfig } from '@tutti/core';
import {
  type Clock,
  type Group,
  type ListedEntry,
  nodeCrypto,
  Peer,
  type PeerTotals,
  type RoundReport,
  roundMessage,
  roundSeed,
  type Transport,
  WorldError,
} from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';
import { signalled } from '../cluster/signalled.ts';
import { localGroup } from '../localGroup.ts';
import type { Identity } from './identity.ts';
import type { NodeLog } from './nodeLog.ts';
import { type DueRound, reached } from './roundSource.ts';

export interface NodePlan {
  readonly bls: Bls;
  /** The registry, checked. */
  readonly entries: readonly ListedEntry[];
  readonly identity: Identity;
  /** Taken over. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly config: HandelConfig;
  /** What is signed, see `roundMessage`. */
  readonly text: string;
  /** Of all rounds' shuffles; undefined: one for each round, see `roundSeed`. */
  readonly seed: number | undefined;
  /** Told what happens; what it throws ends the node. */
  readonly log: NodeLog;
  readonly intervalMs: number;
  /** How long a round in progress is waited for once there are no more. */
  readonly graceMs: number;
}

/** A node that listens at its entry of a registry, and plays rounds when it is told to. */
export class RunningNode {
  readonly group: Group;
  readonly #plan: NodePlan;
  readonly #peer: Peer;
  readonly #failed = signalled<never>();
  /** Open rounds that gave an output. */
  readonly #reached = new Set<number>();
  #onReached = (_round: number): void => {};
  readonly #interval: NodeJS.Timeout;

  constructor(plan: NodePlan) {
    const { bls, entries, identity, transport, clock, config, log } = plan;
    this.#plan = plan;
    this.group = localGroup(bls, entries);
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

  totals(): PeerTotals {
    return this.#peer.totals();
  }

  /**
   * Plays rounds as they come until there are no more; the last is then waited for, and given up when its time of grace is
   * over.
   *
   * @param signal that rounds which were opened are not to be started any more.
   * @throws WorldError; whatever the source of rounds and the log throw.
   */
  async play(rounds: AsyncIterable<DueRound>, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#failed.promise, this.#playAll(rounds, signal)]);
  }

  /** Closes all rounds and the sockets; the totals stay. */
  async close(): Promise<void> {
    clearInterval(this.#interval);
    await this.#peer.close();
    // What the log could not tell of the last rounds.
    await Promise.race([this.#failed.promise, undefined]);
  }

  async #playAll(rounds: AsyncIterable<DueRound>, signal: AbortSignal): Promise<void> {
    const { text, seed, clock, graceMs, log } = this.#plan;
    let last: number | undefined;
    for await (const { number, startMs } of rounds) {
      if (this.#peer.openRounds.includes(number))
        throw new WorldError('round-open', `round ${number}: expected one that is not open, got it a second time`);
      this.#peer.open({
        number,
        message: roundMessage(text, number),
        seed: seed ?? roundSeed(nodeCrypto, this.group.digest, number),
      });
      if (startMs !== undefined && !(await reached(startMs, signal))) break;
      const lateMs = startMs === undefined ? 0 : Math.max(0, Date.now() - startMs);
      this.#peer.start(number, clock.nowUs() - Math.floor(lateMs * 1000));
      log.onStarted(number);
      last = number;
    }
    if (last !== undefined) await this.#waitFor(last, graceMs);
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

  /** What a log throws in the middle of the node's work ends the node, and not the work. */
  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#failed.reject(error as Error);
    }
  }
}
