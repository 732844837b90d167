import type { Attack, AttackSetting } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { type AttackPlan, readPlan } from './composition.ts';
import { placedIds } from './placement.ts';

/**
 * A combination of invalid and nearly worthless contributions (v1.03 section 4.1 (4)) that differs from level to level:
 * by default one invalid contribution on every level except the top, which shrinks the windows there, and valid ones of
 * weight 1 on the top level from the start. An {@link AttackPlan} can make it any other, by ids that are drawn or chosen.
 */
export const acrossLevels: Attack = {
  name: 'across-levels',
  section: 'v1.03 4.1 (4)',
  aim: 'Has a level look under attack by one invalid contribution, so that trifles on another are verified before all that it holds.',
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
