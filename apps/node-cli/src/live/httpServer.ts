import { existsSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { WorldError } from '@tutti/core/input';
import { type AdmissionRules, listenError, namesWith, refusedRequest } from '@tutti/transports/node';

/** Addresses that stand for all addresses of a machine. */
const anyAddress = new Set(['0.0.0.0', '::']);

/** Place at which a server listens: an address, or a socket in the file system. */
export type ServerPlace =
  | { readonly host: string; readonly port: number; readonly path?: undefined }
  | { readonly path: string };

/** Admission and time limits of a server's requests. */
export interface ServerOptions extends Partial<AdmissionRules> {
  /**
   * Maximum number of open connections. A further connection closes the one that has been without a complete request
   * for longest. Default: no limit.
   */
  readonly maxConnections?: number;
  /** Time limit for the head of a request, counted from the first connection on, milliseconds. Default: 10,000. */
  readonly headMs?: number;
  /** Time limit for a whole request including its body, milliseconds. Default: 30,000. */
  readonly requestMs?: number;
}

const defaultTimes = { headMs: 10_000, requestMs: 30_000 } as const;
/** Time without a byte after which a connection is closed, milliseconds. */
const idleMs = 600_000;

/** An HTTP server that listens. */
export interface RunningServer {
  readonly server: Server;
  readonly port: number;
  /** Host names of the server, besides IP addresses and `localhost`. */
  readonly names: readonly string[];
  /** Closes the server with its open connections. */
  close(): Promise<void>;
}

/** Answers a request, synchronously or later. An exception or a rejection becomes a status 500. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Starts an HTTP server at an address or at a socket in the file system. All servers of this package start here. Each
 * request is checked before `answer` receives it. No request ends the server, whether `answer` throws or a stream
 * fails.
 *
 * From its creation, a socket is accessible to this user only. A socket that an earlier process left behind is
 * replaced.
 *
 * @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`.
 */
export async function listenAt(
  place: ServerPlace,
  answer: RequestHandler,
  options: ServerOptions = {},
): Promise<RunningServer> {
  if (place.path === undefined) {
    const { host, port } = place;
    return listening(place, answer, options).catch((cause) => {
      throw listenError('TCP', cause, host, port);
    });
  }
  const { path } = place;
  if (existsSync(path)) {
    if (!statSync(path).isSocket() || (await isAnswered(path)))
      throw new WorldError(
        'address-in-use',
        `${path}: expected an unused path for a socket, got the path of an existing file`,
      );
    rmSync(path, { force: true });
  }
  return listening(place, answer, options).catch((cause: NodeJS.ErrnoException) => {
    throw new WorldError('socket-failed', `${path}: the socket cannot be created (${cause.code})`, { cause });
  });
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
  place: ServerPlace,
  answer: RequestHandler,
  { headMs, requestMs, maxConnections, names: given = [], origins = [], ...rules }: ServerOptions,
): Promise<RunningServer> {
  const names = namesWith(hostname(), [...given, ...(place.path === undefined ? [place.host] : [])]);
  const server = createServer(
    {
      headersTimeout: headMs ?? defaultTimes.headMs,
      requestTimeout: requestMs ?? defaultTimes.requestMs,
      connectionsCheckingInterval: Math.min(1000, headMs ?? defaultTimes.headMs),
    },
    admitted({ ...rules, names, origins }, contained(answer)),
  );
  server.timeout = idleMs;
  if (maxConnections !== undefined) boundConnections(server, maxConnections);
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    // The socket is created within this call, with the mode that the mask leaves.
    const mask = place.path === undefined ? undefined : process.umask(0o177);
    try {
      server.listen(place.path === undefined ? place : { path: place.path }, done);
    } finally {
      if (mask !== undefined) process.umask(mask);
    }
  });
  // A connection could not be accepted, for example for lack of descriptors. Later ones may succeed.
  server.on('error', () => {});
  return {
    server,
    names,
    port: place.path === undefined ? (server.address() as AddressInfo).port : 0,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Returns a listener that passes on admissible requests, and answers all others with a status and one line of JSON. */
function admitted(rules: AdmissionRules, answer: RequestListener): RequestListener {
  return (request, response) => {
    const refused = refusedRequest(request, rules);
    if (refused === undefined) answer(request, response);
    else answerJson(response, refused.status, { code: refused.code, error: refused.error });
  };
}

/**
 * Answers with one line of JSON, possibly while the request is still arriving. The rest of the request is read and
 * discarded first, since closing the connection earlier would lose the answer.
 */
export function answerJson(response: ServerResponse, status: number, document: object): void {
  const { req: request } = response;
  const body = `${JSON.stringify(document)}\n`;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.write(body);
  const end = (): void => void response.end();
  if (request.readableEnded) end();
  else request.once('end', end).once('close', end).resume();
}

/**
 * Limits the number of connections. A further connection closes that of a client that has sent nothing or half of a
 * request; clients with complete requests keep their connections.
 */
function boundConnections(server: Server, max: number): void {
  /** Unanswered requests by connection, the least recently used connection first. */
  const requests = new Map<Socket, Set<IncomingMessage>>();
  server.on('connection', (socket) => {
    requests.set(socket, new Set());
    socket.once('close', () => requests.delete(socket));
    if (requests.size <= max) return;
    const silent = [...requests].find(([, asked]) => ![...asked].some(({ complete }) => complete));
    if (silent === undefined) return;
    requests.delete(silent[0]);
    silent[0].destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const asked = requests.get(socket);
    if (asked === undefined) return;
    asked.add(request);
    response.once('close', () => {
      asked.delete(request);
      if (requests.delete(socket)) requests.set(socket, asked);
    });
  });
}

/** Returns a listener whose failure ends at most its own connection. */
function contained(answer: RequestHandler): RequestListener {
  return async (request, response) => {
    // Writing to a disconnected receiver continues until the error is noticed.
    response.on('error', () => {});
    // A file that is missing or cannot be opened fails as a stream, after the status was sent. A receiver that
    // disconnects would leave the file open.
    response.on('pipe', (file) => {
      file.on('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    try {
      await answer(request, response);
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Type': 'text/plain' }).end('this server failed to process the request\n');
    }
  };
}

/**
 * Returns the name by which other machines reach this one when it listens at `host`. That is the address itself. If the
 * machine listens on all addresses, it is the first IPv4 address that is not internal.
 */
export function nameForOthers(host: string): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outward = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  const address = anyAddress.has(host) ? (outward ?? 'localhost') : host;
  return address.includes(':') ? `[${address}]` : address;
}

/** Waits until Ctrl-C. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
