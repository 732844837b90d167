import { requireObject } from '@tutti/core/input';
import type { ClaimName } from '../../checkers/claims.ts';
import { RunMemory } from '../../engine/runMemory.ts';
import { type Scenario, validateScenario } from '../../scenario/scenario.ts';
import { randomScenario, type SwarmOptions } from './draw.ts';
import { shrinkScenario } from './shrink.ts';
import { brokenClaim } from './trial.ts';

/** A scenario of the swarm that violates a claim. */
export interface Broken {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly claim: ClaimName;
  /** The claim, the place and the time, with the expected and the actual state. */
  readonly message: string;
}

/** Runs the scenarios of consecutive seeds. @returns the first scenario that violates a claim, or undefined. */
export function hunt(from: number, count: number, options: SwarmOptions = {}): Broken | undefined {
  const memory = new RunMemory();
  for (let seed = from; seed < from + count; seed++) {
    const broken = tryScenario(randomScenario(seed, options), memory);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** Returns the smallest scenario found that violates the same claim, see `shrinkScenario`. */
export function shrinkBroken(broken: Broken): Broken {
  requireObject('broken', broken);
  const { scenario, claim } = broken;
  validateScenario(scenario);
  return tryScenario(shrinkScenario(scenario, (smaller) => brokenClaim(smaller)?.claim === claim))!;
}

/**
 * Runs a scenario with all checkers.
 *
 * @param memory memory of earlier runs, to reuse.
 */
export function tryScenario(scenario: Scenario, memory = new RunMemory()): Broken | undefined {
  validateScenario(scenario);
  const failed = brokenClaim(scenario, { memory });
  return failed && { seed: scenario.seed, scenario, claim: failed.claim, message: failed.message };
}
