import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { SocksClient } from 'socks';

/** A SOCKS5 proxy (RFC 1928), such as Tor's. */
export interface SocksProxy extends Endpoint {
  /**
   * User name, which requires a password (RFC 1929); each has 1 to 255 bytes. Tor uses separate circuits for each pair
   * of user name and password.
   */
  readonly username?: string;
  readonly password?: string;
}

/**
 * Opens connections through a proxy, which also resolves names. An onion name has no address, and a local resolver
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
 * Time limit of the client itself, ms, in addition to any limit of the signal. The client's timer runs for that long,
 * so the limit must be finite.
 */
const longestHandshakeMs = 120_000;

/** Opens a byte stream to an endpoint. The attempt stops when `signal` is aborted, and leaves nothing open. */
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
