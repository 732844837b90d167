import { requireIn, WorldError } from '@tutti/core/input';
import { portSetting } from './options.ts';

/**
 * Checks the address of a listening socket. The system would silently replace a port over 65,535 with another one.
 *
 * @throws TypeError for a host that is not a text; RangeError for an invalid port.
 */
export function requireEndpoint(options: { readonly host: string; readonly port?: number }): void {
  const { host, port = portSetting.default } = options ?? {};
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${host === '' ? '""' : String(host)}`);
  requireIn('port', port, portSetting.range);
}

/**
 * Returns the error for a socket that could not be bound: `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export function listenError(transport: string, cause: unknown, host: string, port: number): WorldError {
  const code = (cause as Partial<NodeJS.ErrnoException> | undefined)?.code;
  const where = `${transport} ${host}:${port}`;
  if (code === 'EADDRINUSE')
    return new WorldError('address-in-use', `${where} is in use; choose another port, or 0 for a free port`, { cause });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new WorldError('address-unavailable', `${where}: expected an address of this machine, got another address`, {
      cause,
    });
  return new WorldError('socket-failed', `${where} could not be opened (${code ?? String(cause)})`, { cause });
}
