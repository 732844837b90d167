import {
  joinSignalling,
  lastingSignalling,
  loadNodeRtc,
  nodeCrypto,
  openWebRtc,
  type WebSocketLike,
} from '@tutti/transports/raw';
import { LiveMember, type LiveMemberOptions, makeIdentity } from '@tutti/transports/rooms';
import type { Bls } from '@tutti/wasm-bls';
import { inScope } from '../scope.ts';
import type { RoomLink } from './roomLink.ts';

type Listeners = Pick<LiveMemberOptions, 'onChange' | 'onResult' | 'onBlock' | 'onFailure'>;

type Shown = Parameters<typeof makeIdentity>[2];

/**
 * Joins a live room as a member in this process, over WebRTC as browsers do, and rejoins when the connection is lost.
 *
 * @param shown information that the other members see about this one.
 * @throws WorldError `webrtc-missing`, `signalling-unreachable` or `signalling-refused`.
 */
export async function joinRoom(link: RoomLink, shown: Shown, bls: Bls, listeners: Listeners): Promise<LiveMember> {
  const { signalling: url, room, invitation } = link;
  const [rtc, { WebSocket }] = await Promise.all([loadNodeRtc(), import('ws')]);
  const identity = makeIdentity(nodeCrypto, bls, shown);
  const { name, card, networkSecret: secret } = identity;
  const connect = (url: string) => new WebSocket(url) as WebSocketLike;
  return inScope(async (scope) => {
    const signalling = scope.own(
      await lastingSignalling(() =>
        joinSignalling({ url, room, member: name, secret, crypto: nodeCrypto, card, invitation, connect }),
      ),
      (one) => one.close(),
    );
    const member = new LiveMember({
      room,
      identity,
      signalling,
      crypto: nodeCrypto,
      kernel: bls,
      openTransport: (signals) => openWebRtc({ name, signals, rtc }),
      ...listeners,
    });
    scope.handOver(signalling);
    return member;
  });
}
