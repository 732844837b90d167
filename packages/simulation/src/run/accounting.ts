import { type AggregationScheme, type Contribution, type HandelNode, largestBatch } from '@tutti/core';
import { requireInteger } from '@tutti/core/input';
import type { Checkers } from '../checkers/checkers.ts';
import { batchChecks } from '../engine/batchChecks.ts';
import { Cores } from '../engine/cpu.ts';
import { DeferredVerdicts } from '../engine/deferredVerdicts.ts';
import { type EventQueue, latestUs } from '../engine/eventQueue.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { World } from '../world/world.ts';
import { EventKind, idBits, inDeferred } from './eventCode.ts';
import type { Metrics } from './metrics.ts';
import type { RunRecording } from './runRecording.ts';

/** Parts of a run that accounting needs. */
interface AccountingOptions {
  readonly scenario: Scenario;
  readonly world: World;
  readonly scheme: AggregationScheme;
  readonly queue: EventQueue;
  readonly metrics: Metrics;
  readonly recording: RunRecording | undefined;
  readonly checkers: Checkers | undefined;
  /** Returns the Handel node that has chosen its own verification, if any; used by the checkers. */
  readonly chooser: (id: number) => HandelNode | undefined;
}

/**
 * Charges the work of nodes to their CPUs: verifications, and messages if nodes share cores. Verdicts arrive when the
 * CPU has finished the work.
 */
