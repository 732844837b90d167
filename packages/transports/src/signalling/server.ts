import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { requireMethods, requireObject } from '@tutti/core/input';
import ipaddr from 'ipaddr.js';
import type { WebSocket } from 'ws';
import { nodeCrypto } from '../crypto/node.ts';
import { admissionAnswer, admissionRefusal, namesWith } from '../http/admission.ts';
import { SignallingHub } from './hub.ts';
import type { HubLimits } from './hubLimits.ts';
import { maxRequestBytes } from './messages.ts';

/** Path of the signalling on an HTTP server. */
export const signallingPath = '/signal';

/** Options of {@link attachSignalling}. */
export interface SignallingServerOptions {
  readonly limits?: Partial<HubLimits>;
  /**
   * Invitations to the rooms by invitation, by room name: 1 to 128 secrets of 22 letters, digits, hyphens and
   * underscores each. Each invitation admits one member at a time, and members without an invitation cannot join.
   */
  readonly invitations?: Readonly<Record<string, readonly string[]>>;
  /**
   * Origins of pages that may join, in addition to this server's own origin, for example `https://page.example`; `*`
   * stands for every page.
   */
  readonly origins?: readonly string[];
  /**
   * Host names of this server, without a port, in addition to its IP addresses, `localhost` and the machine's own name.
   */
  readonly names?: readonly string[];
  /**
   * Whether to read addresses from the X-Forwarded-For header of a proxy in front of this server. If so, the server
   * must be reachable only through the proxy.
   */
  readonly behindProxy?: boolean;
}

/** A signalling server for WebSocket connections. */
export interface SignallingServer {
  readonly counts: SignallingHub['counts'];
  /** Closes all connections. The HTTP server itself stays open. */
  close(): void;
}

/** Maximum number of bytes waiting to be sent to a receiver. A receiver with more waiting bytes is disconnected. */
const maxBufferedBytes = 1024 * 1024;
/** Interval between two calls of the hub's `tick`, ms. */
const tickMs = 1000;
/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCodes = { goingAway: 1001, policy: 1008 } as const;

/**
 * Attaches signalling at {@link signallingPath} to an HTTP server. Loads `ws`, which no other part of this package
 * needs.
 *
 * @throws TypeError for a value that is not a server; RangeError for invalid limits or invitations; EnvironmentError
 * `room-name` for invitations to an invalid name.
 */
export async function attachSignalling(
  server: Server,
  options: SignallingServerOptions = {},
): Promise<SignallingServer> {
  requireMethods('server', server, ['on', 'address']);
  requireObject('options', options);
  const { WebSocketServer } = await import('ws');
  const { origins = [], names = [], behindProxy = false } = options;
  const rules = { origins, names: namesWith(hostname(), names) };
  const addressOf = (request: IncomingMessage) => clientAddress(request, behindProxy);
  const sockets = new Map<number, WebSocket>();
  const hub = new SignallingHub(
    nodeCrypto,
    {
      send: (id, text) => {
        const socket = sockets.get(id);
        if (socket === undefined) return;
        // A terminated socket frees its buffer at once; a closed one would first send the waiting bytes.
        if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
        else socket.send(text);
      },
      ping: (id) => sockets.get(id)?.ping(),
      close: (id, reason) => sockets.get(id)?.close(closeCodes.policy, reason),
    },
    options.limits,
    options.invitations,
  );
  const acceptor = new WebSocketServer({
    server,
    path: signallingPath,
    maxPayload: maxRequestBytes,
    perMessageDeflate: false,
    // Called before the handshake, so that a rejected client uses no resources.
    verifyClient: ({ req }, answer) => {
      const refused = admissionRefusal(req, rules) ?? (hub.admits(addressOf(req)) ? undefined : 'too-many-connections');
      if (refused === undefined) return answer(true);
      hub.countRefusal(refused);
      const { status, error } = admissionAnswer(refused, rules);
      answer(false, status, error);
    },
  });
  // Errors of the HTTP server arrive here too. After a failed accept, for example because no descriptor is available,
  // the next accept may succeed. All other errors are thrown, as if this listener did not exist.
  acceptor.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'accept') throw error;
  });
  let nextId = 1;
  acceptor.on('connection', (socket, request) => {
    // A socket that fails reports its error here, and then closes.
    socket.on('error', () => {});
    const id = nextId++;
    sockets.set(id, socket);
    hub.opened(id, addressOf(request), performance.now());
    socket.on('message', (data, isBinary) =>
      hub.message(id, isBinary ? undefined : data.toString(), performance.now()),
    );
    socket.on('pong', () => hub.heard(id, performance.now()));
    socket.on('close', () => {
      sockets.delete(id);
      hub.closed(id);
    });
  });
  const ticking = setInterval(() => hub.tick(performance.now()), tickMs);
  return {
    get counts() {
      return hub.counts;
    },
    close() {
      clearInterval(ticking);
      for (const socket of sockets.values()) socket.close(closeCodes.goingAway, 'the server ends');
      acceptor.close();
    },
  };
}

/**
 * Returns the address under which the limits per address count a connection. A household or machine has an IPv6 network
 * with a 64-bit prefix, so the whole network counts as one address.
 *
 * @param behindProxy whether to use the last address of X-Forwarded-For, which the proxy in front of this server wrote.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> },
  behindProxy: boolean,
): string {
  const forwarded = behindProxy ? [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim() : undefined;
  const text = forwarded ?? socket.remoteAddress ?? '';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
