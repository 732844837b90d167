import { expected, requireInteger, requireObject } from '@tutti/core/input';
import { runningEveryMessage } from './network/everyMessage.ts';
import type { SampleSizes } from './network/layerSamples.ts';
import { runningSampled } from './network/sampledRun.ts';
import type { SlotRun } from './network/slotRun.ts';
import { createPostWorld } from './postWorld.ts';
import { SlotLog } from './slotLog.ts';
import {
  type SlotMode,
  type SlotRecording,
  type SlotResult,
  slotModes,
  slotRecording,
  slotResult,
} from './slotResult.ts';
import { type SlotScenario, validateSlotScenario } from './slotScenario.ts';
import { createSlotWorld, type SlotWorld } from './slotWorld.ts';

/** Maximum number of validators if every message is simulated. */
const maxSingly = 2 ** 15;
/**
 * Sample sizes for larger slots: whole subnets of the post's size, and enough nodes of larger topics for an
 * extrapolation.
 */
const sampleSizes: SampleSizes = { subnets: 8, committeeTopics: 2, nodes: 384, messages: 2048 };

/** Options of a simulated slot. */
export interface SlotOptions {
  /** Simulation mode; `messages` allows up to 32,768 validators. Default: statistical. */
  readonly mode?: SlotMode;
  /**
   * Maximum number of observed full nodes, including the proposer, in the statistical mode. Default: 128. In the mode
   * `messages`, all full nodes are observed.
   */
  readonly observers?: number;
}

/**
 * Creates one slot of Horn, of the status quo or of the strawman, ready to be advanced (Horn: "Horn Protocol", "A
 * strawman proposal").
 *
 * @throws RangeError naming the invalid field of the scenario or the invalid option; TypeError for a missing or unknown
 * field.
 */
export function createSlot(scenario: SlotScenario, options: SlotOptions = {}): Slot {
  return new Slot(scenario, options);
}

/** A slot that can be advanced piece by piece, so that a page stays responsive and long work can be stopped. */
export class Slot {
  readonly scenario: SlotScenario;
  readonly mode: SlotMode;
  readonly #world: SlotWorld;
  readonly #log: SlotLog;
  readonly #pieces: Generator<number, void>;
  #progress = 0;

  constructor(scenario: SlotScenario, options: SlotOptions) {
    validateSlotScenario(scenario);
    requireObject('options', options);
    const { mode = 'statistical', observers = 128 } = options;
    if (!slotModes.includes(mode)) throw new RangeError(expected('options.mode', slotModes.join(' or '), mode));
    requireInteger('options.observers', observers, 1, 2 ** 20);
    if (mode === 'messages') requireInteger('validators', scenario.parameters.validators, 1, maxSingly);
    this.scenario = scenario;
    this.mode = mode;
    this.#world = createSlotWorld(scenario);
    this.#log = new SlotLog(this.#world);
    this.#pieces = this.#running(mode === 'messages' ? Number.POSITIVE_INFINITY : observers);
    // The first step creates the network, and throws if its name is unknown.
    this.advance(1);
  }

  /** Progress of the slot, 0 to 1. */
  get progress(): number {
    return this.#progress;
  }

  /**
   * Advances by at most the given number of steps. If every message is simulated, a step is 2 ms of the slot. In the
   * statistical mode, a step is a topic, which takes up to about a second at 2^20 validators. In both modes, the
   * evaluation of each observed full node is one more step. Returns false once the slot is over.
   *
   * @param maxSteps number of steps from 1.
   */
  advance(maxSteps: number): boolean {
    requireInteger('maxSteps', maxSteps, 1, Number.MAX_SAFE_INTEGER);
    for (let left = maxSteps; left > 0 && this.#progress < 1; left--) {
      const { done, value } = this.#pieces.next();
      this.#progress = done === true ? 1 : Math.min(0.99, value);
    }
    return this.#progress < 1;
  }

  /**
   * Simulates the slot step by step.
   *
   * @param observers maximum number of observed full nodes.
   */
  *#running(observers: number): Generator<number, void> {
    const log = this.#log;
    const { alive, proposer } = this.#world;
    const world = createPostWorld(this.scenario, this.#world);
    yield 0;
    const pieces = this.mode === 'messages' ? runningEveryMessage(world, log) : runningSampled(world, sampleSizes, log);
    let run: SlotRun;
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) {
        run = value;
        break;
      }
      yield 0.9 * value;
    }
    const honest = [...run.observers.keys()].filter((index) => alive[run.observers[index]!] === 1);
    const first = honest.filter((index) => run.observers[index] === proposer);
    const others = honest.filter((index) => run.observers[index] !== proposer);
    const watched = [...first, ...others.slice(0, observers - 1)];
    const { counted } = log;
    for (const [turn, index] of watched.entries()) {
      log.observe(run, index, counted, turn === 0);
      yield 0.9 + (0.1 * turn) / watched.length;
    }
    log.countCopies(this.scenario.degree);
  }

  /** Returns the result of the slot so far. */
  result(): SlotResult {
    return slotResult(this.scenario, this.mode, this.#world, this.#log, this.#progress === 1);
  }

  /** Returns the recording of the slot so far. */
  recording(): SlotRecording {
    return slotRecording(this.result(), this.#world, this.#log);
  }
}
