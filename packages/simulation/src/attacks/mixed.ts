import type { Attack } from './attack.ts';
import { composedCoalition } from './composer.ts';
import { readComposition } from './composition.ts';

/**
 * Invalid contributions until a level's window is about 1, then worthless ones, which then go first by rank alone
 * (v1.03 section 4.1 (4)). Each that is verified lets the window grow, and an invalid one follows.
 */
export const mixed: Attack = {
  name: 'mixed',
  section: 'v1.03 4.1 (4)',
  aim: 'Has invalid contributions shrink the window, so that worthless ones are verified by rank alone.',
  against: ['handel'],
  form: (setting) => composedCoalition(setting, readComposition('mixed@ahead')),
};
