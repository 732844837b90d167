import { CountingScheme } from '../contribution/countingScheme.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected, requireNumber } from '../errors.ts';
import { defaultHandelConfig, type HandelConfig } from '../handel/config.ts';
import { HandelMemory } from '../handel/memory.ts';
import { HandelNode } from '../handel/node.ts';
import { IndependentPriorities } from '../overlay/independentPriorities.ts';
import { ShiftedPriorities } from '../overlay/shiftedPriorities.ts';
import { Tree } from '../overlay/tree.ts';
import { type Contribution, type Port, TraceKind } from '../protocol.ts';
import { version } from '../version.ts';
import { messageBytes } from '../wire/message.ts';
import { Checkers } from './checkers.ts';
import { Digest } from './digest.ts';
import { EventQueue } from './eventQueue.ts';
import { Metrics, spread } from './metrics.ts';
import { Recorder } from './recorder.ts';
import { LineKind, type Recording, type RecordingOptions } from './recording.ts';
import type { RunResult } from './result.ts';
import { checkScenario, type Scenario } from './scenario.ts';
import { createWorld, type World } from './world.ts';

/** An aggregation scheme with everybody's individual contribution, for a run in which one process plays all nodes. */
export interface SimulatedScheme {
  readonly scheme: AggregationScheme;
  /** The individual contribution of a node, retained once for the caller. */
  individual(id: number): Contribution;
}

export interface SimulationOptions {
  /** Needed for `scheme: 'bls'`, since core holds no curve; the default is the counting scheme. */
  readonly scheme?: (tree: Tree) => SimulatedScheme;
  /** Keep a line of every step, or of some, for {@link Simulation.recording}. Default false. */
  readonly record?: boolean | RecordingOptions;
  /** Check the paper's claims after every event and throw {@link CheckFailed} at the first that is broken. Default false. */
  readonly checkers?: boolean;
  /**
   * When the run ends: once every live node has given an output (`threshold`, the default), or once every live node's output contains
   * every live node's contribution (`fairness`, v1.03 section 2.4).
   */
  readonly until?: 'threshold' | 'fairness';
  /** Virtual time at which a run that does not end is given up, ms. Default: 60,000 after the last start. */
  readonly giveUpAfterMs?: number;
}

/** Kinds of events, in the bits of an event's head over the node's id. */
const eventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;
const idBits = 20;
const idMask = (1 << idBits) - 1;
const levelShift = idBits;
const flagsShift = idBits + 5;

/**
 * Makes a run of a scenario, ready to be advanced.
 *
 * @throws RangeError naming the field of the scenario that is wrong.
 */
export function createSimulation(scenario: Scenario, options: SimulationOptions = {}): Simulation {
  return new Simulation(scenario, options);
}

/** Runs a scenario to its end. */
export function simulate(scenario: Scenario, options: SimulationOptions = {}): RunResult {
  const simulation = createSimulation(scenario, options);
  while (simulation.advance(1 << 20));
  return simulation.result();
}

/**
 * A run under virtual time that can be advanced piece by piece, so that a page stays responsive and long work can be stopped. It hosts the
 * nodes: gives messages an arrival time, charges verifications to each node's CPU, and counts.
 */
export class Simulation {
  readonly scenario: Scenario;
  /** The scheme that the run's contributions belong to. */
  readonly scheme: AggregationScheme;
  readonly #world: World;
  readonly #queue = new EventQueue();
  readonly #nodes: (HandelNode | undefined)[] = [];
  readonly #metrics: Metrics;
  readonly #digest = new Digest();
  readonly #recorder: Recorder | undefined;
  /** The recorder when it keeps sends, which are nine lines in ten. */
  readonly #sendRecorder: Recorder | undefined;
  /** The recorder keeps who is in for levels of up to so many peers. */
  readonly #setsUpTo: number;
  readonly #checkers: Checkers | undefined;
  readonly #costUs: Int32Array;
  readonly #giveUpUs: number;
  readonly #target: number;
  readonly #outputWeight: Int32Array;
  #satisfied = 0;
  #reached = 0;
  #events = 0;
  #delivered = 0;
  #heaviest: { readonly node: number; readonly contribution: Contribution } | undefined;

