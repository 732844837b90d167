import {
  type AggregationScheme,
  type Contribution,
  CountingScheme,
  decodeMessage,
  type HandelNode,
  MessageFlag,
  noContribution,
  type ProtocolNode,
  type Refusal,
  type ScreeningRefusal,
  TraceKind,
  Tree,
  version,
} from '@tutti/core';
import { countedBytes, expected, refusalNumber, requireNumber } from '@tutti/core/internal';
import type { Coalition } from '../attacks/attack.ts';
import { Checkers } from '../checkers/checkers.ts';
import { batchChecks } from '../engine/batchChecks.ts';
import { Cores } from '../engine/cores.ts';
import { Deferred } from '../engine/deferred.ts';
import { Digest } from '../engine/digest.ts';
import type { EventQueue } from '../engine/eventQueue.ts';
import { isLent, lend, queueOf, RunMemory } from '../engine/runMemory.ts';
import type { LinkFaults } from '../faults/linkFaults.ts';
import { plannedFaults } from '../faults/planned.ts';
import { goReferenceBytes } from '../quirks/goReference.ts';
import { Recorder } from '../recording/recorder.ts';
import { LineKind, NodeRole, type RecordedLines, type Recording } from '../recording/recording.ts';
import { healedAtMs } from '../scenario/faultPlan.ts';
import type { RunEnd, RunResult } from '../scenario/result.ts';
import { checkScenario, requireScenario, type Scenario } from '../scenario/scenario.ts';
import { isTuned } from '../speed/isTuned.ts';
import { type EventReader, Prefetcher, prefetchFrom } from '../speed/prefetcher.ts';
import { WarmUp } from '../speed/warmUp.ts';
import type { OwnChecker } from '../world/extensions.ts';
import { bytesBeside, createPriorities, windowOf } from '../world/honest.ts';
import type { SimulatedScheme, SimulationOptions } from '../world/options.ts';
import { createWorld, type World } from '../world/world.ts';
import { Metrics, spread } from './metrics.ts';
import type { SimulationHost } from './ports.ts';
import { Roles } from './roles.ts';

/** Kinds of events, in the bits of an event's head over the node's id. */
const eventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;
const idBits = 20;
const idMask = (1 << idBits) - 1;
const levelShift = idBits;
const flagsShift = idBits + 5;
const readEvent: EventReader = {
  receiver: (head) => head & idMask,
  level: (head, b) => (((head >>> idBits) & 3) === eventKind.message ? (b >>> levelShift) & 31 : 0),
  sender: (b) => b & idMask,
};
/** In the place of a verified event's count of verdicts: the verdict is still to be asked for. */
const inDeferred = -1;
/** In the head of an event that has waited for its core. */
const hasWaited = 1 << (idBits + 2);

const warmUp = new WarmUp();

/**
 * Makes a run of a scenario, ready to be advanced.
 *
 * @throws RangeError naming the field of the scenario that is wrong; TypeError for one that is missing, or that no
 *   scenario has.
 */
export function createSimulation(scenario: Scenario, options: SimulationOptions = {}): Simulation {
  requireScenario(scenario);
  checkScenario(scenario);
  if (isTuned && scenario.protocol === 'handel') warmUp.before(scenario.nodes, (small) => new Simulation(small, {}));
  return new Simulation(scenario, options);
}

/** Runs a scenario to its end. */
export function simulate(scenario: Scenario, options: SimulationOptions = {}): RunResult {
  const simulation = createSimulation(scenario, options);
  while (simulation.advance(1 << 20));
  return simulation.result();
}

/**
 * A run under virtual time that can be advanced piece by piece, so that a page stays responsive and long work can be
 * stopped. It hosts the nodes: gives messages an arrival time, charges verifications to each node's CPU, and counts.
 */
