import {
  type AggregationScheme,
  type Contribution,
  type ForgingScheme,
  ForwardingPort,
  type Port,
  type ProtocolNode,
} from '@tutti/core';
import type { Scenario } from '../scenario/scenario.ts';
import { type Carrier, LinkFaults } from './linkFaults.ts';
import {
  type Injected,
  InjectedCounts,
  type NodeFaults,
  type Outage,
  type OutageKind,
  type PlannedFaults,
} from './nodeFaults.ts';

/** A node's own clock, with an offset at the common origin and its own rate. */
class FaultyClock {
  readonly #skewUs: number;
  readonly #rate: number;

  /** @param rate the clock's seconds per true second, greater than 0. */
  constructor(skewUs: number, rate: number) {
    this.#skewUs = skewUs;
    this.#rate = rate;
  }

  /** Returns the clock's reading at a true time, integer µs; negative if the clock is behind the common origin. */
  shows(trueUs: number): number {
    return this.#skewUs + Math.round(trueUs * this.#rate);
  }

  /** Returns the true time, at least 1 µs, that passes while the clock advances by the given delay. */
  trueDelayUs(delayUs: number): number {
    return Math.max(1, Math.round(delayUs / this.#rate));
  }
}

/** Maximum delay of an action, µs: 3.2 days, longer than any run. A slow clock or a slow node may delay by more. */
const maxDelayUs = 2 ** 38;

/** Requests of a faulty node whose answers its wrapper passes on or discards. */
type AnsweredRequests = Required<Pick<Port, 'setTimer' | 'verify' | 'verifyBatch'>>;

/** A faulty node's port to its runtime, which presents the node's own clock to the node. */
class FaultyPort extends ForwardingPort {
  readonly #clock: FaultyClock;
  readonly #requests: AnsweredRequests;

  constructor(port: Port, clock: FaultyClock, requests: AnsweredRequests) {
    super(port);
    this.#clock = clock;
    this.#requests = requests;
  }

  override nowUs(): number {
    return this.#clock.shows(super.nowUs());
  }

  override setTimer(delayUs: number, timer: number): void {
    this.#requests.setTimer(this.#clock.trueDelayUs(delayUs), timer);
  }

  override verify(...request: Parameters<AnsweredRequests['verify']>): number {
    return this.#requests.verify(...request);
  }

  override verifyBatch(...request: Parameters<AnsweredRequests['verifyBatch']>): number {
    return this.#requests.verifyBatch(...request);
  }
}

/** Options of a {@link FaultyNode}. */
export interface FaultyNodeOptions {
  readonly faults: NodeFaults;
  readonly port: Port;
  readonly scheme: AggregationScheme;
  /** Creates the node that follows the protocol: once at the start, and again after each loss of state. */
  make(port: Port): ProtocolNode;
  /** Called before a new node replaces a node that has lost its state. */
  onStateLost(): void;
  /** Called once for each fault that the wrapper injects. */
  count(what: Injected): void;
}

const countedAs: Readonly<Record<OutageKind, Injected>> = {
  pause: 'pause',
  kept: 'restart',
  lost: 'restart',
  crash: 'crash',
};

/**
 * An honest node with its planned faults: during an outage, or forever, the node gets no events. The wrapper satisfies
 * a runtime's contract, so the wrapped node notices nothing except the time.
 */
export class FaultyNode implements ProtocolNode {
  readonly #options: FaultyNodeOptions;
  readonly #clock: FaultyClock;
  #node: ProtocolNode;
  /** Number of times that the node has lost its state. Requests made before a loss of state are not answered. */
  #incarnation = 0;
  /** Whether the start was passed on. A node that has lost its state starts again. */
  #isStarted = false;
  #outage: Outage | undefined;
  /** Calls to make when the node is back, in chronological order. */
  #waiting: (() => void)[] = [];
  /** Actions for timers of the runtime, by the timer's number. */
  readonly #due = new Map<number, () => void>();
  #timers = 0;
  /** Time at which each unanswered verification was requested, by ticket, µs. */
  readonly #requestedUs = new Map<number, number>();
  /** Tickets of verifications in progress when the node lost its state. */
  readonly #forgotten = new Set<number>();

  constructor(options: FaultyNodeOptions) {
    const { faults, count } = options;
    this.#options = options;
    this.#clock = new FaultyClock(faults.skewUs, faults.rate);
    if (faults.skewUs !== 0) count('skew');
    if (faults.rate !== 1) count('drift');
    for (const outage of faults.outages) {
      this.#after(outage.fromUs, () => this.#goDown(outage));
      if (outage.untilUs !== Number.POSITIVE_INFINITY) this.#after(outage.untilUs, () => this.#comeBack(outage));
    }
    this.#node = this.#begin();
  }

  start(): void {
    this.#isStarted = true;
    this.#deliver(() => this.#node.start());
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const { scheme, count } = this.#options;
    if (this.#outage === undefined) {
      this.#node.onMessage(from, level, aggregate, individual, flags);
    } else if (this.#outage.kind === 'pause') {
      scheme.retain(aggregate);
      scheme.retain(individual);
      this.#waiting.push(() => {
        this.#node.onMessage(from, level, aggregate, individual, flags);
        scheme.release(aggregate);
        scheme.release(individual);
      });
    } else {
      count('missed');
    }
  }

