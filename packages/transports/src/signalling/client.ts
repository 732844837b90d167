import { EnvironmentError, requireFunction, requireMethods, requireObject, requireText } from '@tutti/core/input';
import { type CryptoSuite, requireSuite, requireX25519Length } from '../crypto/suite.ts';
import { Backoff } from '../transport/pacing.ts';
import { proveName } from './joinProof.ts';
import { decodeNotice, requireMemberName, requireRoomName, type SignallingRequest } from './messages.ts';
import { type Signalling, type SignallingEvent, SignallingEvents } from './signalling.ts';

/**
 * The part of the WebSocket interface that signalling requires. Browsers provide a WebSocket; in Node, the package `ws`
 * provides one.
 */
export interface WebSocketLike {
  send(text: string): void;
  close(): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
}

/** Options of {@link joinSignalling}. */
export interface JoinOptions {
  /** Address of the server, such as `wss://page.example/signal`. */
  readonly url: string;
  /** Name of the room: 1 to 64 letters, digits, hyphens or underscores. */
  readonly room: string;
  /** Name of this member, which is its public network key, 64 lower-case hexadecimal digits. */
  readonly member: string;
  /**
   * Secret key of this member's network key, 32 bytes, with which the member proves its name. The secret key is never
   * sent.
   */
  readonly secret: Uint8Array;
  readonly crypto: CryptoSuite;
  /** Card for the other members, in addition to the name. */
  readonly card: string;
  /** Invitation to a room that requires one, 22 characters; valid for one member at a time. */
  readonly invitation?: string | undefined;
  /** Opens a WebSocket: `(url) => new WebSocket(url)` in a page. */
  readonly connect: (url: string) => WebSocketLike;
}

/**
 * Joins a room of a signalling server.
 *
 * @throws EnvironmentError `room-name`, `signalling-unreachable`, or `signalling-refused` with the server's reason;
 * TypeError or RangeError for invalid options.
 */
export async function joinSignalling(options: JoinOptions): Promise<Signalling> {
  requireObject('options', options);
  const { url, room, member, secret, crypto, card, invitation, connect } = options;
  requireText('url', url);
  requireRoomName(room);
  requireMemberName(member);
  requireX25519Length('secret', secret);
  requireSuite(crypto);
  requireText('card', card);
  if (invitation !== undefined) requireText('invitation', invitation);
  requireFunction('connect', connect);
  return new Promise((resolve, reject) => {
    const socket = openSocket(connect, url);
    const events = new SignallingEvents();
    const ask = (request: SignallingRequest) => socket.send(JSON.stringify(request));
    let state: 'joining' | 'joined' | 'over' = 'joining';
    const fail = (code: string, line: string) => {
      if (state !== 'joining') return;
      state = 'over';
      socket.close();
      reject(new EnvironmentError(code, line));
    };
    socket.onerror = () =>
      fail('signalling-unreachable', `signalling: no server answers at ${url}, or the server rejects the connection`);
    socket.onclose = () => {
      fail('signalling-unreachable', `signalling: the server at ${url} ended the connection`);
      if (state !== 'joined') return;
      state = 'over';
      events.emit({ type: 'lost', line: `signalling: the connection to ${url} was lost` });
    };
    socket.onmessage = ({ data }) => {
      const notice = typeof data === 'string' ? decodeNotice(data) : undefined;
      if (notice === undefined || state === 'over') return;
      if (notice.type === 'challenge') {
        if (state !== 'joining') return;
        const proof = proveName(crypto, secret, notice, room);
        if (proof === undefined)
          fail('signalling-refused', `signalling: the server at ${url} has an invalid key (low order)`);
        else ask({ type: 'join', room, member, card, proof, invitation });
      } else if (notice.type === 'joined') {
        if (state !== 'joining') return;
        state = 'joined';
        for (const present of [...notice.members, { member, card }]) events.emit({ type: 'came', ...present });
        resolve({
          signal: (to, text) => state === 'joined' && ask({ type: 'signal', to, text }),
          announce: (text) => state === 'joined' && ask({ type: 'announce', text }),
          onEvent: (listener) => events.listen(listener),
          close: () => {
            state = 'over';
            socket.close();
          },
        });
      } else if (notice.type === 'refused' && state === 'joining')
        fail('signalling-refused', `signalling: ${notice.line}`);
      else events.emit(notice);
    };
  });
}

function openSocket(connect: JoinOptions['connect'], url: string): WebSocketLike {
  try {
    return connect(url);
  } catch (cause) {
    const line = `signalling: expected the address of a server, such as wss://page.example/signal, got ${url}`;
    throw new EnvironmentError('signalling-unreachable', line, { cause });
  }
}

/** Options of {@link lastingSignalling}. */
export interface LastingSignallingOptions {
  /**
   * Calls `run` once after the given number of milliseconds, unless the returned function is called earlier. Default: a
   * timer.
   */
  readonly later?: (run: () => void, ms: number) => () => void;
  /** Returns the current time relative to an arbitrary origin, ms. Default: `performance.now`. */
  readonly nowMs?: () => number;
}

/** Minimum time in a room after which the waits between attempts start again at 0.1 s, ms. */
const settledMs = 5000;

/**
 * Joins a room, and joins it again whenever the connection is lost, for example when the server restarts. The waits
 * between attempts begin at 0.1 s, double each time and are at most 5 s. The attempts continue until the signalling is
 * closed. The event `lost` means that the connection to the room was lost; `back` means that the room was joined again.
 * After `back`, all members of the room are reported again, this member last.
 *
 * @param join joins the room; called again for each attempt.
 * @throws the error of the first `join` (later failures cause further attempts); TypeError for an invalid `join`, or
 * for a `join` that does not return a signalling.
 */
export async function lastingSignalling(
  join: () => Promise<Signalling>,
  options: LastingSignallingOptions = {},
): Promise<Signalling> {
  requireFunction('join', join);
  requireObject('options', options);
  const { later = afterDelay, nowMs = () => performance.now() } = options;
  const events = new SignallingEvents();
  const backoff = new Backoff();
  let closed = false;
  let cancel = () => {};
  let joinedMs = 0;
  let current: Signalling | undefined;

  const joined = async () => {
    const signalling = await join();
    requireMethods('joined', signalling, ['signal', 'announce', 'onEvent', 'close']);
    return signalling;
  };
  const listen = (signalling: Signalling) => {
    current = signalling;
    joinedMs = nowMs();
    signalling.onEvent((event) => onEvent(signalling, event));
  };
  const onEvent = (from: Signalling, event: SignallingEvent) => {
    if (closed || from !== current) return;
    events.emit(event);
    if (event.type !== 'lost') return;
    current = undefined;
    if (nowMs() - joinedMs >= settledMs) backoff.onSuccess();
    wait();
  };
  const wait = () => {
    backoff.onFailure(nowMs());
    cancel = later(joinAgain, backoff.waitMs(nowMs()));
  };
  const joinAgain = async () => {
    let signalling: Signalling;
    try {
      signalling = await joined();
    } catch {
      if (!closed) wait();
      return;
    }
    if (closed) return signalling.close();
    // An error of the caller's listener ends neither the room nor the connection.
    try {
      events.emit({ type: 'back' });
    } finally {
      listen(signalling);
    }
  };
  listen(await joined());
  return {
    signal: (to, text) => current?.signal(to, text),
    announce: (text) => current?.announce(text),
    onEvent: (listener) => events.listen(listener),
    close() {
      closed = true;
      cancel();
      current?.close();
    },
  };
}

function afterDelay(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
