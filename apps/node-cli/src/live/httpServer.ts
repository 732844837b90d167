import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listenError } from '@tutti/transports/internal';

/** Addresses that stand for all of a machine's. */
const anyAddress = new Set(['0.0.0.0', '::']);

/** An HTTP server that listens. */
export interface RunningServer {
  readonly server: Server;
  readonly port: number;
  /** Ends it, open connections too. */
  close(): Promise<void>;
}

/** Answers a request, now or later. What it throws or rejects with is answered by 500. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * The one way to an HTTP server here: no request ends it, whatever its answer throws and whatever a stream meets.
 *
 * @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export async function listenHttp(host: string, port: number, answer: Answer): Promise<RunningServer> {
  const server = createServer(contained(answer));
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
  // A connection that could not be accepted, as without descriptors: the next may be.
  server.on('error', () => {});
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

/** An answer whose failure ends its own connection at most. */
function contained(answer: Answer): RequestListener {
  return async (request, response) => {
    // A file that is gone or cannot be opened fails as a stream, whose status has been chosen by then. A receiver that
    // goes away would leave the file open.
    response.on('pipe', (file) => {
      file.on('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    try {
      await answer(request, response);
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'text/plain' }).end('this server failed to answer\n');
    }
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