  onTimer(timer: number): void {
    const action = this.#due.get(timer);
    this.#due.delete(timer);
    action?.();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#answer(ticket, () => this.#node.onVerified(ticket, valid));
  }

  onBatchVerified(ticket: number, verdicts: readonly boolean[]): void {
    this.#answer(ticket, () => this.#node.onBatchVerified!(ticket, verdicts));
  }

  /**
   * Passes the result of a verification to the node, later if the node was slow, and never if the state that requested
   * the verification is lost.
   */
  #answer(ticket: number, handle: () => void): void {
    const requestedUs = this.#requestedUs.get(ticket);
    if (requestedUs === undefined) return;
    this.#requestedUs.delete(ticket);
    const event = (): void => this.#deliver(handle);
    const tookUs = this.#options.port.nowUs() - requestedUs;
    const moreUs = Math.round(tookUs * (this.#slownessAt(requestedUs) - 1));
    if (moreUs < 1) event();
    else this.#after(moreUs, this.#inThisIncarnation(event));
  }

  /** Returns whether the verification with the given ticket was requested before the node lost its state. */
  hasForgotten(ticket: number): boolean {
    return this.#forgotten.has(ticket);
  }

  #begin(): ProtocolNode {
    const { port, make } = this.#options;
    return make(
      new FaultyPort(port, this.#clock, {
        setTimer: (delayUs, timer) =>
          this.#after(
            delayUs,
            this.#inThisIncarnation(() => this.#deliver(() => this.#node.onTimer(timer))),
          ),
        verify: (...request) => this.#noteRequest(port.verify(...request)),
        verifyBatch: (...request) => this.#noteRequest(port.verifyBatch!(...request)),
      }),
    );
  }

  /** Records the time at which a verification was requested. @returns the given ticket. */
  #noteRequest(ticket: number): number {
    const { port, count } = this.#options;
    const nowUs = port.nowUs();
    this.#requestedUs.set(ticket, nowUs);
    if (this.#slownessAt(nowUs) > 1) count('slow-nodes');
    return ticket;
  }

  #goDown(outage: Outage): void {
    this.#outage = outage;
    this.#options.count(countedAs[outage.kind]);
  }

  #comeBack({ kind }: Outage): void {
    this.#outage = undefined;
    if (kind === 'lost') {
      this.#incarnation++;
      for (const ticket of this.#requestedUs.keys()) this.#forgotten.add(ticket);
      this.#requestedUs.clear();
      this.#options.onStateLost();
      this.#node = this.#begin();
      if (this.#isStarted) this.#node.start();
    } else {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const event of waiting) event();
    }
  }

  /**
   * Passes an event to the node, now or when the node is back; discards the event if the node never comes back, or
   * comes back without its state.
   */
  #deliver(event: () => void): void {
    if (this.#outage === undefined) event();
    else if (this.#outage.kind === 'pause' || this.#outage.kind === 'kept') this.#waiting.push(event);
  }

  /** Returns an action that does nothing once the node has lost its current state. */
  #inThisIncarnation(action: () => void): () => void {
    const incarnation = this.#incarnation;
    return () => {
      if (incarnation === this.#incarnation) action();
    };
  }

  /** Calls an action after a true delay. */
  #after(delayUs: number, action: () => void): void {
    this.#due.set(++this.#timers, action);
    this.#options.port.setTimer(Math.min(maxDelayUs, delayUs), this.#timers);
  }

  /** Returns the factor by which a verification takes longer if it begins at the given true time. */
  #slownessAt(timeUs: number): number {
    let factor = 1;
    for (const { fromUs, untilUs, factor: more } of this.#options.faults.slow) {
      if (timeUs >= fromUs && timeUs < untilUs) factor *= more;
    }
    return factor;
  }
}

/** Functions of a run that its faults call. */
export interface FaultHost extends Carrier {
  /** Handles the loss of a node's state, which voids the node's promises and outputs. */
  forget(id: number): void;
}

/** The faults of a run: faults of all nodes' messages, and faults of the honest nodes that the plan names. */
export class RunFaults {
  readonly links: LinkFaults;
  readonly counts = new InjectedCounts();
  readonly #scheme: ForgingScheme;
  readonly #host: FaultHost;
  readonly #byNode: ReadonlyMap<number, NodeFaults>;
  readonly #faulty = new Map<number, FaultyNode>();

  constructor(
    { nodes, seed, authenticated }: Scenario,
    { all: faults, byNode }: PlannedFaults,
    scheme: ForgingScheme,
    host: FaultHost,
  ) {
    this.#scheme = scheme;
    this.#host = host;
    this.#byNode = byNode;
    this.links = new LinkFaults({ faults, nodes, seed, scheme, authenticated, carrier: host, counts: this.counts });
  }

  /** Returns the node created by `make`, with its planned faults. */
  around(id: number, port: Port, make: (port: Port) => ProtocolNode): ProtocolNode {
    const faults = this.#byNode.get(id);
    if (faults === undefined) return make(port);
    const node = new FaultyNode({
      faults,
      port,
      scheme: this.#scheme,
      make,
      onStateLost: () => this.#host.forget(id),
      count: (what) => this.counts.count(what),
    });
    this.#faulty.set(id, node);
    return node;
  }

  /** Returns whether the verification with the given ticket was requested before the node lost its state. */
  isForgotten(id: number, ticket: number): boolean {
    return this.#faulty.get(id)?.hasForgotten(ticket) === true;
  }
}
