import { acrossLevels } from './acrossLevels.ts';
import type { Attack } from './attack.ts';

/** One honest node in each subtree of 16: of the subtrees that were tried, what slows honest nodes most. */
export const isolatePlan = '1of16:invalid@ahead';

/**
 * The attack on a round without the global shuffle (v1.0 section 4.3) that delays everybody: ids are chosen so that
 * honest nodes stand alone in subtrees of Byzantine ones, more of them than the threshold lets a node do without. What
 * the nodes do there is what those of `invalid` do.
 */
export const isolate: Attack = {
  name: 'isolate',
  section: 'v1.0 4.3',
  aim: 'Has honest nodes stand alone in subtrees of Byzantine ones, where all that is invalid is verified before their contributions, which everybody needs.',
  against: ['handel'],
  form: (setting) => acrossLevels.form({ ...setting, plan: isolatePlan }),
  choose: (eligible, count, setting) => acrossLevels.choose!(eligible, count, { ...setting, plan: isolatePlan }),
};
