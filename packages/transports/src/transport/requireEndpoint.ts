import { requireIn } from '@tutti/core/settings';
import { portSetting } from './options.ts';

/**
 * Looks at where a socket is to listen: the system takes a port over 65,535 for another one, without a word.
 *
 * @throws TypeError for a host that is no text; RangeError for an invalid port.
 */
export function requireEndpoint(options: { readonly host: string; readonly port?: number }): void {
  const { host, port = portSetting.default } = options ?? {};
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${host === '' ? '""' : String(host)}`);
  requireIn('port', port, portSetting.range);
}
