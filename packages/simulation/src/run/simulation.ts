import {
  type AggregationScheme,
  CountingScheme,
  type HandelNode,
  type ProtocolNode,
  type Stakes,
  Tree,
} from '@tutti/core';
import { expected, requireInteger, requireNumber } from '@tutti/core/input';
import { Checkers } from '../checkers/checkers.ts';
import type { EventQueue } from '../engine/eventQueue.ts';
import { maxRecordedPlaces } from '../engine/network/networkModel.ts';
import { RunMemory } from '../engine/runMemory.ts';
import type { Recording } from '../recording/recording.ts';
import { healedAtMs } from '../scenario/faultPlan.ts';
import type { RunEnd, RunResult } from '../scenario/result.ts';
import { requireScenario, type Scenario, validateScenario } from '../scenario/scenario.ts';
import { stakesOf } from '../scenario/weights.ts';
import { Prefetcher, prefetchFrom, WarmUp } from '../speed/prefetcher.ts';
import {
  maxRunMs,
  type OwnChecker,
  requireOptions,
  type SimulatedScheme,
  type SimulationOptions,
} from '../world/extensions.ts';
import { createPriorities, windowOf } from '../world/honest.ts';
import { createWorld, type World } from '../world/world.ts';
import { Accounting } from './accounting.ts';
import {
  EventKind,
  flagsShift,
  hasWaited,
  idBits,
  idMask,
  inDeferred,
  levelMask,
  levelShift,
  readEvent,
} from './eventCode.ts';
import { RunHost } from './host.ts';
import { Digest, Metrics } from './metrics.ts';
import { type HeaviestOutput, RunOutputs } from './outputs.ts';
import { Roles } from './roles.ts';
import { RunRecording } from './runRecording.ts';
import { type NodeResult, nodeResults, runResult } from './runResult.ts';

const warmUp = new WarmUp();

/**
 * Creates a run of a scenario, ready to be advanced.
 *
 * @throws RangeError that names the invalid field of the scenario; TypeError for a missing or unknown field.
 */
export function createSimulation(scenario: Scenario, options: SimulationOptions = {}): Simulation {
  requireScenario(scenario);
  validateScenario(scenario);
  if (scenario.protocol === 'handel') warmUp.before(scenario.nodes, (small) => new Simulation(small, {}));
  return new Simulation(scenario, options);
}

/** Runs a scenario to its end. */
export function simulate(scenario: Scenario, options: SimulationOptions = {}): RunResult {
  const simulation = createSimulation(scenario, options);
  while (simulation.advance(1 << 20));
  return simulation.result();
}

/**
 * A run under virtual time that can be advanced step by step, so that a page remains responsive and long work can be
 * stopped. The class is the event loop, which passes each event to its node. The run's host handles the nodes'
 * requests.
 */
export class Simulation {
  readonly scenario: Scenario;
  /** Scheme of the run's contributions. */
  readonly scheme: AggregationScheme;
  readonly #world: World;
  readonly #memory: RunMemory;
  /** Number of the run in the memory that it uses. */
  readonly #run: number;
  readonly #queue: EventQueue;
  readonly #roles: Roles;
  /** Nodes of the roles, read directly for speed. */
  readonly #nodes: readonly (ProtocolNode | undefined)[];
  readonly #prefetcher: Prefetcher | undefined;
  readonly #metrics: Metrics;
  readonly #digest = new Digest();
  readonly #recording: RunRecording | undefined;
  readonly #checkers: Checkers | undefined;
  readonly #ownChecker: OwnChecker | undefined;
  readonly #accounting: Accounting;
  readonly #outputs: RunOutputs;
  /** Whether an event concerns parts other than the node: cores or checkers. */
  readonly #isWatched: boolean;
  readonly #giveUpUs: number;
  readonly #isWrapped: boolean;
  #ended: RunEnd = 'running';
  #events = 0;
  #delivered = 0;

