import { invalidAmongBaselines } from './alteredMessages.ts';
import { type Attack, type AttackSetting, protocolNames } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { type AttackPlan, readComposition, readPlan } from './composition.ts';
import { placedIds } from './placement.ts';

/**
 * Sends valid contributions of weight 1, each ranked before an honest one (v1.03 section 4.1 (3)). A heavier
 * contribution would help the victim. A contribution that adds nothing is not verified.
 */
export const worthless: Attack = {
  name: 'worthless',
  section: 'v1.03 4.1 (3)',
  aim: 'Makes victims verify valid contributions that add only one signer, each just before an honest contribution would be verified.',
  against: ['handel'],
  form: (setting) => composedCoalition(setting, readComposition('light@ahead')),
};

/**
 * Sends an invalid contribution whenever a level's window has at least its initial size, otherwise a worthless one
 * (v1.03 section 4.1 (4)). The smaller a window is, the more the victim chooses by rank, and the worthless
 * contributions rank before honest ones. Each valid contribution enlarges the window again.
 */
export const mixed: Attack = {
  name: 'mixed',
  section: 'v1.03 4.1 (4)',
  aim: 'Sends invalid contributions that shrink the window, so that nearly worthless contributions are verified by rank alone.',
  against: ['handel'],
  form: (setting) => composedCoalition(setting, readComposition('mixed@ahead')),
};

/**
 * Sends a combination of invalid and almost worthless contributions (v1.03 section 4.1 (4)) that differs per level. By
 * default, each level except the top gets one invalid contribution, which shrinks its window. The top level gets valid
 * contributions of weight 1 from the start. An {@link AttackPlan} can define any other combination, with ids drawn by
 * seed or chosen.
 */
export const acrossLevels: Attack = {
  name: 'across-levels',
  section: 'v1.03 4.1 (4)',
  aim: "Makes one level appear under attack with a single invalid contribution, so that nearly worthless contributions on another level are verified before the first level's contributions.",
  against: ['handel'],
  form: (setting) => composedCoalition(setting, planOf(setting).composition),
  choosesIds: (plan) => planOf({ plan }).placement !== undefined,
  choose(eligible, count, { tree, plan }) {
    const { placement } = planOf({ plan });
    return placement === undefined ? undefined : placedIds(placement, eligible, count, tree);
  },
};

function planOf({ plan }: Pick<AttackSetting, 'plan'>): AttackPlan {
  return readPlan(plan ?? 'light@0/1invalid@0');
}

/**
 * Sends full contributions that are invalid, each ranked before an honest one (v1.03 section 4.1 (2)). A sender attacks
 * each victim once, and the victim then blacklists the sender. In other protocols, nodes do not choose among
 * contributions, so the moment does not matter. In these protocols, members follow the protocol, and everything that
 * they send is invalid.
 */
export const invalid: Attack = {
  name: 'invalid',
  section: 'v1.03 4.1 (2)',
  aim: "Wastes the victims' verifications on invalid contributions with the highest claimed scores, each just before an honest contribution would be verified.",
  against: protocolNames,
  form: (setting) =>
    setting.protocol === 'handel'
      ? composedCoalition(setting, readComposition('invalid@ahead'))
      : invalidAmongBaselines(setting),
};

/** Plan with one honest node per subtree of 16. Of the subtree sizes tried, size 16 delays honest nodes most. */
export const isolatePlan = '1of16:invalid@ahead';

/**
 * Attacks a round without the global shuffle (v1.0 section 4.3), and delays all nodes. Ids are chosen so that more
 * honest nodes than the threshold tolerates are alone in subtrees of Byzantine nodes. The nodes behave as in `invalid`.
 */
export const isolate: Attack = {
  name: 'isolate',
  section: 'v1.0 4.3',
  aim: 'Places single honest nodes in subtrees of Byzantine nodes, whose invalid contributions are verified before the honest contribution that all nodes need.',
  against: ['handel'],
  form: (setting) => acrossLevels.form({ ...setting, plan: isolatePlan }),
  choose: (eligible, count, setting) => acrossLevels.choose!(eligible, count, { ...setting, plan: isolatePlan }),
};
