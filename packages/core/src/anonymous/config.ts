import { requireInteger, requireNumber, requireObject } from '../errors.ts';

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
  readonly mostAnonymous: number;
}

export const defaultSetupConfig: SetupConfig = {
  periodMs: 100,
  collectMs: 60_000,
  relayMs: 10_000,
  contacts: 4,
  retryPeriods: 20,
  burst: 8,
  mostAnonymous: 64,
};

/** @throws RangeError naming the parameter, what was expected and what came. */
export function checkSetupConfig(config: SetupConfig): void {
  requireObject('config', config);
  requireNumber('periodMs', config.periodMs, 1, 3_600_000);
  requireNumber('collectMs', config.collectMs, 1, 86_400_000);
  requireNumber('relayMs', config.relayMs, 0, 86_400_000);
  requireInteger('contacts', config.contacts, 1, 2 ** 20);
  requireInteger('retryPeriods', config.retryPeriods, 1, 2 ** 20);
  requireInteger('burst', config.burst, 1, 2 ** 16);
  requireInteger('mostAnonymous', config.mostAnonymous, 1, 2 ** 20);
}
