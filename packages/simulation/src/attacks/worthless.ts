import type { Attack } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { readComposition } from './composition.ts';

/**
 * Valid contributions of weight 1, each in front of an honest one (v1.03 section 4.1 (3)): a heavier one would be worth
 * something, and one that adds nothing is not verified.
 */
export const worthless: Attack = {
  name: 'worthless',
  section: 'v1.03 4.1 (3)',
  aim: "Spends the victims' verifications on contributions that are valid and add one signer, each just before an honest one's turn.",
  against: ['handel'],
  form: (setting) => composedCoalition(setting, readComposition('light@ahead')),
};
