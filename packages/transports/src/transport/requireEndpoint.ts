/**
 * Looks at where a socket is to listen: the system takes a port over 65,535 for another one, without a word.
 *
 * @throws TypeError for a host that is no text; RangeError for an invalid port.
 */
export function requireEndpoint(options: { readonly host: string; readonly port?: number }): void {
  const { host, port = 0 } = options ?? {};
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`host: expected an address such as 127.0.0.1, got ${host === '' ? '""' : String(host)}`);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError(`port: expected an integer from 0 to 65535, got ${String(port)}`);
}