export class Accounting {
  readonly #scheme: AggregationScheme;
  readonly #queue: EventQueue;
  readonly #metrics: Metrics;
  readonly #recording: RunRecording | undefined;
  readonly #checkers: Checkers | undefined;
  readonly #chooser: (id: number) => HandelNode | undefined;
  /** Cost of a verification on each node, and additional cost of each key in a verification, µs. */
  readonly #costUs: Int32Array;
  readonly #perKeyUs: Float64Array | undefined;
  /** Shared cores, if any, and the cost of a message for each node on a shared core, µs. */
  readonly #cores: Cores | undefined;
  readonly #messageUs: Int32Array;
  readonly #sliceUs: number;
  /** Verifications with verdicts that are not needed yet, if the scheme can verify several together at a lower cost. */
  readonly #deferred: DeferredVerdicts | undefined;

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
    this.#costUs = costOfEach(scenario.verifyMs * 1000, world.cpuFactor, 1);
    this.#perKeyUs = perKeyUs === 0 ? undefined : Float64Array.from(world.cpuFactor, (factor) => perKeyUs * factor);
    this.#cores = nodesPerCore === 0 ? undefined : new Cores(machine ?? region, nodesPerCore, scenario.seed);
    this.#messageUs = costOfEach(perMessageUs, world.cpuFactor, 0);
    this.#sliceUs = Math.round(sliceMs * 1000);
    // Checkers read verdicts immediately, so nothing can be deferred.
    this.#deferred =
      scheme.verifyBatch === undefined || checkers !== undefined ? undefined : new DeferredVerdicts(scheme);
  }

  /** Whether nodes share cores. */
  get sharesCores(): boolean {
    return this.#cores !== undefined;
  }

  /** Returns the time at which a message that a node sends now leaves the node, µs. */
  leavesUs(from: number, nowUs: number): number {
    return this.#cores === undefined ? nowUs : this.#cores.work(from, nowUs, this.#messageUs[from]!);
  }

  /**
   * Adds the work for a message that arrives now to a shared core.
   *
   * @returns the time at which the core starts to handle it, µs.
   */
  takenUs(id: number, nowUs: number): number {
    const beginUs = this.#cores!.freeUs(id, nowUs);
    this.#cores!.work(id, nowUs, this.#messageUs[id]!);
    return beginUs;
  }

  /**
   * Returns the time at which a shared core handles a timer that expires now, µs: at once, or one time slice after a
   * busy core becomes free.
   */
  timerUs(id: number, nowUs: number): number {
    const beginUs = this.#cores!.freeUs(id, nowUs);
    return beginUs === nowUs ? nowUs : beginUs + this.#sliceUs;
  }

  /**
   * Verifies a contribution. @returns the ticket: the number of contributions that the node has submitted for
   * verification.
   */
  verify(id: number, contribution: Contribution, level: number, sender: number): number {
    const deferred = this.#deferred;
    const ticket = ++this.#metrics.checked[id]!;
    const valid = deferred !== undefined || this.#scheme.verify(contribution);
    this.#checkers?.onVerify(id, this.#chooser(id), [level], [sender], [contribution], [valid]);
    const weight = this.#scheme.weight(contribution);
    const endUs = this.#charge(id, this.#costUs[id]!, weight, 1);
    const line = this.#write(id, level, sender, weight, endUs);
    if (deferred !== undefined) {
      const index = deferred.request(contribution, (isValid) => {
        if (!isValid) this.#countInvalid(id, line, weight);
      });
      this.#answer(id, endUs, ticket, index, inDeferred);
    } else {
      if (!valid) this.#countInvalid(id, line, weight);
      this.#answer(id, endUs, ticket, valid ? 1 : 0, 0);
    }
    return ticket;
  }

  /**
   * Verifies a batch, at the cost of the checks that the kernel makes for the batch.
   *
   * @returns the ticket of the batch's last contribution.
   * @throws RangeError for an empty or too large batch, whose verdicts have no place in an event.
   */
  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number {
    requireInteger('length of a batch', contributions.length, 1, largestBatch);
    const scheme = this.#scheme;
    this.#metrics.checked[id]! += contributions.length;
    const ticket = this.#metrics.checked[id]!;
    const verdicts = scheme.verifyBatch?.(contributions) ?? contributions.map((one) => scheme.verify(one));
    this.#checkers?.onVerify(id, this.#chooser(id), levels, senders, contributions, verdicts);
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

  /** Returns the deferred verdict at the given index. */
  deferredVerdict(index: number): boolean {
    return this.#deferred!.take(index);
  }

  /** Verifies all deferred contributions, so that invalid ones are counted. */
  settle(): void {
    this.#deferred?.settle();
  }

  /** Charges checks to the node's CPU, starting now. @returns the end time of the checks, µs. */
  #charge(id: number, ofChecksUs: number, keys: number, checks: number): number {
    let costUs = ofChecksUs;
    if (this.#perKeyUs !== undefined) costUs = Math.min(latestUs, costUs + Math.round(keys * this.#perKeyUs[id]!));
    this.#metrics.checks[id]! += checks;
    this.#metrics.checkingUs[id]! += costUs;
    const nowUs = this.#queue.timeUs;
    return this.#cores === undefined ? nowUs + costUs : this.#cores.work(id, nowUs, costUs);
  }

  /** Writes a verification to the recording. @returns the line's index, or -1 without a recording. */
  #write(id: number, level: number, sender: number, weight: number, endUs: number): number {
    return this.#recording?.check(this.#queue.timeUs, id, sender, level, weight, endUs) ?? -1;
  }

  #countInvalid(id: number, line: number, weight: number): void {
    this.#metrics.checkedInvalid[id]!++;
    this.#recording?.provedInvalid(line, weight);
  }

  /** Queues the result of a verification; see {@link EventKind}. */
  #answer(id: number, endUs: number, ticket: number, verdicts: number, count: number): void {
    this.#queue.push(endUs, (EventKind.verified << idBits) | id, ticket, verdicts, count);
  }
}

/** Maximum cost of a piece of work, µs; longer than any run. */
const maxCostUs = 2 ** 31 - 1;

/** Returns the cost of a piece of work on each node, at least `min`, whole µs. @param costUs cost on a standard node, µs. */
function costOfEach(costUs: number, factors: Float32Array, min: number): Int32Array {
  const each = new Int32Array(factors.length);
  for (let id = 0; id < each.length; id++)
    each[id] = Math.max(min, Math.min(maxCostUs, Math.round(costUs * factors[id]!)));
  return each;
}
