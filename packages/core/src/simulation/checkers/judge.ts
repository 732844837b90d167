import type { Simulation } from '../simulation.ts';
import { CheckFailed } from './claims.ts';

/**
 * What can be said only of a run that is over, one that was to go on until fairness and was given time enough after its last fault was
 * healed: that all live honest nodes have given an output (termination), and one with all their contributions in it (fairness).
 *
 * @throws CheckFailed for the first node of which it cannot.
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
