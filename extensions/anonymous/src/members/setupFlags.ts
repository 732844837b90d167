import { integers, type Setting } from '@tutti/core/settings';
import { choice, flag, ranged, setting } from '@tutti/node-cli/command';
import { setupSettings } from '../setup.ts';
import { setupScenarioSettings } from '../simulation.ts';
import { ringSchemeNames } from './openRings.ts';

/** What the commands of the anonymous set-up share. */
const ring: Setting<number> = {
  default: 32,
  range: integers(1, 1024),
  about: 'fewest members of a ring',
};

/** @param more what help says of it beside that. */
export function ringFlag(more = '') {
  return setting({ ...ring, about: `${ring.about}${more}` });
}

/** @param about what each of them means, if help is to say more than their names. */
export function signaturesFlag(about = 'linkable or traceable') {
  return flag('<name>', about, choice(ringSchemeNames), 'traceable');
}

export const membersSetting = setupScenarioSettings.nodes;
export const contactsFlag = setting(setupSettings.contacts);

/** @param standing what is said of its default, where it has none. */
export function setupPeriodFlag(standing: string) {
  return flag('<ms>', `${setupSettings.periodMs.about}; ${standing}`, ranged(setupSettings.periodMs.range));
}
