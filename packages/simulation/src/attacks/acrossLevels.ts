import type { Attack, AttackSetting } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { type AttackPlan, readPlan } from './composition.ts';
import { placedIds } from './placement.ts';

/**
 * Sends a combination of invalid and almost worthless contributions (v1.03 section 4.1 (4)) that differs per level. By
 * default, each level except the top gets one invalid contribution, which shrinks its window. The top level gets valid
 * contributions of weight 1 from the start. An {@link AttackPlan} can define any other combination, with drawn or
 * chosen ids.
 */
export const acrossLevels: Attack = {
  name: 'across-levels',
  section: 'v1.03 4.1 (4)',
  aim: "Makes one level appear under attack with a single invalid contribution, so that nearly worthless contributions on another level are verified before the first level's contributions.",
  against: ['handel'],
  form: (setting) => composedCoalition(setting, planOf(setting).composition),
  choose(eligible, count, { tree, plan }) {
    const { placement } = planOf({ plan });
    return placement === undefined ? undefined : placedIds(placement, eligible, count, tree);
  },
};

function planOf({ plan }: Pick<AttackSetting, 'plan'>): AttackPlan {
  return readPlan(plan ?? acrossLevelsPlan);
}

const acrossLevelsPlan = 'light@0/1invalid@0';
