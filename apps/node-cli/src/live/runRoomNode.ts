import { toHex } from '@tutti/core/input';
import { joinSignalling, lastingSignalling, openWebRtc, type WebSocketLike } from '@tutti/transports';
import { loadNodeRtc, nodeCrypto } from '@tutti/transports/node';
import {
  LiveMember,
  type LiveMemberOptions,
  type LiveView,
  makeIdentity,
  type RoomBlock,
  type RoomResult,
  shownText,
} from '@tutti/transports/rooms';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { signatureFault } from '../cluster/deliver.ts';
import { isValid, messageText } from '../cluster/multiSignature.ts';
import { signalled } from '../cluster/untilEnded.ts';
import { inScope, untilAborted } from '../context.ts';
import { loadKernel } from '../kernel.ts';
import { counted } from '../output/text.ts';
import type { RoomLink } from './roomLink.ts';

interface RoomNodeOptions {
  readonly link: RoomLink;
  readonly label: string;
  /** Number of rounds after which the node leaves; with infinity, the node stays until Ctrl-C. */
  readonly rounds: number;
  /** Called with each event, as a line of JSON. */
  readonly jsonLines?: ((line: string) => void) | undefined;
  /** Called with each event, as a line of readable text. */
  readonly text?: ((line: string) => void) | undefined;
}

/** Methods of a member that {@link runRoomNode} uses. */
type Joined = Pick<LiveMember, 'view' | 'close'>;

/** Time for which a member remains in the room after its rounds to serve the other members, ms. */
const lingerMs = 5000;

/** Events of a live room, printed one per line. */
type RoomEvent =
  | { readonly event: 'joined'; readonly room: string; readonly member: string }
  /**
   * The connection to the signalling server has been lost. Rounds continue over the existing links, and the member
   * reconnects when the server is available again.
   */
  | { readonly event: 'lost'; readonly reason: string }
  | { readonly event: 'back'; readonly room: string }
  | {
      readonly event: 'round';
      readonly round: number;
      readonly members: number;
      /** Number of validators; set only for a Horn slot. */
      readonly validators?: number;
      readonly threshold: number;
      readonly message: string;
      /** Digest of the registry, 32 bytes, hexadecimal. */
      readonly digest: string;
    }
  | {
      readonly event: 'signed';
      readonly round: number;
      readonly reachedMs: number;
      readonly message: string;
      readonly signers: number;
      readonly signature: string;
      readonly bitset: string;
      readonly publicKeys: readonly string[];
    }
  /**
   * A slot of Horn has ended; the event contains the block that this member would propose. Public keys are listed in
   * the order of places.
   */
  | {
      readonly event: 'block';
      readonly round: number;
      readonly reachedMs: number | null;
      readonly message: string;
      readonly votes: number;
      readonly collections: readonly {
        readonly committee: number;
        /** Place of the committee's first validator, whose vote is bit 0 of the bitset. */
        readonly first: number;
        readonly bitset: string;
        readonly signature: string;
      }[];
      readonly publicKeys: readonly string[];
    };

/**
 * Runs a member of a live room. The member signs in each round that the leader starts, and reports the multi-signature
 * of each round once noble-curves has accepted it. The member leaves after the given number of rounds, or at Ctrl-C.
 * The member never becomes the leader, because no user operates it. If the signalling server ends, the member stays in
 * the room and reconnects when the server is available again.
 *
 * @throws EnvironmentError as thrown by `joinRoom`; EnvironmentError `invalid-signature`.
 */
export async function runRoomNode(
  options: RoomNodeOptions,
  signal: AbortSignal,
  join: (...of: Parameters<typeof joinRoom>) => Promise<Joined> = joinRoom,
): Promise<void> {
  const [bls, noble] = await Promise.all([loadKernel(), loadBls({ engine: 'noble' })]);
  const { link, label, rounds, jsonLines, text } = options;
  const write = (event: RoomEvent) => {
    jsonLines?.(`${JSON.stringify(event)}\n`);
    text?.(`${words(event)}\n`);
  };
  let begun = 0;
  let lost: string | undefined;
  const signed = new Set<number>();
  const over = signalled();

  const onChange = (member: Joined) => {
    const view = member.view();
    if (view.round !== undefined && view.digest !== undefined && view.round.number > begun) {
      begun = view.round.number;
      write(roundEvent(view.round, view.digest));
    }
    if (view.lost !== lost) {
      lost = view.lost;
      write(lost === undefined ? { event: 'back', room: link.room } : { event: 'lost', reason: lost });
    }
    if (signed.size >= rounds && areAllDone(view)) over.resolve();
  };
  const onSigned = (event: SignedEvent | BlockEvent, accepted: boolean) => {
    if (!accepted) {
      over.reject(signatureFault('the multi-signature'));
      return;
    }
    write(event);
    signed.add(event.round);
    if (signed.size >= rounds) setTimeout(over.resolve, lingerMs).unref();
  };
  const onResult = (result: RoomResult) => onSigned(signedEvent(result), isValid(noble, result));
  const onBlock = (block: RoomBlock) => onSigned(blockEvent(block), isValidBlock(noble, block));
  await inScope(async (scope) => {
    const member = scope.own(
      await join(link, { label, mayLead: false }, bls, {
        onChange,
        onResult,
        onBlock,
        onFailure: over.reject,
      }),
      (one) => one.close(),
    );
    write({ event: 'joined', room: link.room, member: member.view().self });
    await Promise.race([over.promise, untilAborted(signal)]);
  });
}

