import { existsSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { EnvironmentError } from '@tutti/core/input';
import { type AdmissionRules, listenError, namesWith, refusedRequest } from '@tutti/transports/node';

/** Addresses that represent all addresses of a machine. */
const anyAddress = new Set(['0.0.0.0', '::']);

/** Location at which a server listens: an address and port, or a socket in the file system. */
export type ServerPlace =
  | { readonly host: string; readonly port: number; readonly path?: undefined }
  | { readonly path: string };

/** Admission rules and time limits for the requests of a server. */
export interface ServerOptions extends Partial<AdmissionRules> {
  /**
   * Maximum number of open connections. A further connection closes the connection that has been without a complete
   * request for the longest time. Default: no limit.
   */
  readonly maxConnections?: number;
  /**
   * Time limit for the head of a request, counted from the start of the connection for the first request, milliseconds.
   * Default: 10,000.
   */
  readonly headMs?: number;
  /** Time limit for a whole request including the body, milliseconds. Default: 30,000. */
  readonly requestMs?: number;
}

/** Time after which the server closes a connection on which no bytes were sent or received, ms. */
const idleMs = 600_000;

/** An HTTP server that is listening. */
export interface RunningServer {
  readonly server: Server;
  /** Port on which the server listens; 0 for a socket in the file system. */
  readonly port: number;
  /** Host names of the server, in addition to IP addresses and `localhost`. */
  readonly names: readonly string[];
  /** Closes the server and its open connections. */
  close(): Promise<void>;
}

/** Responds to a request, synchronously or later. If the handler throws or rejects, the client receives status 500. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Starts an HTTP server at an address or at a socket in the file system. All servers of this package are started by
 * this function. The server checks each request before it passes the request to `answer`. No request ends the server,
 * even if `answer` throws or a stream fails.
 *
 * A socket is accessible only to this user from its creation on. The server replaces a socket that an earlier process
 * left behind.
 *
 * @throws EnvironmentError `address-in-use`, `address-unavailable` or `socket-failed`.
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
  try {
    if (existsSync(path)) {
      if (!statSync(path).isSocket() || (await isInUse(path)))
        throw new EnvironmentError(
          'address-in-use',
          `${path}: expected an unused path for a socket, got the path of an existing file`,
        );
      rmSync(path, { force: true });
    }
    return await listening(place, answer, options);
  } catch (cause) {
    if (cause instanceof EnvironmentError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw new EnvironmentError('socket-failed', `${path}: the socket cannot be created (${code})`, { cause });
  }
}

/**
 * Returns whether a process may be listening at a socket. Only a refused connection shows that none is: a process with
 * a full backlog or of another user causes other errors.
 */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}

async function listening(
  place: ServerPlace,
  answer: RequestHandler,
  { headMs = 10_000, requestMs = 30_000, maxConnections, names: given = [], origins = [], ...rules }: ServerOptions,
): Promise<RunningServer> {
  const names = namesWith(hostname(), [...given, ...(place.path === undefined ? [place.host] : [])]);
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1000, headMs),
    },
    admitted({ ...rules, names, origins }, contained(answer)),
  );
  server.timeout = idleMs;
  if (maxConnections !== undefined) boundConnections(server, maxConnections);
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    // This call creates the socket, with the mode that results from the mask.
    const mask = place.path === undefined ? undefined : process.umask(0o177);
    try {
      server.listen(place.path === undefined ? place : { path: place.path }, done);
    } finally {
      if (mask !== undefined) process.umask(mask);
    }
  });
  // The server could not accept a connection, for example for lack of file descriptors. The server may be able to
  // accept later connections.
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

/**
 * Returns a listener that passes admissible requests on, and responds to all other requests with a status and one line
 * of JSON.
 */
function admitted(rules: AdmissionRules, answer: RequestListener): RequestListener {
  return (request, response) => {
    const refused = refusedRequest(request, rules);
    if (refused === undefined) answer(request, response);
    else answerJson(response, refused.status, { code: refused.code, error: refused.error });
  };
}

/**
 * Responds with one line of JSON, possibly while the request is still arriving. The function first reads and discards
 * the rest of the request, because closing the connection earlier would lose the response.
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
 * Limits the number of open connections. A further connection closes that of a client that has sent nothing or only
 * part of a request; clients with complete requests keep their connections.
 */
function boundConnections(server: Server, max: number): void {
  /** Unanswered requests by connection, in order of use, with the least recently used connection first. */
  const requests = new Map<Socket, Set<IncomingMessage>>();
  server.on('connection', (socket) => {
    requests.set(socket, new Set());
    socket.once('close', () => requests.delete(socket));
    if (requests.size <= max) return;
    // The new connection has no request yet, so at least one connection is silent.
    const [silent] = [...requests].find(([, asked]) => ![...asked].some(({ complete }) => complete))!;
    requests.delete(silent);
    silent.destroy();
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

/** Returns a listener whose failures end at most the connection of the failed request. */
function contained(answer: RequestHandler): RequestListener {
  return async (request, response) => {
    // A handler may write to a disconnected receiver until the error is noticed.
    response.on('error', () => {});
    // If a file is missing or cannot be opened, the stream fails after the status was sent. A receiver that disconnects
    // would otherwise leave the file open.
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
 * Returns the host name in a URL by which other machines reach this machine when it listens at `host`: the host itself,
 * in brackets for an IPv6 address. If the machine listens on all addresses, the result is the first IPv4 address that
 * is not internal, or `localhost` if there is none.
 */
export function nameForOthers(host: string): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outward = all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  const address = anyAddress.has(host) ? (outward ?? 'localhost') : host;
  return address.includes(':') ? `[${address}]` : address;
}
