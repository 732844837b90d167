import type { IncomingMessage, Server } from 'node:http';
import { hostname } from 'node:os';
import { requireMethods, requireObject } from '@tutti/core/input';
import type { WebSocket } from 'ws';
import { nodeCrypto } from '../crypto/node.ts';
import { admissionAnswer, admissionRefusal, namesWith } from '../http/admission.ts';
import { clientAddress } from './clientAddress.ts';
import { type HubLimits, SignallingHub } from './hub.ts';
import { maxRequestBytes } from './messages.ts';

/** Where on an HTTP server the signalling is. */
export const signallingPath = '/signal';

export interface SignallingServerOptions {
  readonly limits?: Partial<HubLimits>;
  /**
   * Of rooms that are by invitation, by name: 1 to 128 secrets of 22 letters, digits, hyphens and underscores each. One
   * seats one member at a time, and nobody else comes in.
   */
  readonly invitations?: Readonly<Record<string, readonly string[]>>;
  /** Origins of pages, beside this server's own, that may join: `https://page.example`; `*` is every page. */
  readonly origins?: readonly string[];
  /**
   * Host names, without a port, by which this server is called, beside its IP addresses, `localhost` and the machine's
   * own name.
   */
  readonly names?: readonly string[];
  /** Takes addresses from the X-Forwarded-For of a proxy in front of this server, which must be the only way to it. */
  readonly behindProxy?: boolean;
}

/** Signalling on WebSockets. */
export interface SignallingServer {
  readonly counts: SignallingHub['counts'];
  /** Closes all connections; the HTTP server stays its owner's. */
  close(): void;
}

/** A receiver that lets so much pile up is not listening. */
const maxBufferedBytes = 1024 * 1024;
const tickMs = 1000;
/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCodes = { goingAway: 1001, policy: 1008 } as const;

/**
 * Has an HTTP server carry signals at {@link signallingPath}. Loads `ws`, which nothing else of this package needs.
 *
 * @throws TypeError for anything but a server; RangeError for limits or invitations that cannot be.
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
        // Ended at once: its buffer is what is to be given back.
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
    verifyClient: ({ req }, answer) => {
      const isCrowded = !hub.admits(addressOf(req));
      const refused = admissionRefusal(req, rules) ?? (isCrowded ? 'too-many-connections' : undefined);
      if (refused === undefined) return answer(true);
      // Before the handshake, so that a refused client holds nothing here.
      hub.turnedAway(refused);
      const { status, error } = admissionAnswer(refused, rules);
      answer(false, status, error);
    },
  });
  // The HTTP server's errors are told here too. One that could not accept a connection, as without descriptors, may
  // accept the next; all others are its owner's.
  acceptor.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'accept') throw error;
  });
  let nextId = 1;
  acceptor.on('connection', (socket, request) => {
    // A socket that fails says so here, and then closes.
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
