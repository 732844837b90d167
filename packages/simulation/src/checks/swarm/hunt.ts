import { backOffRule } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { CheckFailed, type ClaimName } from '../../checkers/claims.ts';
import { RunMemory } from '../../engine/runMemory.ts';
import { allFaults } from '../../faults/nodeFaults.ts';
import { createSimulation, type Simulation } from '../../run/simulation.ts';
import { healedAtMs } from '../../scenario/faultPlan.ts';
import { defaultScenario, type Scenario, validateScenario } from '../../scenario/scenario.ts';
import type { SimulationOptions } from '../../world/extensions.ts';
import { shrink } from '../shrink.ts';
import { randomScenario, type SwarmOptions } from './draw.ts';

/** A scenario of the swarm that violates a claim. */
export interface Broken {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly claim: ClaimName;
  /** Claim, place and time of the violation, with the expected and the actual state. */
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

/** Returns the smallest scenario found that violates the same claim; see `shrinkScenario`. */
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

/**
 * Returns the virtual time after the last start and the last healing at which a run is stopped, ms. Every peer is
 * contacted within N periods (v1.03 section 4.1), times the longest gap of back-off. The slowest of the swarm's first
 * 1,200 scenarios took 3 s.
 */
function patienceMs({ nodes, periodMs, backOff }: Scenario): number {
  return 20_000 + (backOff ? backOffRule.longestWaitPerLevel : 2) * nodes * periodMs;
}

/** Runs a scenario until fairness with all checkers. @returns the first violated claim, or undefined. */
export function brokenClaim(
  scenario: Scenario,
  options: Pick<SimulationOptions, 'scheme' | 'memory'> = {},
): CheckFailed | undefined {
  const giveUpAfterMs = Math.min(2_000_000, patienceMs(scenario) + scenario.desyncMs + healedAtMs(allFaults(scenario)));
  const simulation = createSimulation(scenario, { ...options, checkers: true, until: 'fairness', giveUpAfterMs });
  try {
    while (simulation.advance(1 << 20));
    judge(simulation);
    return undefined;
  } catch (error) {
    if (error instanceof CheckFailed) return error;
    return new CheckFailed('robustness', undefined, simulation.nowUs, `expected no exception, got ${error}`, {
      cause: error,
    });
  }
}

/**
 * Checks the claims about a finished run that continued until fairness and had enough time after the end of its last
 * fault. All live honest nodes have given an output (termination), and an output that contains all their contributions
 * (fairness).
 *
 * @throws CheckFailed for the first node without such an output.
 */
export function judge(simulation: Simulation): void {
  const left = simulation.unsatisfied();
  const without = left.find(({ reached }) => !reached);
  if (without !== undefined) {
    throw new CheckFailed(
      'termination',
      without.node,
      simulation.nowUs,
      'expected an output by the end of the run, got none',
    );
  }
  const unfair = left[0];
  if (unfair !== undefined) {
    const what = "expected an output with every live honest node's contribution by the end of the run, got none";
    throw new CheckFailed('fairness', unfair.node, simulation.nowUs, what);
  }
}

/**
 * Shrinks a scenario as long as it still violates the same claim. Tries fewer faults, attacks and nodes, attacks
 * without plans, and the simplest value of every other field. Shrinking is deterministic.
 *
 * @param breaksIt runs a scenario and returns whether it violates that claim.
 */
export function shrinkScenario(scenario: Scenario, breaksIt: (smaller: Scenario) => boolean): Scenario {
  let smallest = shrink(scenario, breaksIt).scenario;
  const tryPlainer = (plainer: Scenario): boolean => {
    if (JSON.stringify(plainer) === JSON.stringify(smallest) || !breaksIt(plainer)) return false;
    smallest = plainer;
    return true;
  };
  // A simplification may make another one possible.
  for (let goesOn = true; goesOn; ) {
    goesOn = false;
    for (const field of plainFields) goesOn = tryPlainer({ ...smallest, [field]: plainest[field] }) || goesOn;
    goesOn =
      tryPlainer({ ...smallest, attacks: smallest.attacks.map(({ name, share }) => ({ name, share })) }) || goesOn;
    goesOn = tryPlainer(shrink(smallest, breaksIt).scenario) || goesOn;
  }
  return smallest;
}

const plainest: Scenario = { ...defaultScenario, network: 'constant:10' };

/** Fields that the first call of `shrink` handles. The last call of `shrink` tries these fields again. */
const shrunkOtherwise: readonly string[] = [
  'protocol',
  'nodes',
  'seed',
  'without',
  'attacks',
  'faults',
] satisfies (keyof Scenario)[];

/** All other fields, the most important first. */
const plainFields = [...new Set(['dead', 'desyncMs', 'network', ...Object.keys(defaultScenario)])].filter(
  (field) => !shrunkOtherwise.includes(field),
) as readonly (keyof Scenario)[];
