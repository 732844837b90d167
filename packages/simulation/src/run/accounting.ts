import type { AggregationScheme, Contribution, HandelNode } from '@tutti/core';
import type { Checkers } from '../checkers/checkers.ts';
import { batchChecks } from '../engine/batchChecks.ts';
import { Cores } from '../engine/cpu.ts';
import { Deferred } from '../engine/deferred.ts';
import type { EventQueue } from '../engine/eventQueue.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { EventReader } from '../speed/prefetcher.ts';
import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';
import type { RunRecording } from './runRecording.ts';

/**
 * How a run writes an event as the queue's four integers. The head has the node's id, the event's kind over it, and
 * {@link hasWaited}; the others, by kind:
 *
 * - a start: nothing;
 * - a message: b has the sender, the level and the flags, c and d the aggregate and the individual contribution;
 * - a timer: b is the node's number for it;
 * - a verification: b is its ticket; of one contribution c is 1 if it is valid and d is 0; of a batch c has a bit for
 *   each verdict and d their number; d is {@link inDeferred} where c is the place to ask for the verdict with.
 */
export const EventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;

export const idBits = 20;
export const idMask = (1 << idBits) - 1;
export const levelShift = idBits;
export const levelMask = 31;
export const flagsShift = idBits + 5;

/** In the head of an event that has waited for its core. */
export const hasWaited = 1 << (idBits + 2);

/** In the place of a verification's count of verdicts: the verdict is still to be asked for. */
export const inDeferred = -1;

/** For what is read ahead. */
export const readEvent: EventReader = {
  receiver: (head) => head & idMask,
  level: (head, b) => (((head >>> idBits) & 3) === EventKind.message ? (b >>> levelShift) & levelMask : 0),
  sender: (b) => b & idMask,
};

/** What accounts are kept for. */
interface AccountingOptions {
  readonly scenario: Scenario;
  readonly world: World;
  readonly scheme: AggregationScheme;
  readonly queue: EventQueue;
  readonly metrics: Metrics;
  readonly recording: RunRecording | undefined;
  readonly checkers: Checkers | undefined;
  /** The node of Handel that has chosen what it has verified, if it has; for the checkers. */
  readonly chooser: (id: number) => HandelNode | undefined;
}

/**
 * Charges what nodes do to their CPUs: verifications, and messages where nodes share cores. Verdicts come when the
 * CPU has done its work.
 */
export class Accounting {
  readonly #scheme: AggregationScheme;
  readonly #queue: EventQueue;
  readonly #metrics: Metrics;
  readonly #recording: RunRecording | undefined;
  readonly #checkers: Checkers | undefined;
  readonly #chooser: (id: number) => HandelNode | undefined;
  /** What a verification costs each node, and what each key that it adds up costs it more, microseconds. */
  readonly #costUs: Int32Array;
  readonly #perKeyUs: Float64Array | undefined;
  /** The cores that nodes share, where they do, and what a message costs each node on them, microseconds. */
  readonly #cores: Cores | undefined;
  readonly #messageUs: Int32Array;
  readonly #sliceUs: number;
  /** Verifications whose verdicts are not needed yet, where the scheme verifies many for less than one at a time. */
  readonly #deferred: Deferred | undefined;

  constructor(options: AccountingOptions) {
    const { scenario, world, scheme, queue, metrics, recording, checkers, chooser } = options;
    const { nodesPerCore, perKeyUs, perMessageUs, sliceMs } = scenario.cpu;
    const { machine, region } = world.network;
    this.#scheme = scheme;
    this.#queue = queue;
    this.#metrics = metrics;
    this.#recording = recording;
    this.#checkers = checkers;
    this.#chooser = chooser;
    this.#costUs = timesEach(scenario.verifyMs * 1000, world.cpuFactor, 1);
    this.#perKeyUs = perKeyUs === 0 ? undefined : Float64Array.from(world.cpuFactor, (factor) => perKeyUs * factor);
    this.#cores = nodesPerCore === 0 ? undefined : new Cores(machine ?? region, nodesPerCore, scenario.seed);
    this.#messageUs = timesEach(perMessageUs, world.cpuFactor, 0);
    this.#sliceUs = Math.round(sliceMs * 1000);
    // Checkers look at verdicts at once.
    this.#deferred = scheme.verifyBatch === undefined || checkers !== undefined ? undefined : new Deferred(scheme);
  }

  get sharesCores(): boolean {
    return this.#cores !== undefined;
  }

  /** When a message that a node sends now leaves it. */
  leavesUs(from: number, nowUs: number): number {
    return this.#cores === undefined ? nowUs : this.#cores.work(from, nowUs, this.#messageUs[from]!);
  }

