import {
  checkHornParameters,
  defaultHornParameters,
  type HornParameters,
  type HornSystem,
  hornSystems,
} from '@tutti/core/horn';
import { expected, requireFieldsOf, requireInteger, requireNumber, requireThreshold } from '@tutti/core/internal';
import { checkHornAttacks } from '../horn/attacks.ts';
import { machines } from '../horn/costs/machines.ts';
import type { VerificationCosts } from '../horn/costs/verification.ts';
import type { AttackShare } from '../scenario/scenario.ts';

/** A slot as data: with the version of the code, all that it takes to reproduce it. */
export interface SlotScenario extends VerificationCosts {
  readonly system: HornSystem;
  readonly parameters: HornParameters;
  /** D, the degree of every topic's mesh. Ethereum's specification aims at 8 and keeps to 6 to 12. */
  readonly degree: number;
  /** A network's name, as `createNetwork` takes it. */
  readonly network: string;
  /** Share of the validators that are behind Tor, in [0, 1]. */
  readonly tor: number;
  /** Share of the validators that are dead from the beginning, in [0, 1); the count is rounded down. */
  readonly dead: number;
  /**
   * Eve's validators by what they do, names of `hornAttacks`; each attack has validators of its own. Counts are rounded
   * down.
   */
  readonly attacks: readonly AttackShare[];
  /** Clocks are behind by a time drawn uniformly from [0, desyncMs) ms. */
  readonly desyncMs: number;
  /** Share of the live honest voters whose votes are waited for, in (0, 1], rounded up; or their count, 2 or more. */
  readonly threshold: number;
  /** An integer, 0 to 2^32 - 1. */
  readonly seed: number;
}

/** Horn at the post's size, on Handel's network; every machine is the post's second laptop. */
export const defaultSlotScenario: SlotScenario = {
  system: 'horn',
  parameters: defaultHornParameters,
  degree: 8,
  network: 'aws',
  tor: 0,
  dead: 0,
  attacks: [],
  desyncMs: 0,
  threshold: 0.99,
  verifyMs: machines['i7-8550U'].verifyMs,
  additionNs: machines['i7-8550U'].additionNs,
  keySums: 'naive',
  seed: 1,
};

/** @throws RangeError naming the field, what was expected and what came; TypeError for one that is missing or unknown. */
export function checkSlotScenario(scenario: SlotScenario): void {
  requireFieldsOf('scenario', scenario, defaultSlotScenario, 'defaultSlotScenario');
  const { parameters, threshold } = scenario;
  requireOneOf('system', scenario.system, hornSystems);
  checkHornParameters(parameters);
  requireInteger('validators', parameters.validators, 1, 2 ** 20);
  requireInteger('rounds', parameters.rounds, 3, 64);
  requireNumber('slotSeconds', parameters.slotSeconds + parameters.addedSeconds, 0.001, 600);
  requireInteger('degree', scenario.degree, 1, 1024);
  requireNumber('tor', scenario.tor, 0, 1);
  requireNumber('dead', scenario.dead, 0, 1);
  if (scenario.dead === 1) throw new RangeError(expected('dead', 'a number from 0 and under 1', scenario.dead));
  checkHornAttacks(scenario.attacks, scenario.dead);
  requireNumber('desyncMs', scenario.desyncMs, 0, 600_000);
  requireThreshold('threshold', threshold, parameters.validators);
  requireNumber('verifyMs', scenario.verifyMs, 0, 60_000);
  requireNumber('additionNs', scenario.additionNs, 0, 1e6);
  requireOneOf('keySums', scenario.keySums, ['naive', 'subtracting']);
  requireInteger('seed', scenario.seed, 0, 2 ** 32 - 1);
}

function requireOneOf(label: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new RangeError(expected(label, allowed.join(' or '), value));
}
