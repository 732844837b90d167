import type { SetupRefusal as NodeRefusal } from '../setup.ts';
import type { RegistrationFault } from './registration.ts';

/** Rejection codes of a set-up's member, in addition to those of the channel. */
export type SetupRefusal = NodeRefusal | RegistrationFault | 'bad-list';

/** Description of each code, one sentence each. */
export const setupRefusals: Readonly<Partial<Record<SetupRefusal, string>>> = {
  'unknown-message': 'a set-up message is of an unknown kind',
  late: 'a registration came after the end of the set-up',
  flooded: 'a sender has more registrations waiting than are kept for one',
  'excluded-author': 'a registration is by an author that was excluded from the list',
  'invalid-registration': 'a registration does not verify',
  'ring-out-of-range': 'a registration names a ring that there is not',
  'unknown-transport': 'a registration names an unknown transport',
  'bad-host': 'a registration names no host',
  'bad-port': 'a registration names no port',
  'bad-list': "a list of names is no whole number of names, or is longer than all members'",
};
