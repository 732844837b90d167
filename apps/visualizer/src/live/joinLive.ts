import { levelMessages } from '@tutti/core';
import { wireAttacks, wireSetting } from '@tutti/simulation';
import {
  HostilePort,
  handelProtocol,
  joinSignalling,
  joinTabs,
  lastingSignalling,
  nobleCrypto,
  openBroadcast,
  openWebRtc,
  type RoundProtocol,
  type RoundVerifier,
  type SignatureClaim,
  type WebSocketLike,
} from '@tutti/transports';
import { LiveMember, type LiveMemberOptions, makeIdentity, type SlotAttack } from '@tutti/transports/rooms';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../worker/engines.ts';
import { TaskWorker } from '../worker/task.ts';
import type { LiveLink } from './liveLink.ts';
import { ownLabel } from './nickname.ts';

const connect = (url: string) => new WebSocket(url) as WebSocketLike;

type Listeners = Pick<LiveMemberOptions, 'onBegin' | 'onChange' | 'onResult' | 'onBlock' | 'onStep' | 'onFailure'>;

/**
 * Makes this page a member of a live room, with an identity that is valid as long as the page is open.
 *
 * @throws EnvironmentError if there is no server at the link, or if the server rejects the page; BlsLoadError if the
 * kernel cannot be loaded.
 */
export async function joinLive(link: LiveLink, listeners: Listeners): Promise<LiveMember> {
  const { room, isByzantine = false } = link;
  const bls = await loadBls({ engine: servingKernel() });
  const identity = makeIdentity(nobleCrypto, bls, {
    label: isByzantine ? byzantineLabel : ownLabel(),
    mayLead: !isByzantine,
  });
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
    protocol: isByzantine ? invalidProtocol : undefined,
    slotAttack: isByzantine ? slotAttackOf(bls) : undefined,
    openTransport: (signals) =>
      link.kind === 'tabs' ? openBroadcast({ group: room, name }) : openWebRtc({ name, signals }),
    ...listeners,
  });
}

/** Label of a Byzantine member in a live room. */
const byzantineLabel = 'Mallory';

/**
 * Protocol that a Byzantine member's page runs instead of Handel: the simulator's attack with invalid contributions, by
 * a single node.
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
      seed: 1,
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

/**
 * Returns the role of a Byzantine member in a slot: its validators replace the last signature in each of their messages
 * with a signature by another key.
 */
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

/** Requests to the verifying worker: first a request that opens the round, then one request per batch of claims. */
export type VerifyRequest =
  | { readonly kind: 'round'; readonly publicKeys: readonly Uint8Array[]; readonly message: Uint8Array }
  | { readonly kind: 'claims'; readonly claims: readonly SignatureClaim[] };

/** Verifier for one round in a separate worker, which terminates when the round ends. */
function workerVerifier(publicKeys: readonly Uint8Array[], message: Uint8Array): RoundVerifier {
  const worker = new TaskWorker<VerifyRequest, boolean[]>(
    new Worker(new URL('./verifyWorker.ts', import.meta.url), { type: 'module', name: 'tutti-verify' }),
    'The verifier',
  );
  // If the round cannot be opened, the verification of each batch of claims fails as well.
  worker.ask({ kind: 'round', publicKeys, message }).catch(() => {});
  return {
    verifyBatch: (claims) => worker.ask({ kind: 'claims', claims }),
    close: async () => worker.end(new Error('the round is closed')),
  };
}
