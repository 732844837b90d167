import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core/registry';

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