/** Returns whether every member that is present and takes part in the round has reached the threshold. */
function areAllDone({ members }: LiveView): boolean {
  return members.every(
    ({ inRound, condition, progress }) => !inRound || condition !== 'here' || progress?.reachedMs != null,
  );
}

function roundEvent(round: NonNullable<LiveView['round']>, digest: Uint8Array): RoomEvent {
  const { number, threshold, message, slot } = round;
  return {
    event: 'round',
    round: number,
    members: round.entries.length,
    ...(slot !== undefined && { validators: slot.validators.length }),
    threshold,
    message,
    digest: toHex(digest),
  };
}

function isValidBlock(bls: Bls, { block, message, publicKeys }: RoomBlock): boolean {
  return block.collections.every(({ first, bits, signature }) => {
    const keys = publicKeys.slice(first, first + 8 * bits.length);
    return isValid(bls, { message, bits, signature, publicKeys: keys });
  });
}

type SignedEvent = Extract<RoomEvent, { event: 'signed' }>;
type BlockEvent = Extract<RoomEvent, { event: 'block' }>;

/** Returns the fields that the event of a multi-signature and that of a block share. */
function sharedFields({ round, message, publicKeys }: RoomResult | RoomBlock) {
  return { round, message: messageText(message), publicKeys: publicKeys.map(toHex) };
}

function signatureFields({ bits, signature }: Pick<RoomResult, 'bits' | 'signature'>) {
  return { bitset: toHex(bits), signature: toHex(signature) };
}

function blockEvent(result: RoomBlock): BlockEvent {
  const { reachedMs, block } = result;
  const collections = block.collections.map(({ committee, first, ...signed }) => ({
    committee,
    first,
    ...signatureFields(signed),
  }));
  return { event: 'block', ...sharedFields(result), reachedMs, votes: block.votes, collections };
}

function signedEvent(result: RoomResult): SignedEvent {
  const { reachedMs, weight } = result;
  return { event: 'signed', ...sharedFields(result), reachedMs, signers: weight, ...signatureFields(result) };
}

function words(event: RoomEvent): string {
  switch (event.event) {
    case 'joined':
      return `Joined the room ${event.room} as ${event.member.slice(0, 8)}; waiting for its leader to start.`;
    case 'lost':
      return `${event.reason}. Open connections remain; the node rejoins when the server is reachable again.`;
    case 'back':
      return `Rejoined the room ${event.room}.`;
    case 'round':
      return `${event.validators === undefined ? 'Round' : 'Slot'} ${event.round}: ${counted(event.members, 'member')}${event.validators === undefined ? '' : ` with ${counted(event.validators, 'validator')}`}, ${counted(event.threshold, 'signature')} needed, registry ${event.digest.slice(0, 16)}, message ${JSON.stringify(shownText(event.message))}`;
    case 'signed':
      return `Round ${event.round}: signed by ${event.signers} of ${event.publicKeys.length} after ${event.reachedMs} ms, as noble-curves confirms: ${event.signature}`;
    case 'block':
      return `Slot ${event.round}: ${event.votes} of ${event.publicKeys.length} votes in its block, in ${counted(event.collections.length, 'collection')}, as noble-curves confirms`;
  }
}

type Listeners = Pick<LiveMemberOptions, 'onChange' | 'onResult' | 'onBlock' | 'onFailure'>;

type Shown = Parameters<typeof makeIdentity>[2];

/**
 * Joins a live room as a member in this process, over WebRTC as browsers do, and rejoins if the connection is lost.
 *
 * @param shown information about this member that the other members see.
 * @throws EnvironmentError `webrtc-missing`, `signalling-unreachable` or `signalling-refused`.
 */
export async function joinRoom(link: RoomLink, shown: Shown, bls: Bls, listeners: Listeners): Promise<LiveMember> {
  const { signalling: url, room, invitation } = link;
  const [rtc, { WebSocket }] = await Promise.all([loadNodeRtc(), import('ws')]);
  const identity = makeIdentity(nodeCrypto, bls, shown);
  const { name, card, networkSecret: secret } = identity;
  const connect = (address: string) => new WebSocket(address) as WebSocketLike;
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