  constructor(scenario: Scenario, options: SimulationOptions) {
    checkScenario(scenario);
    const { nodes, seed } = scenario;
    const giveUpAfterMs = options.giveUpAfterMs ?? 60_000 + scenario.desyncMs;
    requireNumber('giveUpAfterMs', giveUpAfterMs, 0, 2_000_000);
    if (scenario.scheme === 'bls' && options.scheme === undefined) {
      throw new RangeError(expected('options.scheme', 'a BLS scheme handed in, for core holds no curve', undefined));
    }
    const tree = new Tree(nodes);
    const simulated = (options.scheme ?? countingScheme)(tree);
    this.scenario = scenario;
    this.scheme = simulated.scheme;
    this.#world = createWorld(scenario);
    this.#metrics = new Metrics(nodes);
    this.#recorder = options.record ? new Recorder() : undefined;
    const keepsSends = typeof options.record !== 'object' || options.record.sends !== false;
    this.#sendRecorder = keepsSends ? this.#recorder : undefined;
    const setsUpTo = typeof options.record === 'object' ? options.record.setsUpTo : undefined;
    if (setsUpTo !== undefined) requireNumber('setsUpTo', setsUpTo, 0, 2 ** 20);
    this.#setsUpTo = setsUpTo ?? nodes;
    this.#checkers = options.checkers ? new Checkers(this.scheme, this.#world) : undefined;
    this.#costUs = Int32Array.from(this.#world.cpuFactor, (factor) =>
      Math.max(1, Math.round(scenario.verifyMs * 1000 * factor)),
    );
    this.#giveUpUs = giveUpAfterMs * 1000;
    this.#target = options.until === 'fairness' ? this.#world.live : 1;
    this.#outputWeight = new Int32Array(nodes);

