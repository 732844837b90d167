import { durations, integers, requireIn, type Setting, type SettingsOf } from '@tutti/core/input';
import { defaultMaxPacketBytes } from './transport.ts';

/** Setting of a port. Numeric options common to several transports are here; each transport has its own table. */
export const portSetting: Setting<number> = {
  default: 0,
  range: integers(0, 65_535),
  about: 'port to listen on; 0 selects a free port',
};

export function packetSetting(max = 2 ** 20): Setting<number> {
  return { default: defaultMaxPacketBytes, range: integers(1, max), about: 'maximum packet size, bytes' };
}

export function queueSetting(
  standing: number,
  about = 'maximum number of packets waiting to be sent',
): Setting<number> {
  return { default: standing, range: integers(1, 2 ** 20), about };
}

/** Range of waiting times of connections, ms. The maximum is that of timers. */
export const waits = durations(1, 2 ** 31 - 1);

/**
 * Returns the options of a table: the given values, and defaults for the others.
 *
 * @throws RangeError that names the invalid option.
 */
export function filledIn<S extends object>(given: S, settings: SettingsOf<S>): Required<S> {
  const rows = Object.entries<Setting<unknown>>(settings as Readonly<Record<string, Setting<unknown>>>);
  const values = rows.map(([name, { default: standing, range }]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name] ?? standing;
    requireIn(name, value, range);
    return [name, value];
  });
  return Object.fromEntries(values) as Required<S>;
}
