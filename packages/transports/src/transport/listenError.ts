import { WorldError } from '@tutti/core/errors';

/**
 * Returns the error for a socket that could not be bound: `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export function listenError(transport: string, cause: unknown, host: string, port: number): WorldError {
  const code = (cause as Partial<NodeJS.ErrnoException> | undefined)?.code;
  const where = `${transport} ${host}:${port}`;
  if (code === 'EADDRINUSE')
    return new WorldError('address-in-use', `${where} is taken; choose another port, or 0 for a free one`, { cause });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new WorldError('address-unavailable', `${where}: this machine has no such address`, { cause });
  return new WorldError('socket-failed', `${where} could not be opened (${code ?? String(cause)})`, { cause });
}
