import { type Contribution, noContribution } from '../../protocol.ts';
import { List } from './pending.ts';
import { isUseful, totalStakeWeight } from './score.ts';
import type { HandelState } from './state.ts';

/** Result of adding a contribution to In_l. */
export type Improvement = 'none' | 'grown' | 'replaced';

/**
 * Adds a verified contribution to In_l (v1.03 section 3.3). If the contribution and In_l are aggregatable, the function
 * aggregates them. Otherwise the function unites the contribution with the verified individual contributions that it
 * lacks, and replaces In_l if the union is heavier. In_l never becomes lighter.
 */
export function improveIn(state: HandelState, level: number, contribution: Contribution): Improvement {
  const { scheme, levels, pending } = state;
  const block = scheme.tree.peerBlock(state.id, level);
  const before = levels.in(level);
  if (scheme.aggregatable(contribution, before)) {
    if (scheme.newWeight?.(contribution, before) === 0) return 'none';
    const grown = scheme.aggregate(block, before, contribution);
    setIn(state, level, grown);
    return 'grown';
  }
  if (!isUseful(state, level, contribution)) return 'none';
  let united = contribution;
  scheme.retain(united);
  const verified = pending.run(level, List.verified);
  for (let place = pending.countOf(verified) - 1; place >= 0; place--) {
    if (scheme.contains(united, pending.senderIn(verified, place))) continue;
    const wider = scheme.aggregate(block, united, pending.individualIn(verified, place));
    scheme.release(united);
    united = wider;
  }
  setIn(state, level, united);
  return 'replaced';
}

/**
 * Returns Out_l = Aggr(In_0, In_1, ..., In_(l-1)) (v1.03 section 3.4), lent to the caller. The function assembles Out_l
 * on first use. All levels of a tier share the Out of its first level.
 */
export function outOf(state: HandelState, level: number): Contribution {
  const { scheme, levels } = state;
  const { tree } = scheme;
  const first = tree.firstOfTier(level);
  if (first === 1) return state.own;
  const known = levels.out(first);
  if (known !== noContribution) return known;
  const block = tree.ownBlock(state.id, first);
  const below = tree.firstOfTier(first - 1);
  let out = scheme.aggregate(block, outOf(state, below), levels.in(below));
  for (let next = below + 1; next < first; next++) {
    const wider = scheme.aggregate(block, out, levels.in(next));
    scheme.release(out);
    out = wider;
  }
  levels.setOut(first, out);
  return out;
}

/**
 * Marks Out of each tier above the level, up to Out_(L+1), for reassembly after a change of In_l, and ends the quiet
 * state of these levels, which now have something new to send.
 */
export function forgetOuts(state: HandelState, level: number): void {
  const { scheme, levels } = state;
  for (let above = scheme.tree.lastOfTier(level) + 1; above <= levels.count + 1; above++) {
    scheme.release(levels.out(above));
    levels.setOut(above, noContribution);
    if (above <= levels.count) levels.endQuiet(above);
  }
}

function setIn(state: HandelState, level: number, contribution: Contribution): void {
  state.scheme.release(state.levels.in(level));
  state.levels.setIn(level, contribution, state.scheme.weight(contribution));
}

/**
 * Returns the weight of the final aggregate if it meets the threshold and exceeds the weight of the last output (v1.03
 * section 2.4), otherwise 0.
 *
 * @param best weight of the last output; 0 before the first output.
 */
export function dueOutput(state: HandelState, best: number): number {
  const { levels, scheme, quorum, config } = state;
  const signers = levels.totalWeight();
  if (signers < config.threshold) return 0;
  const stakeWeight = totalStakeWeight(state);
  if (stakeWeight <= best) return 0;
  if (quorum === undefined) return stakeWeight;
  if (!quorum.mayBeMet(scheme.stakes, stakeWeight, signers)) return 0;
  return quorum.isMet(scheme.setWords(outOf(state, levels.count + 1))) ? stakeWeight : 0;
}
