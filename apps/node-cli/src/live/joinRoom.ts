import {
  joinSignalling,
  LiveMember,
  type LiveMemberOptions,
  loadNodeRtc,
  makeIdentity,
  nodeCrypto,
  openWebRtc,
  type WebSocketLike,
} from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';
import { onThisThread } from '../localGroup.ts';
import type { RoomLink } from './roomLink.ts';

type Listeners = Pick<LiveMemberOptions, 'onChange' | 'onResult' | 'onFailure'>;

type Shown = Parameters<typeof makeIdentity>[2];

/**
 * Joins a live room as a member in this process, over WebRTC as the browsers do.
 *
 * @param shown what the others are told about it.
 * @throws WorldError `webrtc-missing`, `signalling-unreachable` or `signalling-refused`.
 */
export async function joinRoom(link: RoomLink, shown: Shown, bls: Bls, listeners: Listeners): Promise<LiveMember> {
  const { signalling: url, room } = link;
  const [rtc, { WebSocket }] = await Promise.all([loadNodeRtc(), import('ws')]);
  const identity = makeIdentity(nodeCrypto, bls, shown);
  const { name, card, networkSecret: secret } = identity;
  const signalling = await joinSignalling({
    url,
    room,
    member: name,
    secret,
    crypto: nodeCrypto,
    card,
    connect: (url) => new WebSocket(url) as WebSocketLike,
  });
  return new LiveMember({
    room,
    identity,
    signalling,
    crypto: nodeCrypto,
    kernel: bls,
    openVerifier: onThisThread(bls),
    openTransport: (signals) => openWebRtc({ name, signals, rtc }),
    ...listeners,
  });
}
