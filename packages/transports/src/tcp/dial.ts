import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core/registry';
import { SocksClient } from 'socks';

/** A SOCKS5 proxy (RFC 1928), such as Tor's. */
export interface SocksProxy extends Endpoint {
  /**
   * User name, which must come with a password (RFC 1929), 1 to 255 bytes each; Tor gives each pair of them separate
   * circuits.
   */
  readonly username?: string;
  readonly password?: string;
}

/**
 * Opens connections through a proxy, which also resolves names. An onion name has no address, and our own resolver
 * would learn the destination.
 */
export function dialThrough({ username, password, ...proxy }: SocksProxy): Dial {
  const credentials = username === undefined || password === undefined ? {} : { userId: username, password };
  return async ({ host, port }, signal) => {
    const socket = await dialDirectly(proxy, signal);
    const abort = () => socket.destroy();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    try {
      await SocksClient.createConnection({
        proxy: { ...proxy, type: 5, ...credentials },
        command: 'connect',
        destination: { host, port },
        existing_socket: socket,
        timeout: longestHandshakeMs,
      });
    } finally {
      signal.removeEventListener('abort', abort);
    }
    return socket;
  };
}

/**
 * Limit of the client itself, ms, beyond any limit that the signal may have. Its timer is kept that long, so the limit
 * is finite.
 */
const longestHandshakeMs = 120_000;

/** Opens a byte stream to an endpoint. Gives up when `signal` is aborted, and leaves nothing open. */
export type Dial = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** Connects directly to the endpoint. */
export const dialDirectly: Dial = ({ host, port }, signal) =>
  new Promise((connected, failed) => {
    const socket = connect({ host, port });
    const abort = () => socket.destroy(new Error('given up'));
    socket.once('error', failed);
    signal.addEventListener('abort', abort);
    socket.once('close', () => signal.removeEventListener('abort', abort));
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', failed);
      connected(socket);
    });
  });
