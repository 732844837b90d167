import { integers, type Setting } from '@tutti/core/input';
import { choice, flag, ranged, setting } from '@tutti/node-cli/command';
import { setupSettings } from '../setup.ts';
import { setupScenarioSettings } from '../simulation.ts';
import { ringSchemeNames } from './openRings.ts';

/** Settings that the commands of the anonymous set-up share. */
const ring: Setting<number> = {
  default: 32,
  range: integers(1, 1024),
  about: 'minimum number of members per ring',
};

/** @param more additional text for help. */
export function ringFlag(more = '') {
  return setting({ ...ring, about: `${ring.about}${more}` });
}

/** @param about description of each kind, for the help. */
export function signaturesFlag(about = 'linkable or traceable') {
  return flag('<name>', about, choice(ringSchemeNames), 'traceable');
}

export const membersSetting = setupScenarioSettings.nodes;
export const contactsFlag = setting(setupSettings.contacts);

/** @param standing description of the default, which is not a fixed value. */
export function setupPeriodFlag(standing: string) {
  return flag('<ms>', `${setupSettings.periodMs.about} (default: ${standing})`, ranged(setupSettings.periodMs.range));
}
