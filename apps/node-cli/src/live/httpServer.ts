import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listenError } from '@tutti/transports';

/** Addresses that stand for all of a machine's. */
const anyAddress = new Set(['0.0.0.0', '::']);

/** An HTTP server that listens. */
export interface RunningServer {
  readonly server: Server;
  readonly port: number;
  /** Ends it, open connections too. */
  close(): Promise<void>;
}

/** @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`. */
export async function listenHttp(host: string, port: number, answer: RequestListener): Promise<RunningServer> {
  const server = createServer(answer);
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(port, host, () => {
        server.off('error', failed);
        listening();
      });
    });
  } catch (cause) {
    throw listenError('TCP', cause, host, port);
  }
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/**
 * What others call this machine when it listens at `host`: that address, or, where it listens at all of them, the first
 * that is not its own alone.
 */
export function nameForOthers(host: string): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outward = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  const address = anyAddress.has(host) ? (outward ?? 'localhost') : host;
  return address.includes(':') ? `[${address}]` : address;
}

/** Until Ctrl-C. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
