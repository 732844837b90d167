import { CheckFailed } from '../checkers/claims.ts';
import type { Simulation } from '../run/simulation.ts';

/**
 * What can only be checked when a run is over, one that ran until fairness and had enough time after its last fault was
 * healed: all live honest nodes have given an output (termination), and one that contains all their contributions
 * (fairness).
 *
 * @throws CheckFailed for the first node that has not.
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
