import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core/registry';
import { SocksClient } from 'socks';

/** A SOCKS5 proxy (RFC 1928), such as the one that Tor offers. */
export interface SocksProxy extends Endpoint {
  /**
   * Name and password go together (RFC 1929), 1 to 255 bytes each; Tor gives each pair of them circuits of their own.
   */
  readonly username?: string;
  readonly password?: string;
}

/**
 * Opens connections through a proxy. Names are the proxy's to resolve: an onion name has no address, and to ask our own
 * resolver for any other would tell it whom we talk to.
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
 * The client's own limit, beyond any that the signal is likely to set; its timer is kept as long, so it is not forever.
 */
const longestHandshakeMs = 120_000;

/** Opens a byte stream to an endpoint; gives up, leaving nothing open, when `signal` says so. */
export type Dial = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** Connects straight to the endpoint. */
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
