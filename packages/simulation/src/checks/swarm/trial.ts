import { backOffRule } from '@tutti/core';
import { CheckFailed } from '../../checkers/claims.ts';
import { allFaults } from '../../faults/planned.ts';
import { createSimulation, type Simulation } from '../../run/simulation.ts';
import { healedAtMs } from '../../scenario/faultPlan.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { SimulationOptions } from '../../world/options.ts';

/**
 * Returns the virtual time after the last start and the last healing at which a run is stopped, ms. Every peer is
 * contacted within N periods (v1.03 section 4.1), times the longest gap of back-off. The slowest of the swarm's first
 * 1,200 scenarios took 3 s.
 */
function patienceMs({ nodes, periodMs, backOff }: Scenario): number {
  return 20_000 + (backOff ? backOffRule.longestWaitPerLevel : 2) * nodes * periodMs;
}

/** Runs a scenario to fairness with all checkers. @returns the first violated claim, or undefined. */
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
 * Checks the claims about a finished run that ran until fairness and had enough time after the healing of its last
 * fault. All live honest nodes have given an output (termination), and one that contains all their contributions
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
