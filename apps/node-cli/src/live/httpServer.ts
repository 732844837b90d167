import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { WorldError } from '@tutti/transports/errors';
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
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * The one way to an HTTP server here: no request ends it, whatever its answer throws and whatever a stream meets.
 *
 * @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export async function listenHttp(host: string, port: number, answer: RequestHandler): Promise<RunningServer> {
  try {
    return await listening({ host, port }, answer);
  } catch (cause) {
    throw listenError('TCP', cause, host, port);
  }
}

/**
 * A server at an address, or at a socket in the file system, which is this user's alone; one that a process left behind
 * there is taken away.
 *
 * @throws WorldError as {@link listenHttp}; `address-in-use` for a path at which something is.
 */
export async function listenAt(
  place: { readonly host: string; readonly port: number; readonly path?: undefined } | { readonly path: string },
  answer: RequestHandler,
): Promise<RunningServer> {
  if (place.path === undefined) return listenHttp(place.host, place.port, answer);
  const { path } = place;
  if (existsSync(path)) {
    if (!statSync(path).isSocket() || (await isAnswered(path)))
      throw new WorldError(
        'address-in-use',
        `${path}: expected a free path for a socket, got one at which something is`,
      );
    rmSync(path, { force: true });
  }
  const running = await listening({ path }, answer).catch((cause: NodeJS.ErrnoException) => {
    throw new WorldError('socket-failed', `${path}: a socket cannot be made there (${cause.code})`, { cause });
  });
  chmodSync(path, 0o600);
  return running;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function listening(
  at: { readonly host: string; readonly port: number } | { readonly path: string },
  answer: RequestHandler,
): Promise<RunningServer> {
  const server = createServer(contained(answer));
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(at, done);
  });
  // A connection that could not be accepted, as without descriptors: the next may be.
  server.on('error', () => {});
  return {
    server,
    port: 'path' in at ? 0 : (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** An answer whose failure ends its own connection at most. */
function contained(answer: RequestHandler): RequestListener {
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
