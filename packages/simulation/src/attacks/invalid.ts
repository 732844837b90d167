import type { Attack } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { readComposition } from './composition.ts';

/**
 * Full contributions that are invalid, each in front of an honest one (v1.03 section 4.1 (2)). A sender does it to a
 * victim once, for then it is blacklisted.
 */
export const invalid: Attack = {
  name: 'invalid',
  section: 'v1.03 4.1 (2)',
  aim: "Spends the victims' verifications on contributions that promise most and are invalid, each just before an honest one's turn.",
  against: ['handel'],
  form: (setting) => composedCoalition(setting, readComposition('invalid@ahead')),
};