  /** When the core that a node shares gets to a message that arrives now, which is work for it. */
  takenUs(id: number, nowUs: number): number {
    const beginUs = this.#cores!.freeUs(id, nowUs);
    this.#cores!.work(id, nowUs, this.#messageUs[id]!);
    return beginUs;
  }

  /** When the core that a node shares gets to a timer that runs out now: a slice later where it is at work. */
  timerUs(id: number, nowUs: number): number {
    const beginUs = this.#cores!.freeUs(id, nowUs);
    return beginUs === nowUs ? nowUs : beginUs + this.#sliceUs;
  }

  /** Verifies a contribution. @returns the ticket: how many contributions the node has had verified. */
  verify(id: number, contribution: Contribution, level: number, sender: number): number {
    const deferred = this.#deferred;
    const ticket = ++this.#metrics.checked[id]!;
    const valid = deferred !== undefined || this.#scheme.verify(contribution);
    this.#checkers?.onVerify(id, this.#chooser(id), level, sender, contribution, valid);
    const weight = this.#scheme.weight(contribution);
    const endUs = this.#charge(id, this.#costUs[id]!, weight, 1);
    const line = this.#write(id, level, sender, weight, endUs);
    if (deferred !== undefined) {
      const place = deferred.ask(contribution, (isValid) => {
        if (!isValid) this.#countInvalid(id, line, weight);
      });
      this.#answer(id, endUs, ticket, place, inDeferred);
    } else {
      if (!valid) this.#countInvalid(id, line, weight);
      this.#answer(id, endUs, ticket, valid ? 1 : 0, 0);
    }
    return ticket;
  }

  /** Verifies a batch, for what the kernel's checks of it cost. @returns the ticket, as that of its last. */
  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number {
    const scheme = this.#scheme;
    this.#metrics.checked[id]! += contributions.length;
    const ticket = this.#metrics.checked[id]!;
    const verdicts = scheme.verifyBatch?.(contributions) ?? contributions.map((one) => scheme.verify(one));
    this.#checkers?.onVerifyBatch(id, this.#chooser(id), levels, senders, contributions, verdicts);
    const { checks, cost } = batchChecks(verdicts);
    const weights = contributions.map((one) => scheme.weight(one));
    const keys = weights.reduce((sum, weight) => sum + weight, 0);
    const endUs = this.#charge(id, Math.max(1, Math.round(cost * this.#costUs[id]!)), keys, checks);
    let bits = 0;
    for (const [place, valid] of verdicts.entries()) {
      const line = this.#write(id, levels[place]!, senders[place]!, weights[place]!, endUs);
      if (valid) bits |= 1 << place;
      else this.#countInvalid(id, line, weights[place]!);
    }
    this.#answer(id, endUs, ticket, bits, contributions.length);
    return ticket;
  }

  /** The verdict that was deferred to that place. */
  deferredVerdict(place: number): boolean {
    return this.#deferred!.answer(place);
  }

  /** Verifies whatever was deferred, so that what is invalid is counted. */
  settle(): void {
    this.#deferred?.settle();
  }

  /** Gives the node's CPU checks to do now. @returns when they are done. */
  #charge(id: number, ofChecksUs: number, keys: number, checks: number): number {
    let costUs = ofChecksUs;
    if (this.#perKeyUs !== undefined) costUs += Math.round(keys * this.#perKeyUs[id]!);
    this.#metrics.checks[id]! += checks;
    this.#metrics.checkingUs[id]! += costUs;
    const nowUs = this.#queue.timeUs;
    return this.#cores === undefined ? nowUs + costUs : this.#cores.work(id, nowUs, costUs);
  }

  /** @returns the line's place in the recording, -1 without one. */
  #write(id: number, level: number, sender: number, weight: number, endUs: number): number {
    return this.#recording?.check(this.#queue.timeUs, id, sender, level, weight, endUs) ?? -1;
  }

  #countInvalid(id: number, line: number, weight: number): void {
    this.#metrics.checkedInvalid[id]!++;
    this.#recording?.provedInvalid(line, weight);
  }

  /** What is told to the node at the end: see `eventCode.ts`. */
  #answer(id: number, endUs: number, ticket: number, verdicts: number, count: number): void {
    this.#queue.push(endUs, (EventKind.verified << idBits) | id, ticket, verdicts, count);
  }
}

/** What something costs each node, whole microseconds. */
function timesEach(costUs: number, factors: Float32Array, least: number): Int32Array {
  const each = new Int32Array(factors.length);
  for (let id = 0; id < each.length; id++) each[id] = Math.max(least, Math.round(costUs * factors[id]!));
  return each;
}
