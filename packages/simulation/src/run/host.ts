import {
  type Contribution,
  decodeMessage,
  type ForgingScheme,
  type Message,
  type MessageRefusal,
  type ScreeningRefusal,
  type TraceKind,
} from '@tutti/core';
import { countedBytes } from '@tutti/core/packed';
import type { Coalition } from '../attacks/attack.ts';
import type { Checkers } from '../checkers/checkers.ts';
import type { EventQueue } from '../engine/eventQueue.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import type { FaultHost } from '../faults/faultyNode.ts';
import type { LinkFaults } from '../faults/linkFaults.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { MessageBytes, OwnChecker } from '../world/extensions.ts';
import { extraBytes } from '../world/honest.ts';
import type { World } from '../world/world.ts';
import type { Accounting } from './accounting.ts';
import { EventKind, flagsShift, idBits, levelShift } from './eventCode.ts';
import type { Digest, Metrics } from './metrics.ts';
import type { RunOutputs } from './outputs.ts';
import type { SimulationHost } from './ports.ts';
import type { Roles } from './roles.ts';
import type { RunRecording } from './runRecording.ts';

/** Parts of a run that a host needs for its nodes' requests. */
interface HostOptions {
  readonly scenario: Scenario;
  readonly world: World;
  readonly scheme: ForgingScheme;
  readonly queue: EventQueue;
  readonly metrics: Metrics;
  readonly digest: Digest;
  readonly accounting: Accounting;
  readonly outputs: RunOutputs;
  readonly recording: RunRecording | undefined;
  readonly checkers: Checkers | undefined;
  readonly ownChecker: OwnChecker | undefined;
  /** Replacement of this project's encoding. */
  readonly messageBytes: MessageBytes | undefined;
}

/**
 * Handles the requests of a run's nodes: transmits messages, sets timers, and passes other requests to the responsible
 * parts of the run.
 */
export class RunHost implements SimulationHost, FaultHost {
  readonly #scenario: Scenario;
  /** One flag per node: 1 if the node takes part. */
  readonly #present: Uint8Array;
  readonly #network: NetworkModel;
  readonly #scheme: ForgingScheme;
  readonly #queue: EventQueue;
  readonly #metrics: Metrics;
  readonly #digest: Digest;
  readonly #accounting: Accounting;
  readonly #outputs: RunOutputs;
  readonly #recording: RunRecording | undefined;
  readonly #checkers: Checkers | undefined;
  readonly #ownChecker: OwnChecker | undefined;
  readonly #ownBytes: MessageBytes | undefined;
  /** Bytes of each message beyond those of every protocol. */
  readonly #extraBytes: number;
  #links: LinkFaults | undefined;
  /** Coalitions that delay messages; undefined if there are none. */
  #delaying: readonly Coalition[] | undefined;

  constructor(options: HostOptions) {
    const { scenario, world, scheme, queue, metrics } = options;
    this.#scenario = scenario;
    this.#present = world.present;
    this.#network = world.network;
    this.#scheme = scheme;
    this.#queue = queue;
    this.#metrics = metrics;
    this.#digest = options.digest;
    this.#accounting = options.accounting;
    this.#outputs = options.outputs;
    this.#recording = options.recording;
    this.#checkers = options.checkers;
    this.#ownChecker = options.ownChecker;
    this.#ownBytes = options.messageBytes;
    this.#extraBytes = extraBytes(scenario);
  }

  /** Sets how the run's roles affect messages, after the roles have been created with this host. */
  attach({ coalitions, faults }: Roles): void {
    const delaying = coalitions.filter((coalition) => coalition.delayUs !== undefined);
    this.#delaying = delaying.length === 0 ? undefined : delaying;
    this.#links = faults?.links;
  }

  get nowUs(): number {
    return this.#queue.timeUs;
  }

