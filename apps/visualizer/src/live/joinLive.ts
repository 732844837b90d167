import {
  joinSignalling,
  joinTabs,
  lastingSignalling,
  nobleCrypto,
  openBroadcast,
  openWebRtc,
  type WebSocketLike,
} from '@tutti/transports/browser';
import { LiveMember, type LiveMemberOptions, makeIdentity } from '@tutti/transports/rooms';
import { loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../servingKernel.ts';
import { byzantineLabel, invalidProtocol, slotAttackOf } from './byzantineMember.ts';
import type { LiveLink } from './liveLink.ts';
import { ownLabel } from './nickname.ts';
import { workerVerifier } from './workerVerifier.ts';

const connect = (url: string) => new WebSocket(url) as WebSocketLike;

type Listeners = Pick<LiveMemberOptions, 'onBegin' | 'onChange' | 'onResult' | 'onBlock' | 'onStep' | 'onFailure'>;

/**
 * Makes this page a member of a live room, with an identity that lasts as long as the page.
 *
 * @throws WorldError if there is no server at the link, or the server rejects the page; BlsLoadError.
 */
export async function joinLive(link: LiveLink, listeners: Listeners): Promise<LiveMember> {
  const { room, lies = false } = link;
  const bls = await loadBls({ engine: servingKernel() });
  const identity = makeIdentity(nobleCrypto, bls, { label: lies ? byzantineLabel : ownLabel(), mayLead: !lies });
  const { name, card, networkSecret: secret } = identity;
  const signalling =
    link.kind === 'tabs'
      ? await joinTabs({ room, member: name, card })
      : await lastingSignalling(() => {
          const { signalling: url, invitation } = link;
          return joinSignalling({ url, room, member: name, secret, crypto: nobleCrypto, card, invitation, connect });
        });
  return new LiveMember({
    room,
    identity,
    signalling,
    crypto: nobleCrypto,
    kernel: bls,
    openVerifier: workerVerifier,
    protocol: lies ? invalidProtocol : undefined,
    slotAttack: lies ? slotAttackOf(bls) : undefined,
    openTransport: (signals) =>
      link.kind === 'tabs' ? openBroadcast({ group: room, name }) : openWebRtc({ name, signals }),
    ...listeners,
  });
}
