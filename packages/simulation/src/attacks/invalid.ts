import type { Attack } from './attack.ts';
import { baselines, invalidAmongBaselines } from './baselines.ts';
import { composedCoalition } from './composer.ts';
import { readComposition } from './composition.ts';

/**
 * Full contributions that are invalid, each in front of an honest one (v1.03 section 4.1 (2)). A sender does it to a
 * victim once, for then it is blacklisted. In other protocols nobody chooses among contributions, so that nothing has to
 * be sent at a certain moment: members keep the protocol, and all that they send is invalid.
 */
export const invalid: Attack = {
  name: 'invalid',
  section: 'v1.03 4.1 (2)',
  aim: "Spends the victims' verifications on contributions that promise most and are invalid, each just before an honest one's turn.",
  against: ['handel', ...baselines],
  form: (setting) =>
    setting.protocol === 'handel'
      ? composedCoalition(setting, readComposition('invalid@ahead'))
      : invalidAmongBaselines(setting),
};
