import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { requireInteger, requireText } from '@tutti/core/input';
import { SocksClient } from 'socks';

/** Opens a byte stream to an endpoint. The attempt stops when `signal` is aborted, and leaves nothing open. */
export type Dial = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** Connects directly to the endpoint. */
export const dialDirectly: Dial = ({ host, port }, signal) =>
  new Promise((connected, failed) => {
    signal.throwIfAborted();
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

/** A SOCKS5 proxy (RFC 1928), such as Tor's. */
export interface SocksProxy extends Endpoint {
  /**
   * User name, 1 to 255 bytes; requires a password (RFC 1929). Tor uses separate circuits for each pair of user name
   * and password.
   */
  readonly username?: string;
  /** Password of the user name, 1 to 255 bytes. */
  readonly password?: string;
}

/**
 * Time limit of the SOCKS client for its handshake, in addition to any limit set by the signal, ms. The client's timer
 * runs for that long, so the limit must be finite.
 */
const maxHandshakeMs = 120_000;

/**
 * Returns a function that opens connections through a proxy, which also resolves names. An onion name has no address,
 * and a local resolver would learn the destination.
 *
 * @throws TypeError for a host that is not a text, a user name without a password, or a password without a user name;
 * RangeError for a port out of range, or for a user name or a password that does not have 1 to 255 bytes.
 */
export function dialThrough({ username, password, ...proxy }: SocksProxy): Dial {
  requireText('proxy.host', proxy.host);
  requireInteger('proxy.port', proxy.port, 1, 65_535);
  if ((username === undefined) !== (password === undefined))
    throw new TypeError(
      `proxy: expected both username and password or neither, got only ${username === undefined ? 'password' : 'username'}`,
    );
  for (const [name, text] of Object.entries({ username, password })) {
    if (text === undefined) continue;
    requireText(`proxy.${name}`, text);
    const bytes = Buffer.byteLength(text);
    if (bytes < 1 || bytes > 255) throw new RangeError(`proxy.${name}: expected 1 to 255 bytes, got ${bytes}`);
  }
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
        timeout: maxHandshakeMs,
      });
    } catch (error) {
      // The client leaves the socket open if it rejects its options.
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    return socket;
  };
}
