import { requireBytes, requireFunction, requireObject, requireText, WorldError } from '@tutti/core/input';
import type { CryptoSuite } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';
import { proveName } from './joinProof.ts';
import { decodeNotice, requireRoomName, type SignallingRequest } from './messages.ts';
import { type Signalling, type SignallingEvent, SignallingEvents } from './signalling.ts';

/** The required subset of a WebSocket. Browsers provide it; in Node the package `ws` does. */
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
  /** Name of this member, which is its public network key: 64 lower-case hexadecimal digits. */
  readonly member: string;
  /** Secret of that key, 32 bytes, with which the member proves its name. It is never sent. */
  readonly secret: Uint8Array;
  readonly crypto: CryptoSuite;
  /** Card for the other members, in addition to the name. */
  readonly card: string;
  /** Invitation, for a room by invitation: 22 characters, valid for one member at a time. */
  readonly invitation?: string | undefined;
  /** Opens a WebSocket: `(url) => new WebSocket(url)` in a page. */
  readonly connect: (url: string) => WebSocketLike;
}

/**
 * Joins a room of a signalling server.
 *
 * @throws WorldError `room-name`, `signalling-unreachable`, or `signalling-refused` with the server's reason;
 *   TypeError for invalid options.
 */
export async function joinSignalling(options: JoinOptions): Promise<Signalling> {
  requireObject('options', options);
  const { url, room, member, secret, crypto, card, invitation, connect } = options;
  requireText('url', url);
  requireRoomName(room);
  requireText('member', member);
  requireBytes('secret', secret);
  requireSuite(crypto);
  requireText('card', card);
  if (invitation !== undefined) requireText('invitation', invitation);
  requireFunction('connect', connect);
  return new Promise((resolve, reject) => {
    const socket = connect(url);
    const events = new SignallingEvents();
    const ask = (request: SignallingRequest) => socket.send(JSON.stringify(request));
    let state: 'joining' | 'joined' | 'over' = 'joining';
    const fail = (code: string, line: string) => {
      if (state !== 'joining') return;
      state = 'over';
      socket.close();
      reject(new WorldError(code, line));
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
          onEvent: (listener: (event: SignallingEvent) => void) => events.listen(listener),
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
