import {
  defaultHornParameters,
  type HornParameters,
  type HornSystem,
  hornSystems,
  validateHornParameters,
} from '@tutti/core/horn';
import {
  defaultsOf,
  durations,
  integers,
  type NumberRange,
  oneOf,
  partialShares,
  requireAllIn,
  requireFieldsOf,
  requireIn,
  requireThreshold,
  type SettingsOf,
  seconds,
  seedSetting,
  shares,
} from '@tutti/core/input';
import type { AttackShare } from '@tutti/simulation';
import { validateHornAttacks } from '../horn/attacks.ts';
import { defaultMachine, keySumsSetting, machines, type VerificationCosts } from '../horn/costs.ts';

/** A slot as data. Together with the version of the code, the data are sufficient to reproduce the slot. */
export interface SlotScenario extends VerificationCosts {
  readonly system: HornSystem;
  readonly parameters: HornParameters;
  /** Degree D of every topic's mesh. Ethereum's specification has a target of 8 and allows 6 to 12. */
  readonly degree: number;
  /** Name of a network, as `createNetwork` takes it. */
  readonly network: string;
  /** Share of the validators that use Tor. Range [0, 1]. */
  readonly tor: number;
  /**
   * Share of the validators that are dead from the start. Range [0, 1). The number of dead validators is rounded down.
   */
  readonly dead: number;
  /**
   * Shares of Byzantine validators by attack, with names of `hornAttacks`. Each attack has its own validators. Counts
   * are rounded down.
   */
  readonly attacks: readonly AttackShare[];
  /** Maximum delay of clocks, ms. Each clock is behind by a uniform time in [0, desyncMs). */
  readonly desyncMs: number;
  /**
   * Threshold: the required share of the live honest voters' votes, in (0, 1], rounded up; or the required number of
   * votes, at least 2.
   */
  readonly threshold: number;
  /** Seed of all random choices. Integer from 0 to 2^32 - 1. */
  readonly seed: number;
}

const { verifyMs, additionNs } = machines[defaultMachine];

/** Range of the time of one addition of two keys, ns. */
export const additions: NumberRange = { ...durations(0, 1e6), unit: 'ns' };

/** Default, range and meaning of each field of a slot with the post's assumptions. */
export const slotSettings: SettingsOf<SlotScenario> = {
  system: { default: 'horn', range: oneOf(hornSystems), about: 'voting system' },
  parameters: {
    default: defaultHornParameters,
    range: { kind: 'own', validate: (_, parameters) => validateHornParameters(parameters) },
    about: 'parameters that determine the costs of a slot',
  },
  degree: { default: 8, range: integers(1, 1024), about: 'number of mesh neighbours' },
  network: { default: 'aws', range: { kind: 'own', validate: () => {} }, about: 'latencies, by name' },
  tor: { default: 0, range: shares, about: 'share of validators behind Tor' },
  dead: { default: 0, range: partialShares, about: 'share of dead validators' },
  attacks: { default: [], range: { kind: 'own', validate: () => {} }, about: "Eve's validators by attack" },
  desyncMs: { default: 0, range: durations(0, 600_000), about: 'maximum delay of a clock' },
  threshold: {
    default: 0.99,
    range: { kind: 'own', validate: () => {} },
    about: 'share of the live voters whose votes a node waits for, or their count',
  },
  verifyMs: { default: verifyMs, range: durations(0, 60_000), about: 'cost of a verification' },
  additionNs: { default: additionNs, range: additions, about: 'time to add two keys' },
  keySums: keySumsSetting,
  seed: seedSetting,
};

/** Default scenario: Horn at the post's size, on Handel's network. Every machine is the post's second laptop. */
export const defaultSlotScenario: SlotScenario = defaultsOf(slotSettings);

/** Ranges of the parameters of a simulated slot. */
export const slotRanges = {
  validators: integers(1, 2 ** 20),
  rounds: integers(3, 64),
  slotSeconds: seconds(0.001, 600),
};

/**
 * Validates a scenario.
 *
 * @throws RangeError naming the field, its range and the value; TypeError for a missing or unknown field.
 */
export function validateSlotScenario(scenario: SlotScenario): void {
  requireFieldsOf('scenario', scenario, defaultSlotScenario, 'defaultSlotScenario');
  requireAllIn(scenario, slotSettings);
  const { parameters } = scenario;
  requireIn('validators', parameters.validators, slotRanges.validators);
  requireIn('rounds', parameters.rounds, slotRanges.rounds);
  requireIn('slotSeconds', parameters.slotSeconds + parameters.addedSeconds, slotRanges.slotSeconds);
  validateHornAttacks(scenario.attacks, scenario.dead);
  requireThreshold('threshold', scenario.threshold, parameters.validators);
}
