import { requireObject } from '@tutti/core/settings';
import type { ClaimName } from '../../checkers/claims.ts';
import { RunMemory } from '../../engine/runMemory.ts';
import { type Scenario, validateScenario } from '../../scenario/scenario.ts';
import { randomScenario, type SwarmOptions } from './draw.ts';
import { shrinkScenario } from './shrink.ts';
import { brokenClaim } from './trial.ts';

/** A claim that a scenario of the swarm breaks. */
export interface Broken {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly claim: ClaimName;
  /** What was expected, where and when, and what came. */
  readonly message: string;
}

/**
 * Runs the scenarios of consecutive seeds.
 * @returns the first scenario that breaks a claim, or undefined.
 */
export function hunt(from: number, count: number, options: SwarmOptions = {}): Broken | undefined {
  const memory = new RunMemory();
  for (let seed = from; seed < from + count; seed++) {
    const broken = tryScenario(randomScenario(seed, options), memory);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** The smallest scenario found that breaks the same claim, see `shrinkScenario`. */
export function shrinkBroken(broken: Broken): Broken {
  requireObject('broken', broken);
  const { scenario, claim } = broken;
  validateScenario(scenario);
  return tryScenario(shrinkScenario(scenario, (smaller) => brokenClaim(smaller)?.claim === claim))!;
}

/**
 * Runs a scenario with every checker watching.
 *
 * @param memory of runs before, used again.
 */
export function tryScenario(scenario: Scenario, memory = new RunMemory()): Broken | undefined {
  validateScenario(scenario);
  const failed = brokenClaim(scenario, { memory });
  return failed && { seed: scenario.seed, scenario, claim: failed.claim, message: failed.message };
}
