import { defaultsOf, durations, integers, requireAllIn, requireObject, type SettingsOf } from '@tutti/core/settings';

/** The parameters of a set-up; the paper names none. Milliseconds may be fractions. */
export interface SetupConfig {
  /** How often a node tells one peer what it has. Default 100. */
  readonly periodMs: number;
  /** From the start on, registrations are taken from anybody for so long. Default 60,000. */
  readonly collectMs: number;
  /** Then, from members alone, for so long again, so that what one has heard all hear. Default 10,000. */
  readonly relayMs: number;
  /**
   * The number of inboxes to which a node sends its own registration each time, until it has come back to it; the
   * members relay it. A number equal to that of the members makes it the paper's broadcast.
   */
  readonly contacts: number;
  /**
   * Periods after which a registration that has not come back is sent to the same number of other inboxes. Default 20.
   */
  readonly retryPeriods: number;
  /** Registrations that a list is answered with at most. Default 8. */
  readonly burst: number;
  /** Registrations from nobody known that wait for verification at most. Default 64. */
  readonly maxAnonymous: number;
}

/** What each parameter takes and means. */
export const setupSettings: SettingsOf<SetupConfig> = {
  periodMs: { default: 100, range: durations(1, 3_600_000), about: 'how often a member tells another what it has' },
  collectMs: { default: 60_000, range: durations(1, 86_400_000), about: 'how long anybody may register' },
  relayMs: {
    default: 10_000,
    range: durations(0, 86_400_000),
    about: 'how long members alone may pass on what they have',
  },
  contacts: {
    default: 4,
    range: integers(1, 2 ** 20),
    about:
      'inboxes that a member sends its registration to; as many as there are members is the broadcast of the paper',
  },
  retryPeriods: { default: 20, range: integers(1, 2 ** 20), about: 'periods until it is sent to others' },
  burst: { default: 8, range: integers(1, 2 ** 16), about: 'registrations that a list is answered with' },
  maxAnonymous: { default: 64, range: integers(1, 2 ** 20), about: 'registrations from nobody known that wait' },
};

export const defaultSetupConfig: SetupConfig = defaultsOf(setupSettings);

/** @throws RangeError naming the parameter, what was expected and what came. */
export function validateSetupConfig(config: SetupConfig): void {
  requireObject('config', config);
  requireAllIn(config, setupSettings);
}
