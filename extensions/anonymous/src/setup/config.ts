import { defaultsOf, durations, integers, requireAllIn, requireObject, type SettingsOf } from '@tutti/core/input';

/** Parameters of a set-up; the paper specifies none. Values in milliseconds may be fractions. */
export interface SetupConfig {
  /** Interval at which a node sends a list to another member, ms. Default 100. */
  readonly periodMs: number;
  /** Time from the start during which the node accepts registrations from any sender, ms. Default 60,000. */
  readonly collectMs: number;
  /**
   * Additional time during which the node accepts only registrations relayed by members, ms, so that each registration
   * that reached one member reaches all members. Default 10,000.
   */
  readonly relayMs: number;
  /**
   * Number of inboxes to which a node sends its own registration at a time, until the registration has come back.
   * Members relay the registration to each other. If the number of inboxes equals the number of members, the set-up is
   * the paper's broadcast. Default 4.
   */
  readonly contacts: number;
  /**
   * Number of periods after which a registration that has not come back is sent again, to `contacts` newly drawn
   * inboxes. Default 20.
   */
  readonly retryPeriods: number;
  /**
   * Maximum number of registrations in the answer to a list. Once every member has registered, this value is also the
   * maximum number of lists that a node sends per period. Default 8.
   */
  readonly burst: number;
  /** Maximum number of registrations from unknown senders that wait for verification. Default 64. */
  readonly maxAnonymous: number;
}

/** Settings that describe the parameters. */
export const setupSettings: SettingsOf<SetupConfig> = {
  periodMs: { default: 100, range: durations(1, 3_600_000), about: 'period of the lists that a member sends' },
  collectMs: { default: 60_000, range: durations(1, 86_400_000), about: 'time for registrations' },
  relayMs: {
    default: 10_000,
    range: durations(0, 86_400_000),
    about: 'additional time in which members only relay registrations',
  },
  contacts: {
    default: 4,
    range: integers(1, 2 ** 20),
    about:
      'number of inboxes to which a member sends its registration; the number of members gives the broadcast of the paper',
  },
  retryPeriods: {
    default: 20,
    range: integers(1, 2 ** 20),
    about: 'periods until a registration is sent to further inboxes',
  },
  burst: { default: 8, range: integers(1, 2 ** 16), about: 'maximum number of registrations in the answer to a list' },
  maxAnonymous: {
    default: 64,
    range: integers(1, 2 ** 20),
    about: 'maximum number of waiting registrations from unknown senders',
  },
};

/** Default parameters of a set-up. */
export const defaultSetupConfig: SetupConfig = defaultsOf(setupSettings);

/** Checks the parameters. @throws RangeError that names the parameter, the expected range and the actual value. */
export function validateSetupConfig(config: SetupConfig): void {
  requireObject('config', config);
  requireAllIn(config, setupSettings);
}
