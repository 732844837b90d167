import { outOf } from './aggregation.ts';
import { totalHeft } from './heft.ts';
import type { HandelState } from './state.ts';

/**
 * Whether the final aggregate is over the threshold and heavier than the last output (v1.03 section 2.4).
 *
 * @param best what the last output weighed, 0 before the first.
 * @returns what it weighs; 0 where it is no output.
 */
export function dueOutput(state: HandelState, best: number): number {
  const { levels, scheme, quorum, config } = state;
  const signers = levels.totalWeight();
  if (signers < config.threshold) return 0;
  const heft = totalHeft(state);
  if (heft <= best) return 0;
  if (quorum === undefined) return heft;
  if (!quorum.mayBeMet(scheme.stakes, heft, signers)) return 0;
  return quorum.isMet(scheme.setWords(outOf(state, levels.count + 1))) ? heft : 0;
}