  /** Handles a request from a node to send a message. */
  send(message: Message): void {
    const { from, aggregate, individual, flags } = message;
    this.#metrics.messagesSent[from]!++;
    this.#metrics.bytesSent[from]! += this.#bytes(aggregate, individual, flags);
    if (this.#links === undefined) this.carry(message, 0);
    else this.#links.send(message);
  }

  /**
   * Handles a node's request to send one contribution to several receivers. In this project's encoding, the messages
   * have the same length, because the length does not depend on the flags.
   */
  sendEach(
    from: number,
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void {
    const count = receivers.length;
    if (this.#links !== undefined || this.#ownBytes !== undefined) {
      for (let place = 0; place < count; place++)
        this.send({ from, to: receivers[place]!, level, aggregate, individual, flags: flags[place]! });
      return;
    }
    this.#metrics.messagesSent[from]! += count;
    this.#metrics.bytesSent[from]! += count * this.#bytes(aggregate, individual, 0);
    for (let place = 0; place < count; place++)
      this.carry({ from, to: receivers[place]!, level, aggregate, individual, flags: flags[place]! }, 0);
  }

  /**
   * Transmits a message to its receiver, `extraUs` later than with the network's latency alone, or never if `extraUs`
   * is -1.
   *
   * @param leavesUs time at which the message leaves its sender, µs. Default: after the sender's work for a message. The
   * network's copy of a message causes no work.
   * @returns `leavesUs`.
   */
  carry(
    { from, to, level, aggregate, individual, flags }: Message,
    extraUs: number,
    leavesUs = this.#accounting.leavesUs(from, this.#queue.timeUs),
  ): number {
    const scheme = this.#scheme;
    const nowUs = this.#queue.timeUs;
    const lost = this.#present[to] === 0 || extraUs < 0;
    const arrivalUs = leavesUs + this.#oneWayUs(from, to, nowUs) + extraUs;
    this.#recording?.send(nowUs, from, to, level, aggregate, lost ? -1 : arrivalUs);
    if (lost) return leavesUs;
    scheme.retain(aggregate);
    scheme.retain(individual);
    const b = from | (level << levelShift) | (flags << flagsShift);
    this.#queue.push(arrivalUs, (EventKind.message << idBits) | to, b, aggregate, individual);
    return leavesUs;
  }

  /**
   * Handles a request from a Byzantine node to send in the name of the message's sender. The channel identifies the
   * real sender (v1.03 section 2.3), so the message is dropped. Without authentication, the message is delivered if
   * the named sender is present, and counted for both nodes.
   */
  sendAs(id: number, message: Message): void {
    if (this.#scenario.authenticated) this.#metrics.refuse('forged');
    else if (this.#present[message.from] === 1) this.send(message);
    this.#metrics.messagesSent[id]!++;
  }

  /**
   * Handles a request from a Byzantine node to send raw bytes. The receiver's decoder either reads or rejects the
   * bytes.
   */
  sendBytes(from: number, to: number, bytes: Uint8Array): void {
    const decoded = decodeMessage(this.#scheme, to, from, bytes);
    if (!decoded.ok) {
      this.#metrics.refuse(decoded.code);
      return;
    }
    const { level, aggregate, individual, flags } = decoded;
    this.send({ from, to, level, aggregate, individual, flags });
    this.#scheme.release(aggregate);
    this.#scheme.release(individual);
  }

  /** Returns the length of a message, bytes. */
  #bytes(aggregate: Contribution, individual: Contribution, flags: number): number {
    return this.#ownBytes === undefined
      ? countedBytes(this.#scheme, aggregate, individual) + this.#extraBytes
      : this.#ownBytes(aggregate, individual, flags);
  }

  #oneWayUs(from: number, to: number, nowUs: number): number {
    let delayUs = this.#network.oneWayUs(from, to);
    if (this.#delaying === undefined) return delayUs;
    for (const coalition of this.#delaying) delayUs += coalition.delayUs!(from, to, nowUs);
    return delayUs;
  }

  /** Counts a message rejected before it reaches its receiver. */
  countRefusal(code: MessageRefusal): void {
    this.#metrics.refuse(code);
  }

  /** Handles the loss of a node's state: the node must again produce the output for which the run waits. */
  forget(id: number): void {
    this.#checkers?.forget(id);
    this.#outputs.forget(id);
  }

  setTimer(id: number, delayUs: number, timer: number): void {
    this.#queue.push(this.#queue.timeUs + delayUs, (EventKind.timer << idBits) | id, timer, 0, 0);
  }

  verify(id: number, contribution: Contribution, level: number, sender: number): number {
    return this.#accounting.verify(id, contribution, level, sender);
  }

  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number {
    return this.#accounting.verifyBatch(id, contributions, levels, senders);
  }

  output(id: number, contribution: Contribution): void {
    const nowUs = this.#queue.timeUs;
    const weight = this.#scheme.weight(contribution);
    this.#checkers?.onOutput(id, contribution);
    this.#ownChecker?.onOutput?.(id, contribution, nowUs);
    this.#recording?.output(nowUs, id, weight);
    this.#digest.add(id, weight);
    this.#outputs.add(id, contribution, weight, nowUs);
  }

  /** Counts and records a rejection by a node. */
  refuse(id: number, level: number, peer: number, code: ScreeningRefusal): void {
    this.#metrics.refuse(code);
    this.#recording?.refuse(this.#queue.timeUs, id, peer, level, code);
  }

  /** Records a node's trace, which only recordings use. */
  trace(id: number, kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.#recording?.trace(this.#queue.timeUs, id, kind, level, peer, contribution);
  }
}