    const priorities =
      scenario.priorities === 'shifted' ? new ShiftedPriorities(nodes, seed) : new IndependentPriorities(nodes, seed);
    // Field by field, for a spread gives each run's object another shape, and the compiled code of the run before is thrown away.
    const config: HandelConfig = {
      threshold: this.#world.threshold,
      disseminationPeriodMs: scenario.periodMs,
      levelStartMs: scenario.levelStartMs,
      fastPathPeers: scenario.fastPath,
      window: defaultHandelConfig.window,
    };
    const memory = new HandelMemory({ config, scheme: this.scheme, priorities });
    for (let id = 0; id < nodes; id++) {
      if (this.#world.alive[id] === 0) {
        this.#nodes.push(undefined);
        continue;
      }
      const own = simulated.individual(id);
      const port = new SimulatedPort(this, id);
      this.#nodes.push(new HandelNode({ id, config, scheme: this.scheme, priorities, own, port, memory }));
      this.scheme.release(own);
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

  /** Handles up to `maxEvents` events; false once the run has ended. */
  advance(maxEvents: number): boolean {
    const queue = this.#queue;
    for (let left = maxEvents; left > 0; left--) {
      if (this.#satisfied === this.#world.live || !queue.next()) return false;
      if (queue.timeUs > this.#giveUpUs) return false;
      this.#handle(queue.timeUs, queue.head, queue.b, queue.c, queue.d);
    }
    return this.#satisfied < this.#world.live;
  }

  result(): RunResult {
    const { nodes, seed } = this.scenario;
    const { alive, live } = this.#world;
    const metrics = this.#metrics;
    const isLive = (id: number): boolean => alive[id] === 1;
    return {
      scenario: this.scenario,
      seed,
      version,
      digest: this.#digest.toString(),
      nodes,
      live,
      reached: this.#reached,
      timeToThresholdMs: spread(metrics.reachedUs, (id) => metrics.reachedUs[id]! >= 0, 0.001),
      messagesSent: spread(metrics.messagesSent, isLive),
      messagesReceived: spread(metrics.messagesReceived, isLive),
      bytesSent: spread(metrics.bytesSent, isLive),
      checked: spread(metrics.checked, isLive),
      messagesDelivered: this.#delivered,
      events: this.#events,
    };
  }

  /** @throws TypeError when the run was not created with `record`. */
  recording(): Recording {
    if (this.#recorder === undefined)
      throw new TypeError(expected('options.record', 'true, to have a recording', false));
    const { network, alive, startUs, cpuFactor, threshold } = this.#world;
    return {
      scenario: this.scenario,
      result: this.result(),
      world: {
        nodes: this.scenario.nodes,
        levels: this.scheme.tree.levels,
        threshold,
        alive: alive.slice(),
        startUs: startUs.slice(),
        region: network.region.slice(),
        regionNames: network.regionNames,
        cpuFactor: cpuFactor.slice(),
      },
      sends: this.#sendRecorder !== undefined,
      ...this.#recorder.columns(),
    };
  }

  #handle(timeUs: number, head: number, b: number, c: number, d: number): void {
    const id = head & idMask;
    const node = this.#nodes[id]!;
    const digest = this.#digest;
    this.#events++;
    digest.add(timeUs, head);
    switch (head >>> idBits) {
      case eventKind.message:
        digest.add(b, this.scheme.weight(c));
        this.#delivered++;
        this.#metrics.messagesReceived[id]!++;
        node.onMessage(b & idMask, (b >>> levelShift) & 31, c, d, b >>> flagsShift);
        this.scheme.release(c);
        this.scheme.release(d);
        break;
      case eventKind.timer:
        node.onTimer(b);
        break;
      case eventKind.verified:
        this.#checkers?.onVerified(id);
        digest.add(b, c);
        node.onVerified(b, c === 1);
        break;
      case eventKind.start:
        this.#recorder?.line(timeUs, LineKind.start, id, -1, 0, 0, -1);
        node.start();
        break;
    }
    this.#checkers?.afterEvent(node);
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
    const scheme = this.scheme;
    this.#metrics.messagesSent[from]!++;
    this.#metrics.bytesSent[from]! += messageBytes(scheme, aggregate, individual);
    const nowUs = this.#queue.timeUs;
    const lost = this.#world.alive[to] === 0;
    const arrivalUs = nowUs + this.#world.network.oneWayUs(from, to);
    this.#sendRecorder?.line(nowUs, LineKind.send, from, to, level, scheme.weight(aggregate), lost ? -1 : arrivalUs);
    if (lost) return;
    scheme.retain(aggregate);
    scheme.retain(individual);
    const b = from | (level << levelShift) | (flags << flagsShift);
    this.#queue.push(arrivalUs, (eventKind.message << idBits) | to, b, aggregate, individual);
  }

  setTimer(id: number, delayUs: number, timer: number): void {
    this.#queue.push(this.#queue.timeUs + delayUs, (eventKind.timer << idBits) | id, timer, 0, 0);
  }

  /** Charges a verification to the node's CPU; its ticket is how many it has had. */
  verify(id: number, contribution: Contribution, level: number, sender: number): number {
    this.#checkers?.onVerify(id);
    const ticket = ++this.#metrics.checked[id]!;
    const valid = this.scheme.verify(contribution);
    const endUs = this.#queue.timeUs + this.#costUs[id]!;
    const weight = this.scheme.weight(contribution);
    this.#recorder?.line(this.#queue.timeUs, LineKind.check, id, sender, level, valid ? weight : -weight, endUs);
    this.#queue.push(endUs, (eventKind.verified << idBits) | id, ticket, valid ? 1 : 0, 0);
    return ticket;
  }

  output(id: number, contribution: Contribution): void {
    const weight = this.scheme.weight(contribution);
    this.#checkers?.onOutput(id, contribution);
    this.#recorder?.line(this.#queue.timeUs, LineKind.output, id, -1, 0, weight, -1);
    this.#digest.add(id, weight);
    if (this.#metrics.reachedUs[id] === -1) {
      this.#metrics.reachedUs[id] = this.#queue.timeUs;
      this.#reached++;
    }
    if (weight >= this.#target && this.#outputWeight[id]! < this.#target) this.#satisfied++;
    this.#outputWeight[id] = weight;
    if (this.#heaviest === undefined || weight > this.scheme.weight(this.#heaviest.contribution)) {
      if (this.#heaviest !== undefined) this.scheme.release(this.#heaviest.contribution);
      this.scheme.retain(contribution);
      this.#heaviest = { node: id, contribution };
    }
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
    } else if (kind === TraceKind.refused) {
      recorder.line(nowUs, LineKind.refuse, id, peer, level, contribution, -1);
    }
  }
}

/** One node's way to its host. */
class SimulatedPort implements Port {
  readonly #host: Simulation;
  readonly #id: number;
  /** What the node last said that it would have verified. */
  #level = 0;
  #sender = -1;

  constructor(host: Simulation, id: number) {
    this.#host = host;
    this.#id = id;
  }

  nowUs(): number {
    return this.#host.nowUs;
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#host.send(this.#id, to, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.#host.setTimer(this.#id, delayUs, timer);
  }

  verify(contribution: Contribution): number {
    return this.#host.verify(this.#id, contribution, this.#level, this.#sender);
  }

  output(contribution: Contribution): void {
    this.#host.output(this.#id, contribution);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    if (kind === TraceKind.checking) {
      this.#level = level;
      this.#sender = peer;
    } else {
      this.#host.trace(this.#id, kind, level, peer, contribution);
    }
  }
}

function countingScheme(tree: Tree): SimulatedScheme {
  const scheme = new CountingScheme(tree);
  return { scheme, individual: (id) => scheme.individual(id) };
}
