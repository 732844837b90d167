import { expected, requireInteger, requireObject } from '@tutti/core/internal';
import type { SlotEngine } from './engine.ts';
import { MessageSlot } from './messageSlot.ts';
import { type SlotRecording, slotRecording } from './slotRecording.ts';
import { type SlotResult, slotResult } from './slotResult.ts';
import { checkSlotScenario, type SlotScenario } from './slotScenario.ts';
import { createSlotWorld } from './slotWorld.ts';
import { StatisticalSlot } from './statisticalSlot.ts';

/** How a slot is played: with arrival times drawn from what smaller topics showed, or every message singly. */
export const slotModes = ['statistical', 'messages'] as const;
export type SlotMode = (typeof slotModes)[number];

/** The most validators whose messages are played singly. */
const mostSingly = 2 ** 15;

export interface SlotOptions {
  /**
   * Default: statistical. Singly up to 32,768 validators, with powers of two of members in committees and
   * subcommittees.
   */
  readonly mode?: SlotMode;
  /**
   * Full nodes that are watched, the proposer among them, where the mode is statistical; default 128. Otherwise all
   * are.
   */
  readonly observers?: number;
}

/**
 * Makes one slot of Horn, of the status quo or of the strawman, ready to be advanced (Horn: "Horn Protocol", "A
 * strawman proposal").
 *
 * @throws RangeError naming the field of the scenario or the option that is wrong.
 */
export function createSlot(scenario: SlotScenario, options: SlotOptions = {}): Slot {
  return new Slot(scenario, options);
}

/** A slot that can be advanced piece by piece, so that a page stays responsive and long work can be stopped. */
export class Slot {
  readonly scenario: SlotScenario;
  readonly mode: SlotMode;
  readonly #engine: SlotEngine;

  constructor(scenario: SlotScenario, options: SlotOptions) {
    checkSlotScenario(scenario);
    requireObject('options', options);
    const { mode = 'statistical', observers = 128 } = options;
    if (!slotModes.includes(mode)) throw new RangeError(expected('options.mode', slotModes.join(' or '), mode));
    requireInteger('options.observers', observers, 1, 2 ** 20);
    if (mode === 'messages') requireInteger('validators', scenario.parameters.validators, 1, mostSingly);
    this.scenario = scenario;
    this.mode = mode;
    const world = createSlotWorld(scenario);
    this.#engine =
      mode === 'messages' ? new MessageSlot(scenario, world) : new StatisticalSlot(scenario, world, observers);
  }

  /** How far the slot is, 0 to 1. */
  get progress(): number {
    return this.#engine.progress;
  }

  /**
   * Advances by up to this many steps. If messages are played singly, a step is an event; otherwise it is a committee's
   * layer or a full node, which takes some tens of milliseconds at 2^20 validators, except for the first of each layer,
   * which calibrates its topic in about a second. False once the slot is over.
   */
  advance(maxSteps: number): boolean {
    return this.#engine.advance(maxSteps);
  }

  /** What the slot came to so far. */
  result(): SlotResult {
    return slotResult(this.scenario, this.mode, this.#engine);
  }

  recording(): SlotRecording {
    return slotRecording(this.result(), this.#engine.world, this.#engine.log);
  }
}

/** Plays a slot to its end. */
export function playSlot(scenario: SlotScenario, options: SlotOptions = {}): SlotResult {
  const slot = createSlot(scenario, options);
  while (slot.advance(1 << 16));
  return slot.result();
}
