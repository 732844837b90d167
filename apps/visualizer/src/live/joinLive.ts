import { levelMessages } from '@tutti/core';
import { wireAttacks, wireSetting } from '@tutti/simulation';
import { handelProtocol, type RoundProtocol } from '@tutti/transports';
import {
  HostilePort,
  joinSignalling,
  joinTabs,
  lastingSignalling,
  nobleCrypto,
  openBroadcast,
  openWebRtc,
  type WebSocketLike,
} from '@tutti/transports/browser';
import { LiveMember, type LiveMemberOptions, makeIdentity, type SlotAttack } from '@tutti/transports/rooms';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../servingKernel.ts';
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

/** Name of a Byzantine member in the room. */
const byzantineLabel = 'Mallory';

const seed = 1;

/**
 * Protocol of a Byzantine member's page, instead of Handel: the simulator's attack with invalid contributions, by a
 * single node.
 */
const invalidProtocol: RoundProtocol = {
  messages: levelMessages,
  createNode(place, port) {
    const { id, round, own, config } = place;
    const { scheme, priorities } = round;
    const attack = wireAttacks.find(({ name }) => name === 'invalid')!;
    const setting = wireSetting({
      protocol: 'handel',
      scheme,
      priorities,
      config,
      seed,
      purpose: `round ${round.number}`,
      members: [id],
      victims: Array.from(round.placement.keys()).filter((other) => other !== id),
      isByzantine: (other) => other === id,
      individual() {
        scheme.retain(own);
        return own;
      },
      honest: (_, inner) => handelProtocol.createNode(place, inner),
    });
    return attack.form(setting).join(id, new HostilePort(place, port, levelMessages));
  },
};

/** Returns a Byzantine member's part in a slot: each message of its validators has an invalid last signature. */
function slotAttackOf(bls: Bls): SlotAttack {
  const secretKey = bls.keyGen(crypto.getRandomValues(new Uint8Array(32)));
  return () => ({
    falsify(bytes) {
      const wrong = bls.sign(secretKey, bytes);
      const copy = bytes.slice();
      copy.set(wrong, bytes.length - wrong.length);
      return copy;
    },
  });
}