export class Simulation implements SimulationHost {
  readonly scenario: Scenario;
  /** The scheme that the run's contributions belong to. */
  readonly scheme: AggregationScheme;
  readonly #world: World;
  readonly #memory: RunMemory;
  /** The memory's number for it. */
  readonly #run: number;
  readonly #queue: EventQueue;
  readonly #roles: Roles;
  /** The roles' nodes, one step nearer. */
  readonly #nodes: readonly (ProtocolNode | undefined)[];
  readonly #prefetcher: Prefetcher | undefined;
  /** The coalitions that delay messages, where there are any. */
  readonly #delaying: readonly Coalition[] | undefined;
  readonly #links: LinkFaults | undefined;
  readonly #metrics: Metrics;
  readonly #digest = new Digest();
  readonly #recorder: Recorder | undefined;
  /** The recorder when it keeps sends, which are nine lines in ten. */
  readonly #sendRecorder: Recorder | undefined;
  /** The recorder keeps the sets of levels of up to this many peers. */
  readonly #setsUpTo: number;
  readonly #checkers: Checkers | undefined;
  readonly #ownChecker: OwnChecker | undefined;
  /** What a verification costs each node, and what each key that it adds up costs it more, microseconds. */
  readonly #costUs: Int32Array;
  readonly #perKeyUs: Float64Array | undefined;
  /** The cores that nodes share, where they do, and what a message costs each node on them, microseconds. */
  readonly #cores: Cores | undefined;
  readonly #messageUs: Int32Array;
  readonly #sliceUs: number;
  /** Whether an event concerns anything besides the node: cores or checkers. */
  readonly #isWatched: boolean;
  /** Verifications whose verdicts are not needed yet, where the scheme verifies many for less than one at a time. */
  readonly #deferred: Deferred | undefined;
  readonly #isGoWire: boolean;
  readonly #bytesBeside: number;
  readonly #giveUpUs: number;
  readonly #target: number;
  /** 1 if a node has given the output that the run waits for. */
  readonly #satisfies: Uint8Array;
  #satisfied = 0;
  #ended: RunEnd = 'running';
  #reached = 0;
  #events = 0;
  #delivered = 0;
  #heaviest: { readonly node: number; readonly contribution: Contribution } | undefined;