  /**
   * @param scenario a checked scenario.
   * @param prefetches whether to use the prefetcher, which only saves time.
   * @throws RangeError if a recorded run has more than {@link maxRecordedPlaces} places.
   */
  constructor(scenario: Scenario, options: SimulationOptions, prefetches = true) {
    requireOptions(options);
    const { nodes, tree, branching, without } = scenario;
    const stakes = stakesOf(scenario);
    const simulated = schemeOf(scenario, options, new Tree(nodes, tree, branching), stakes);
    const { scheme } = simulated;
    const priorities = createPriorities(scenario, stakes);
    const world = createWorld(scenario, priorities, options, stakes);
    this.scenario = scenario;
    this.scheme = scheme;
    this.#world = world;
    this.#giveUpUs = giveUpUsOf(world, scenario, options);
    this.#recording = recordingOf(world, scheme, options);
    this.#memory = options.memory ?? new RunMemory();
    this.#run = this.#memory.lend();
    const { queue } = this.#memory;
    this.#queue = queue;
    this.#metrics = new Metrics(nodes);
    this.#outputs = new RunOutputs(scheme, world, this.#metrics, options.until ?? 'threshold');
    const window = windowOf(scenario, priorities);
    const growsRanks = !without.includes('rank-growth');
    this.#checkers = options.checkers
      ? new Checkers({ scheme, world, priorities, window, nowUs: () => queue.timeUs, growsRanks })
      : undefined;
    this.#ownChecker = options.checker;
    this.#isWrapped = options.around !== undefined;
    const [metrics, outputs, recording, checkers] = [this.#metrics, this.#outputs, this.#recording, this.#checkers];
    const parts = { scenario, world, scheme, queue, metrics, recording, checkers };
    // A wrapper may request verifications that the node did not choose.
    const chooser = (id: number) => (this.#isWrapped ? undefined : this.#roles.handel[id]);
    const accounting = new Accounting({ ...parts, chooser });
    this.#accounting = accounting;
    this.#isWatched = accounting.sharesCores || checkers !== undefined || options.checker !== undefined;
    const setting = { scenario, scheme, priorities, threshold: world.threshold, quorum: world.quorum };
    const [digest, ownChecker, messageBytes] = [this.#digest, options.checker, options.messageBytes?.(setting)];
    const host = new RunHost({ ...parts, accounting, outputs, digest, ownChecker, messageBytes });
    this.#roles = new Roles({ setting, simulated, world, host, extensions: options, memory: this.#memory });
    host.attach(this.#roles);
    this.#nodes = this.#roles.nodes;
    this.#prefetcher = prefetches ? this.#createPrefetcher(options) : undefined;
    this.#pushStarts();
  }

  /** Creates a prefetcher for a run of many Handel nodes; returns undefined for any other run. */
  #createPrefetcher({ nodes }: SimulationOptions): Prefetcher | undefined {
    if (this.scenario.nodes < prefetchFrom || this.scenario.protocol !== 'handel' || nodes !== undefined) return;
    const { slab } = this.#memory;
    return new Prefetcher({
      queue: this.#queue,
      nodes: this.#roles.handel,
      slab,
      scheme: this.scheme,
      received: this.#metrics.messagesReceived,
      read: readEvent,
    });
  }

  #pushStarts(): void {
    const { present, startUs } = this.#world;
    for (const [id, is] of present.entries()) {
      if (is === 1) this.#queue.push(startUs[id]!, (EventKind.start << idBits) | id, 0, 0, 0);
    }
  }

  /** Virtual time, at most the time limit of the run, µs. */
  get nowUs(): number {
    return Math.min(this.#queue.timeUs, this.#giveUpUs);
  }

  /** Number of live nodes that have produced an output so far. */
  get reached(): number {
    return this.#outputs.reached;
  }

  /** Number of live nodes. */
  get live(): number {
    return this.#world.live;
  }

  /** Number of events handled so far. */
  get events(): number {
    return this.#events;
  }

  /** The heaviest output so far and the first node that produced it; retained until there is a heavier output. */
  get heaviestOutput(): HeaviestOutput | undefined {
    return this.#outputs.heaviest;
  }

  /**
   * Returns the live nodes, by id, that have not produced the output for which the run waits, and whether each has
   * produced any output.
   */
  unsatisfied(): { readonly node: number; readonly reached: boolean }[] {
    return this.#outputs.missing();
  }

  /** Returns an honest Handel node in its current state, for reading only; undefined if no such node has this id. */
  handelNode(id: number): HandelNode | undefined {
    this.#requireMemory();
    return this.#roles.handel[id];
  }

  /**
   * Handles up to `maxEvents` events, an integer of at least 1. Returns false once the run has ended.
   *
   * @throws RangeError for any other number. @throws TypeError if another run uses the run's memory, or if the memory was freed. All methods that read the state
   * of the nodes throw this error.
   */
  advance(maxEvents: number): boolean {
    requireInteger('maxEvents', maxEvents, 1, Number.MAX_SAFE_INTEGER);
    this.#requireMemory();
    if (this.#ended !== 'running') return false;
    const queue = this.#queue;
    const outputs = this.#outputs;
    for (let left = maxEvents; left > 0; left--) {
      if (outputs.isSatisfied) return this.#end('reached');
      this.#prefetcher?.beforeNext();
      if (!queue.next()) return this.#end('silent');
      if (queue.timeUs > this.#giveUpUs) return this.#end('given-up');
      if (this.#isWatched) this.#handleWatched(queue.timeUs, queue.head, queue.b, queue.c, queue.d);
      else this.#handle(queue.timeUs, queue.head, queue.b, queue.c, queue.d);
    }
    return !outputs.isSatisfied || this.#end('reached');
  }

  #end(how: RunEnd): false {
    this.#ended = how;
    if (how === 'reached' && this.#isCompleteHandel() && !this.#hasAbsences()) this.#checkers?.afterRun();
    return false;
  }

  #requireMemory(): void {
    if (this.#memory.isLent(this.#run)) return;
    throw new TypeError('simulation: expected no call after its memory was freed or lent to another run, got a call');
  }

  /**
   * Returns whether a fault makes a node temporarily absent. The other nodes cannot know of an absence, and continue to
   * send to the absent node.
   */
  #hasAbsences(): boolean {
    return this.#world.faults.all.some(({ kind }) => kind === 'restart' || kind === 'pause');
  }

  /** Returns whether the run uses all mechanisms of Handel, so that claims about their combination apply. */
  #isCompleteHandel(): boolean {
    const { protocol, without } = this.scenario;
    return protocol === 'handel' && !this.#isWrapped && without.length === 0;
  }

  /** Returns the result of the run so far. */
  result(): RunResult {
    this.#requireMemory();
    this.#accounting.settle();
    return runResult({
      scenario: this.scenario,
      world: this.#world,
      metrics: this.#metrics,
      outputs: this.#outputs,
      roles: this.#roles,
      digest: this.#digest,
      ended: this.#ended,
      events: this.#events,
      delivered: this.#delivered,
    });
  }

  /** Returns the result of each node so far, in order of id. */
  nodeResults(): NodeResult[] {
    this.#requireMemory();
    this.#accounting.settle();
    return nodeResults(this.#world, this.#metrics);
  }

  /**
   * Returns the recording of the run so far.
   *
   * @throws TypeError if the simulation was created without `record`.
   */
  recording(): Recording {
    return this.recordingLater()();
  }

  /**
   * Returns a function that creates the {@link recording}. A caller that drops the simulation before it calls the
   * returned function frees the memory of the nodes. In a large run, the nodes take several times as much memory as the
   * lines.
   *
   * @throws TypeError if the simulation was created without `record`.
   */
  recordingLater(): () => Recording {
    if (this.#recording === undefined)
      throw new TypeError(expected('options.record', 'true, because a recording was requested', false));
    return this.#recording.later(this.result(), this.#world);
  }

  /**
   * Handles an event that only the event's own node observes. Messages, which are most events, have a short path here,
   * because the engine does not inline longer code into the event loop.
   */
  #handle(timeUs: number, head: number, b: number, c: number, d: number): void {
    const id = head & idMask;
    this.#events++;
    this.#digest.add(timeUs, head);
    if (head >>> idBits !== EventKind.message) {
      this.#handleOther(timeUs, head, b, c, d);
      return;
    }
    this.#digest.add(b, this.scheme.weight(c));
    this.#delivered++;
    this.#metrics.messagesReceived[id]!++;
    this.#nodes[id]!.onMessage(b & idMask, (b >>> levelShift) & levelMask, c, d, b >>> flagsShift);
    this.scheme.release(c);
    this.scheme.release(d);
  }

  /** Handles an event other than a message. */
  #handleOther(timeUs: number, head: number, b: number, c: number, d: number): void {
    const id = head & idMask;
    const node = this.#nodes[id]!;
    switch (head >>> idBits) {
      case EventKind.timer:
        node.onTimer(b);
        break;
      case EventKind.verified:
        if (d === inDeferred) {
          c = this.#accounting.deferredVerdict(c) ? 1 : 0;
          d = 0;
        }
        this.#digest.add(b, c);
        this.#onVerified(id, node, b, c, d);
        break;
      case EventKind.start:
        this.#recording?.start(timeUs, id);
        node.start();
        break;
    }
  }

  /** Handles an event of a run with shared cores or checkers. */
  #handleWatched(timeUs: number, head: number, b: number, c: number, d: number): void {
    if (this.#accounting.sharesCores) {
      if (this.#waits(timeUs, head, b, c, d)) return;
      head &= ~hasWaited;
    }
    const id = head & idMask;
    if (head >>> idBits === EventKind.message) {
      this.#checkers?.onMessage(b & idMask, id);
      this.#ownChecker?.onMessage?.(b & idMask, id, (b >>> levelShift) & levelMask, timeUs);
    }
    this.#handle(timeUs, head, b, c, d);
    if (this.#checkers === undefined) return;
    const handel = this.#roles.handel[id];
    if (handel !== undefined) this.#checkers.afterEvent(handel);
  }

  /** Delays a message or a timer until the node's core is free. Returns whether the event was delayed. */
  #waits(timeUs: number, head: number, b: number, c: number, d: number): boolean {
    const kind = (head >>> idBits) & 3;
    if ((head & hasWaited) !== 0 || (kind !== EventKind.message && kind !== EventKind.timer)) return false;
    const id = head & idMask;
    const accounting = this.#accounting;
    const beginUs = kind === EventKind.message ? accounting.takenUs(id, timeUs) : accounting.timerUs(id, timeUs);
    if (beginUs === timeUs) return false;
    this.#queue.push(beginUs, head | hasWaited, b, c, d);
    return true;
  }

  /**
   * Passes the result of a verification to its node. @param count number of verdicts in a batch, encoded as bits; 0 for
   * a single verification.
   */
  #onVerified(id: number, node: ProtocolNode, ticket: number, bits: number, count: number): void {
    const watches = this.#checkers !== undefined && this.#roles.faults?.isForgotten(id, ticket) !== true;
    if (count === 0) {
      if (watches) this.#checkers!.onVerified(id, [bits === 1]);
      node.onVerified(ticket, bits === 1);
      return;
    }
    const verdicts = Array.from({ length: count }, (_, place) => ((bits >>> place) & 1) === 1);
    if (watches) this.#checkers!.onVerified(id, verdicts);
    node.onBatchVerified!(ticket, verdicts);
  }
}

/** Returns the time at which a run gives up, µs. @throws RangeError for an invalid option. */
function giveUpUsOf({ faults, startUs }: World, { desyncMs }: Scenario, options: SimulationOptions): number {
  const lastStartMs = startUs.reduce((last, us) => Math.max(last, us), 1000 * desyncMs) / 1000;
  const { giveUpAfterMs = Math.min(maxRunMs, 60_000 + lastStartMs + healedAtMs(faults.all)) } = options;
  requireNumber('giveUpAfterMs', giveUpAfterMs, 0, maxRunMs);
  return giveUpAfterMs * 1000;
}

/** Creates the recording that the options request. @throws RangeError if the network has too many places. */
function recordingOf(
  { network }: World,
  scheme: AggregationScheme,
  { record }: SimulationOptions,
): RunRecording | undefined {
  if (record === undefined || record === false) return undefined;
  const places = network.regionNames.length;
  if (places > maxRecordedPlaces)
    throw new RangeError(expected('network', `at most ${maxRecordedPlaces} places in a recorded run`, places));
  return new RunRecording(scheme, record === true ? {} : record);
}

/**
 * Returns the scheme of a run. @throws RangeError if the scenario needs a scheme other than the counting scheme and
 * none was passed.
 */
function schemeOf({ scheme }: Scenario, options: SimulationOptions, tree: Tree, stakes?: Stakes): SimulatedScheme {
  if (options.scheme !== undefined) return options.scheme(tree, stakes);
  if (scheme !== 'counting')
    throw new RangeError(
      expected('options.scheme', `a ${scheme} scheme as an argument, because core contains no curve`, undefined),
    );
  const counting = new CountingScheme(tree, stakes);
  return { scheme: counting, individual: (id) => counting.individual(id) };
}
