import { backOffRule } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { CheckFailed, type ClaimName } from '../../checkers/claims.ts';
import { RunMemory } from '../../engine/runMemory.ts';
import { allFaults } from '../../faults/nodeFaults.ts';
import { createSimulation, type Simulation } from '../../run/simulation.ts';
import { healedAtMs } from '../../scenario/faultPlan.ts';
import { defaultScenario, type Scenario, validateScenario } from '../../scenario/scenario.ts';
import { maxRunMs, type SimulationOptions } from '../../world/extensions.ts';
import { canRun, shrink } from '../shrink.ts';
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

/**
 * Shrinks a scenario as long as it violates the same claim. @throws RangeError if the scenario does not violate the
 * claim.
 */
export function shrinkBroken(broken: Broken): Broken {
  requireObject('broken', broken);
  const { scenario, claim } = broken;
  return tryScenario(shrinkScenario(scenario, (smaller) => brokenClaim(smaller)?.claim === claim))!;
}

/**
 * Runs a scenario with all checkers until fairness is reached.
 *
 * @param memory memory of earlier runs, to reuse. @returns the first violated claim, or undefined.
 */
export function tryScenario(scenario: Scenario, memory = new RunMemory()): Broken | undefined {
  validateScenario(scenario);
  const failed = brokenClaim(scenario, { memory });
  return failed && { seed: scenario.seed, scenario, claim: failed.claim, message: failed.message };
}

/** Time for latencies and verifications, which the number of periods does not include, ms. */
const transferMs = 20_000;

/**
 * Returns the virtual time at which a run is stopped, ms. After the last start and the last healing, every peer is
 * contacted within N periods (v1.03 section 4.1). These periods are multiplied by the longest gap of back-off, or by 2
 * without back-off as a safety margin.
 */
function giveUpAfterMs(scenario: Scenario): number {
  const { nodes, periodMs, backOff } = scenario;
  const patienceMs = transferMs + (backOff ? backOffRule.longestWaitPerLevel : 2) * nodes * periodMs;
  return Math.min(maxRunMs, patienceMs + latestStartMs(scenario) + healedAtMs(allFaults(scenario)));
}

/**
 * Returns an upper bound on the nodes' start times, ms. All nodes may share a machine, and a slow clock delays a start.
 */
function latestStartMs({ nodes, desyncMs, cpu, faults }: Scenario): number {
  const behindMs = faults.reduce((sum, fault) => sum + (fault.kind === 'skew' ? Math.max(0, -fault.byMs) : 0), 0);
  return desyncMs + (nodes - 1) * cpu.startsApartMs + behindMs;
}

/** Runs a scenario until fairness with all checkers. @returns the first violated claim, or undefined. */
export function brokenClaim(
  scenario: Scenario,
  options: Pick<SimulationOptions, 'scheme' | 'memory'> = {},
): CheckFailed | undefined {
  const settings = { checkers: true, until: 'fairness', giveUpAfterMs: giveUpAfterMs(scenario) } as const;
  const simulation = createSimulation(scenario, { ...options, ...settings });
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
  const failed = left.find(({ reached }) => !reached) ?? left[0];
  if (failed === undefined) return;
  const what = failed.reached ? "an output with every live honest node's contribution" : 'an output';
  const claim = failed.reached ? 'fairness' : 'termination';
  throw new CheckFailed(claim, failed.node, simulation.nowUs, `expected ${what} by the end of the run, got none`);
}

/**
 * Shrinks a scenario as long as it still violates a claim: fewer faults, attacks and nodes, attacks without plans, and
 * the simplest value of every other field. Shrinking is deterministic.
 *
 * @param breaksIt runs a scenario and returns whether it violates the claim; called only with scenarios that can run.
 */
export function shrinkScenario(scenario: Scenario, breaksIt: (smaller: Scenario) => boolean): Scenario {
  let smallest = shrink(scenario, breaksIt).scenario;
  const tryPlainer = (plainer: Scenario): boolean => {
    if (JSON.stringify(plainer) === JSON.stringify(smallest) || !canRun(plainer) || !breaksIt(plainer)) return false;
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

/** Fields that stay unchanged because they identify the failure, or because `shrink` reduces them. */
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