  /**
   * @param scenario checked.
   * @param tuned whether it may do what only saves time.
   */
  constructor(scenario: Scenario, options: SimulationOptions, tuned: boolean = isTuned) {
    const { nodes } = scenario;
    const giveUpAfterMs = options.giveUpAfterMs ?? 60_000 + scenario.desyncMs + healedAtMs(plannedFaults(scenario));
    requireNumber('giveUpAfterMs', giveUpAfterMs, 0, 2_000_000);
    if (scenario.scheme !== 'counting' && options.scheme === undefined) {
      throw new RangeError(
        expected('options.scheme', `a ${scenario.scheme} scheme handed in, for core holds no curve`, undefined),
      );
    }
    this.#memory = options.memory ?? new RunMemory();
    this.#run = lend(this.#memory);
    this.#queue = queueOf(this.#memory);
    const tree = new Tree(nodes, scenario.tree, scenario.branching);
    const simulated = (options.scheme ?? countingScheme)(tree);
    this.scenario = scenario;
    this.scheme = simulated.scheme;
    const priorities = createPriorities(scenario);
    this.#world = createWorld(scenario, priorities, options);
    this.#metrics = new Metrics(nodes);
    this.#recorder = options.record ? new Recorder() : undefined;
    const keepsSends = typeof options.record !== 'object' || options.record.sends !== false;
    this.#sendRecorder = keepsSends ? this.#recorder : undefined;
    const setsUpTo = typeof options.record === 'object' ? options.record.setsUpTo : undefined;
    if (setsUpTo !== undefined) requireNumber('setsUpTo', setsUpTo, 0, 2 ** 20);
    this.#setsUpTo = setsUpTo ?? nodes;
    this.#checkers = options.checkers
      ? new Checkers(this.scheme, this.#world, priorities, windowOf(scenario, priorities), () => this.nowUs)
      : undefined;
    this.#ownChecker = options.checker;
    this.#costUs = Int32Array.from(this.#world.cpuFactor, (factor) =>
      Math.max(1, Math.round(scenario.verifyMs * 1000 * factor)),
    );
    const { machine, region } = this.#world.network;
    const { nodesPerCore, perKeyUs, perMessageUs, sliceMs } = scenario.cpu;
    this.#perKeyUs =
      perKeyUs === 0 ? undefined : Float64Array.from(this.#world.cpuFactor, (factor) => perKeyUs * factor);
    this.#cores = nodesPerCore === 0 ? undefined : new Cores(machine ?? region, nodesPerCore, scenario.seed);
    this.#messageUs = Int32Array.from(this.#world.cpuFactor, (factor) => Math.round(perMessageUs * factor));
    this.#sliceUs = Math.round(sliceMs * 1000);
    this.#isWatched = this.#cores !== undefined || this.#checkers !== undefined || this.#ownChecker !== undefined;
    this.#isGoWire = scenario.wire === 'go-reference';
    this.#bytesBeside = bytesBeside(scenario);
    this.#giveUpUs = giveUpAfterMs * 1000;
    // Checkers look at verdicts at once.
    this.#deferred =
      this.scheme.verifyBatch === undefined || this.#checkers !== undefined ? undefined : new Deferred(this.scheme);
    this.#target = options.until === 'fairness' ? this.#world.live : 1;
    this.#satisfies = new Uint8Array(nodes);

    this.#roles = new Roles(scenario, simulated, priorities, this.#world, this, options, this.#memory);
    this.#nodes = this.#roles.nodes;
    const { handel } = this.#roles;
    this.#prefetcher =
      !tuned || nodes < prefetchFrom || scenario.protocol !== 'handel' || options.nodes !== undefined
        ? undefined
        : new Prefetcher(this.#queue, handel, this.scheme, this.#metrics.messagesReceived, readEvent);
    const delaying = this.#roles.coalitions.filter((coalition) => coalition.delayUs !== undefined);
    this.#delaying = delaying.length === 0 ? undefined : delaying;
    this.#links = this.#roles.faults?.links;
    for (let id = 0; id < nodes; id++) {
      if (this.#world.present[id] === 1)
        this.#queue.push(this.#world.startUs[id]!, (eventKind.start << idBits) | id, 0, 0, 0);
    }
  }

  /** Virtual time, microseconds. */
  get nowUs(): number {
    return this.#queue.timeUs;
  }

  /** Live nodes that have given an output so far. */
  get reached(): number {
    return this.#reached;
  }

  get live(): number {
    return this.#world.live;
  }

  /** Events handled so far. */
  get events(): number {
    return this.#events;
  }

  /** The heaviest output so far and the node that gave it first; held for as long as the simulation lives. */
  get heaviestOutput(): { readonly node: number; readonly contribution: Contribution } | undefined {
    return this.#heaviest;
  }

  /** Live nodes, by id, that have not given the output that the run waits for, and whether they have given any. */
  unsatisfied(): { readonly node: number; readonly reached: boolean }[] {
    const { alive } = this.#world;
    return [...alive.keys()]
      .filter((id) => alive[id] === 1 && this.#satisfies[id] === 0)
      .map((node) => ({ node, reached: this.#metrics.reachedUs[node]! >= 0 }));
  }

  /** An honest, live Handel node in its present state, for reading only; undefined if there is none. For the desk. */
  handelNode(id: number): HandelNode | undefined {
    this.#requireMemory();
    return this.#roles.handel[id];
  }

  /**
   * Handles up to `maxEvents` events; false once the run has ended.
   *
   * @throws TypeError when another run has its memory, or it was freed; `result` and `handelNode` do so too.
   */
  advance(maxEvents: number): boolean {
    this.#requireMemory();
    const queue = this.#queue;
    for (let left = maxEvents; left > 0; left--) {
      if (this.#satisfied === this.#world.live) return this.#end('reached');
      this.#prefetcher?.beforeNext();
      if (!queue.next()) return this.#end('silent');
      if (queue.timeUs > this.#giveUpUs) return this.#end('given-up');
      if (this.#isWatched) this.#handleWatched(queue.timeUs, queue.head, queue.b, queue.c, queue.d);
      else this.#handle(queue.timeUs, queue.head, queue.b, queue.c, queue.d);
    }
    return this.#satisfied < this.#world.live || this.#end('reached');
  }

  #end(how: RunEnd): false {
    const isOver = this.#ended !== 'running';
    this.#ended = how;
    if (!isOver && how === 'reached' && this.#isHandelWhole() && !this.#someoneIsAway()) this.#checkers?.afterRun();
    return false;
  }

  #requireMemory(): void {
    if (isLent(this.#memory, this.#run)) return;
    throw new TypeError('simulation: expected no call once its memory was lent to another run or freed, got one');
  }

  /** Whether a fault takes a node away for a time: the others cannot know, and keep sending to it. */
  #someoneIsAway(): boolean {
    return plannedFaults(this.scenario).some(({ kind }) => kind === 'restart' || kind === 'pause');
  }

  /** Whether Handel is played with all its mechanisms, so that what is claimed of them together is to hold. */
  #isHandelWhole(): boolean {
    const { protocol, referenceQuirks, without } = this.scenario;
    return protocol === 'handel' && referenceQuirks.length === 0 && without.length === 0;
  }

  result(): RunResult {
    this.#requireMemory();
    this.#deferred?.settle();
    const { nodes, seed } = this.scenario;
    const { alive, live, startUs } = this.#world;
    const metrics = this.#metrics;
    const isLive = (id: number): boolean => alive[id] === 1;
    const hasReached = (id: number): boolean => metrics.reachedUs[id]! >= 0;
    return {
      scenario: this.scenario,
      seed,
      version,
      digest: this.#digest.toString(),
      nodes,
      live,
      reached: this.#reached,
      ended: this.#ended,
      threshold: this.#world.threshold,
      signers: spread(metrics.signers, hasReached),
      timeToThresholdMs: spread(metrics.reachedUs, hasReached, 0.001),
      untilThreshold: {
        timeMs: spread(
          metrics.reachedUs.map((us, id) => us - startUs[id]!),
          hasReached,
          0.001,
        ),
        messagesSent: spread(metrics.messagesSentByThen, hasReached),
        messagesReceived: spread(metrics.messagesReceivedByThen, hasReached),
        bytesSent: spread(metrics.bytesSentByThen, hasReached),
        checked: spread(metrics.checkedByThen, hasReached),
      },
      messagesSent: spread(metrics.messagesSent, isLive),
      messagesReceived: spread(metrics.messagesReceived, isLive),
      bytesSent: spread(metrics.bytesSent, isLive),
      checked: spread(metrics.checked, isLive),
      checkedInvalid: spread(metrics.checkedInvalid, isLive),
      checks: spread(metrics.checks, isLive),
      checkingMs: spread(metrics.checkingUs, isLive, 0.001),
      keptInts: spread(
        this.#roles.handel.map((node) => node?.mostInts() ?? 0),
        isLive,
      ),
      refused: Object.fromEntries(metrics.refused),
      injected: this.#roles.faults?.counts.toRecord() ?? {},
      messagesDelivered: this.#delivered,
      events: this.#events,
    };
  }

  /** @throws TypeError when the run was not created with `record`. */
  recording(): Recording {
    return this.recordingLater()();
  }

  /**
   * A function that makes what {@link recording} gives. A caller that drops the simulation before calling it gets the
   * memory of its nodes back: in a large run they hold several times as much as the lines do.
   */
  recordingLater(): () => Recording {
    if (this.#recorder === undefined)
      throw new TypeError(expected('options.record', 'true, to have a recording', false));
    this.#deferred?.settle();
    const { network, alive, attack, startUs, cpuFactor, threshold } = this.#world;
    return recordingOf(this.#recorder, {
      scenario: this.scenario,
      result: this.result(),
      world: {
        nodes: this.scenario.nodes,
        levels: this.scheme.tree.levels,
        threshold,
        alive: alive.map((lives, id) => (attack[id]! >= 0 ? NodeRole.byzantine : lives)),
        startUs: startUs.slice(),
        region: network.region.slice(),
        regionNames: network.regionNames,
        cpuFactor: cpuFactor.slice(),
      },
      sends: this.#sendRecorder !== undefined,
    });
  }

  /**
   * An event that nobody but its node looks at. Messages, which most events are, have it short: what is longer the
   * engine does not compile into the loop over the events.
   */
  #handle(timeUs: number, head: number, b: number, c: number, d: number): void {
    const id = head & idMask;
    this.#events++;
    this.#digest.add(timeUs, head);
    if (head >>> idBits !== eventKind.message) {
      this.#handleOther(timeUs, head, b, c, d);
      return;
    }
    this.#digest.add(b, this.scheme.weight(c));
    this.#delivered++;
    this.#metrics.messagesReceived[id]!++;
    this.#nodes[id]!.onMessage(b & idMask, (b >>> levelShift) & 31, c, d, b >>> flagsShift);
    this.scheme.release(c);
    this.scheme.release(d);
  }

  /** An event that is no message. */
  #handleOther(timeUs: number, head: number, b: number, c: number, d: number): void {
    const id = head & idMask;
    const node = this.#nodes[id]!;
    switch (head >>> idBits) {
      case eventKind.timer:
        node.onTimer(b);
        break;
      case eventKind.verified:
        if (d === inDeferred) {
          c = this.#deferred!.answer(c) ? 1 : 0;
          d = 0;
        }
        this.#digest.add(b, c);
        this.#onVerified(id, node, b, c, d);
        break;
      case eventKind.start:
        this.#recorder?.line(timeUs, LineKind.start, id, -1, 0, 0, -1);
        node.start();
        break;
    }
  }

  /** An event of a run in which cores are shared or checkers look on. */
  #handleWatched(timeUs: number, head: number, b: number, c: number, d: number): void {
    if (this.#cores !== undefined) {
      if (this.#waits(timeUs, head, b, c, d)) return;
      head &= ~hasWaited;
    }
    const id = head & idMask;
    if (head >>> idBits === eventKind.message) {
      this.#checkers?.onMessage(b & idMask, id);
      this.#ownChecker?.onMessage?.(b & idMask, id, (b >>> levelShift) & 31, timeUs);
    }
    this.#handle(timeUs, head, b, c, d);
    if (this.#checkers === undefined) return;
    const handel = this.#roles.handel[id];
    if (handel !== undefined) this.#checkers.afterEvent(handel);
  }

  /** Puts a message or a timer off until its core gets to it. */
  #waits(timeUs: number, head: number, b: number, c: number, d: number): boolean {
    const kind = (head >>> idBits) & 3;
    if ((head & hasWaited) !== 0 || (kind !== eventKind.message && kind !== eventKind.timer)) return false;
    const id = head & idMask;
    let beginUs = this.#cores!.freeUs(id, timeUs);
    if (kind === eventKind.message) this.#cores!.work(id, timeUs, this.#messageUs[id]!);
    if (beginUs === timeUs) return false;
    if (kind === eventKind.timer) beginUs += this.#sliceUs;
    this.#queue.push(beginUs, head | hasWaited, b, c, d);
    return true;
  }

  /** A node's port: sends. */
  send(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    this.#metrics.messagesSent[from]!++;
    this.#metrics.bytesSent[from]! += this.#bytes(aggregate, individual, flags);
    if (this.#links === undefined) this.carry(from, to, level, aggregate, individual, flags, 0);
    else this.#links.send(from, to, level, aggregate, individual, flags);
  }

  /** A node's port: sends to many. Their messages are equally long, but for Handel's on the Go reference's wire. */
  sendEach(
    from: number,
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void {
    const count = receivers.length;
    if (this.#links !== undefined || this.scenario.protocol === 'handel') {
      for (let place = 0; place < count; place++)
        this.send(from, receivers[place]!, level, aggregate, individual, flags[place]!);
      return;
    }
    this.#metrics.messagesSent[from]! += count;
    this.#metrics.bytesSent[from]! += count * this.#bytes(aggregate, individual, 0);
    for (let place = 0; place < count; place++)
      this.carry(from, receivers[place]!, level, aggregate, individual, flags[place]!, 0);
  }

  /** Takes a message to its receiver, `extraUs` later than the network alone would, or never for -1. */
  carry(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
    extraUs: number,
  ): void {
    const scheme = this.scheme;
    const nowUs = this.#queue.timeUs;
    const lost = this.#world.present[to] === 0 || extraUs < 0;
    const leavesUs = this.#cores === undefined ? nowUs : this.#cores.work(from, nowUs, this.#messageUs[from]!);
    const arrivalUs = leavesUs + this.#oneWayUs(from, to, nowUs) + extraUs;
    this.#sendRecorder?.line(nowUs, LineKind.send, from, to, level, scheme.weight(aggregate), lost ? -1 : arrivalUs);
    if (lost) return;
    scheme.retain(aggregate);
    scheme.retain(individual);
    const b = from | (level << levelShift) | (flags << flagsShift);
    this.#queue.push(arrivalUs, (eventKind.message << idBits) | to, b, aggregate, individual);
  }

  /**
   * A Byzantine node's port: sends in another's name. The channel says who the sender is (v1.03 section 2.3), so
   * nothing comes of it.
   */
  sendAs(
    from: number,
    claimed: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    if (this.scenario.authenticated) this.#metrics.refuse('forged');
    else if (this.#world.present[claimed] === 1) this.send(claimed, to, level, aggregate, individual, flags);
    this.#metrics.messagesSent[from]!++;
  }

  /** A Byzantine node's port: sends bytes, which the receiver's decoder reads or refuses. */
  sendBytes(from: number, to: number, bytes: Uint8Array): void {
    const decoded = decodeMessage(this.scheme, to, from, bytes);
    if (!decoded.ok) {
      this.#metrics.refuse(decoded.code);
      return;
    }
    this.send(from, to, decoded.level, decoded.aggregate, decoded.individual, decoded.flags);
    this.scheme.release(decoded.aggregate);
    this.scheme.release(decoded.individual);
  }

  /** Length of a message. */
  #bytes(aggregate: Contribution, individual: Contribution, flags: number): number {
    return this.#isGoWire
      ? goReferenceBytes(this.scheme, aggregate, this.#goSendsIndividual(individual, flags))
      : countedBytes(this.scheme, aggregate, individual) + this.#bytesBeside;
  }

  /** The Go reference's Handel sends it until the level is complete, even if the aggregate is the same contribution. */
  #goSendsIndividual(individual: Contribution, flags: number): boolean {
    return this.scenario.protocol === 'handel'
      ? (flags & MessageFlag.levelReceived) === 0
      : individual !== noContribution;
  }

  #oneWayUs(from: number, to: number, nowUs: number): number {
    let delayUs = this.#world.network.oneWayUs(from, to);
    if (this.#delaying === undefined) return delayUs;
    for (const coalition of this.#delaying) delayUs += coalition.delayUs?.(from, to, nowUs) ?? 0;
    return delayUs;
  }

  /** Counts a message that is refused before it reaches its receiver. */
  countRefusal(code: Refusal): void {
    this.#metrics.refuse(code);
  }

  /** A node has lost its state: whatever output the run waits for, the node has to reach it again. */
  forget(id: number): void {
    this.#checkers?.forget(id);
    if (this.#metrics.reachedUs[id]! >= 0) {
      this.#metrics.reachedUs[id] = -1;
      this.#reached--;
    }
    if (this.#satisfies[id] === 1) {
      this.#satisfies[id] = 0;
      this.#satisfied--;
    }
  }

  setTimer(id: number, delayUs: number, timer: number): void {
    this.#queue.push(this.#queue.timeUs + delayUs, (eventKind.timer << idBits) | id, timer, 0, 0);
  }

  /** Charges a verification to the node's CPU; its ticket is how many contributions it has had verified. */
  verify(id: number, contribution: Contribution, level: number, sender: number): number {
    const ticket = ++this.#metrics.checked[id]!;
    if (this.#deferred !== undefined) return this.#verifyLater(this.#deferred, id, ticket, contribution, level, sender);
    const valid = this.scheme.verify(contribution);
    if (!valid) this.#metrics.checkedInvalid[id]!++;
    if (this.#checkers !== undefined) {
      // A quirk has things verified that the node did not choose.
      const chooser = this.scenario.referenceQuirks.length === 0 ? this.#roles.handel[id] : undefined;
      this.#checkers.onVerify(id, chooser, level, sender, contribution, valid);
    }
    const weight = this.scheme.weight(contribution);
    const endUs = this.#checkedUs(id, this.#costUs[id]!, weight, 1);
    this.#recorder?.line(this.#queue.timeUs, LineKind.check, id, sender, level, valid ? weight : -weight, endUs);
    this.#queue.push(endUs, (eventKind.verified << idBits) | id, ticket, valid ? 1 : 0, 0);
    return ticket;
  }

  /** Like {@link verify}; the verdict has to be known only when the node gets it. */
  #verifyLater(
    deferred: Deferred,
    id: number,
    ticket: number,
    contribution: Contribution,
    level: number,
    sender: number,
  ): number {
    const weight = this.scheme.weight(contribution);
    const endUs = this.#checkedUs(id, this.#costUs[id]!, weight, 1);
    const line = this.#recorder?.line(this.#queue.timeUs, LineKind.check, id, sender, level, weight, endUs) ?? -1;
    const place = deferred.ask(contribution, (valid) => {
      if (valid) return;
      this.#metrics.checkedInvalid[id]!++;
      this.#recorder?.setValue(line, -weight);
    });
    this.#queue.push(endUs, (eventKind.verified << idBits) | id, ticket, place, inDeferred);
    return ticket;
  }

  /** Charges the verification of a batch to the node's CPU: what the kernel's checks of it cost. */
  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number {
    this.#metrics.checked[id]! += contributions.length;
    const ticket = this.#metrics.checked[id]!;
    const verdicts = this.scheme.verifyBatch?.(contributions) ?? contributions.map((one) => this.scheme.verify(one));
    const { checks, cost } = batchChecks(verdicts);
    const weights = contributions.map((one) => this.scheme.weight(one));
    const keys = weights.reduce((sum, weight) => sum + weight, 0);
    const endUs = this.#checkedUs(id, Math.max(1, Math.round(cost * this.#costUs[id]!)), keys, checks);
    this.#checkers?.onVerifyBatch(id, this.#roles.handel[id], levels, senders, contributions, verdicts);
    let bits = 0;
    for (const [place, valid] of verdicts.entries()) {
      if (valid) bits |= 1 << place;
      else this.#metrics.checkedInvalid[id]!++;
      const value = valid ? weights[place]! : -weights[place]!;
      this.#recorder?.line(this.#queue.timeUs, LineKind.check, id, senders[place]!, levels[place]!, value, endUs);
    }
    this.#queue.push(endUs, (eventKind.verified << idBits) | id, ticket, bits, contributions.length);
    return ticket;
  }

  /** @param count of a batch's verdicts, which are bits; 0 if one contribution was verified singly. */
  #onVerified(id: number, node: ProtocolNode, ticket: number, bits: number, count: number): void {
    const watches = this.#checkers !== undefined && this.#roles.faults?.isForgotten(id, ticket) !== true;
    if (count === 0) {
      if (watches) this.#checkers!.onVerified(id, bits === 1);
      node.onVerified(ticket, bits === 1);
      return;
    }
    const verdicts = Array.from({ length: count }, (_, place) => ((bits >>> place) & 1) === 1);
    if (watches) this.#checkers!.onBatchVerified(id, verdicts);
    node.onBatchVerified!(ticket, verdicts);
  }

  /** When a verification that the node asks for now is done. */
  #checkedUs(id: number, ofChecksUs: number, keys: number, checks: number): number {
    let costUs = ofChecksUs;
    if (this.#perKeyUs !== undefined) costUs += Math.round(keys * this.#perKeyUs[id]!);
    this.#metrics.checks[id]! += checks;
    this.#metrics.checkingUs[id]! += costUs;
    const nowUs = this.#queue.timeUs;
    return this.#cores === undefined ? nowUs + costUs : this.#cores.work(id, nowUs, costUs);
  }

  output(id: number, contribution: Contribution): void {
    const weight = this.scheme.weight(contribution);
    this.#checkers?.onOutput(id, contribution);
    this.#ownChecker?.onOutput?.(id, contribution, this.#queue.timeUs);
    this.#recorder?.line(this.#queue.timeUs, LineKind.output, id, -1, 0, weight, -1);
    this.#digest.add(id, weight);
    if (this.#world.alive[id] === 1) this.#count(id, contribution, weight);
    if (this.#heaviest === undefined || weight > this.scheme.weight(this.#heaviest.contribution)) {
      if (this.#heaviest !== undefined) this.scheme.release(this.#heaviest.contribution);
      this.scheme.retain(contribution);
      this.#heaviest = { node: id, contribution };
    }
  }

  #count(id: number, contribution: Contribution, weight: number): void {
    if (this.#metrics.reachedUs[id] === -1) {
      this.#metrics.reach(id, this.#queue.timeUs, weight);
      this.#reached++;
    }
    if (this.#satisfies[id] === 1 || weight < this.#target || !this.#isFair(contribution)) return;
    this.#satisfies[id] = 1;
    this.#satisfied++;
  }

  /** If the run waits for fairness: whether every live node's contribution is in it. */
  #isFair(contribution: Contribution): boolean {
    if (this.#target === 1) return true;
    return this.#world.alive.every((lives, id) => lives === 0 || this.scheme.contains(contribution, id));
  }

  /** Counts what a node refused, and writes it down. */
  refuse(id: number, level: number, peer: number, code: ScreeningRefusal): void {
    this.#metrics.refuse(code);
    this.#recorder?.line(this.#queue.timeUs, LineKind.refuse, id, peer, level, refusalNumber(code), -1);
  }

  /** Writes down what a node traced; only recordings listen. */
  trace(id: number, kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    const recorder = this.#recorder;
    if (recorder === undefined) return;
    const nowUs = this.#queue.timeUs;
    if (kind === TraceKind.levelImproved) {
      const weight = this.scheme.weight(contribution);
      const peers = this.scheme.tree.size(this.scheme.block(contribution));
      const isKept = weight < peers && peers <= this.#setsUpTo;
      const set = !isKept ? -1 : recorder.keep(this.scheme.setWords(contribution));
      recorder.line(nowUs, LineKind.improve, id, peer, level, weight, -1, set);
    } else if (kind === TraceKind.blacklisted) {
      recorder.line(nowUs, LineKind.blacklist, id, peer, level, 0, -1);
    }
  }
}

function countingScheme(tree: Tree): SimulatedScheme {
  const scheme = new CountingScheme(tree);
  return { scheme, individual: (id) => scheme.individual(id) };
}

/** A function apart from the simulation, which it is not to hold. */
function recordingOf(recorder: Recorder, rest: Omit<Recording, keyof RecordedLines>): () => Recording {
  return () => ({ ...rest, ...recorder.columns() });
}
