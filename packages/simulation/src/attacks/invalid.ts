import type { Attack } from './attack.ts';
import { protocolNames } from './attack.ts';
import { invalidAmongBaselines } from './baselines.ts';
import { composedCoalition } from './composer.ts';
import { readComposition } from './composition.ts';

/**
 * Sends full contributions that are invalid, each ranked before an honest one (v1.03 section 4.1 (2)). A sender does so
 * once per victim, which then blacklists it. In other protocols nodes do not choose among contributions, so the moment
 * does not matter. There, members follow the protocol, and everything that they send is invalid.
 */
export const invalid: Attack = {
  name: 'invalid',
  section: 'v1.03 4.1 (2)',
  aim: "Spends the victims' verifications on contributions that promise most and are invalid, each just before an honest one's turn.",
  against: protocolNames,
  form: (setting) =>
    setting.protocol === 'handel'
      ? composedCoalition(setting, readComposition('invalid@ahead'))
      : invalidAmongBaselines(setting),
};
