import { integers, type Setting } from '@tutti/core/input';
import { choice, flag, setting } from '@tutti/node-cli/command';
import { setupSettings } from '../setup.ts';
import { setupScenarioSettings } from '../simulation.ts';
import { ringSchemeNames } from './openRings.ts';

const ring: Setting<number> = {
  default: 32,
  range: integers(1, 1024),
  about: 'minimum number of members per ring',
};

/**
 * Returns the flag for the size of the rings.
 *
 * @param more additional text for the help.
 */
export function ringFlag(more = '') {
  return setting({ ...ring, about: `${ring.about}${more}` });
}

/**
 * Returns the flag for the kind of ring signatures.
 *
 * @param about description of each kind, for the help.
 */
export function signaturesFlag(about = 'linkable or traceable') {
  return flag('<name>', about, choice(ringSchemeNames), 'traceable');
}

/** Setting for the number of members in a set-up. */
export const membersSetting = setupScenarioSettings.nodes;
/** Flag for the number of inboxes to which a member sends its registration. */
export const contactsFlag = setting(setupSettings.contacts);
