import { acrossLevels } from './acrossLevels.ts';
import type { Attack } from './attack.ts';

/** Plan with one honest node per subtree of 16. Of the subtree sizes tried, this one delays honest nodes most. */
export const isolatePlan = '1of16:invalid@ahead';

/**
 * Attacks a round without the global shuffle (v1.0 section 4.3), and delays all nodes. Ids are chosen so that honest
 * nodes are alone in subtrees of Byzantine ones, more of them than the threshold tolerates. The nodes behave as in
 * `invalid`.
 */
export const isolate: Attack = {
  name: 'isolate',
  section: 'v1.0 4.3',
  aim: 'Places single honest nodes in subtrees of Byzantine nodes, whose invalid contributions are verified before the honest contribution that all nodes need.',
  against: ['handel'],
  form: (setting) => acrossLevels.form({ ...setting, plan: isolatePlan }),
  choose: (eligible, count, setting) => acrossLevels.choose!(eligible, count, { ...setting, plan: isolatePlan }),
};
