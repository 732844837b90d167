import {
  concat,
  readUint,
  requireArray,
  requireBytes,
  requireInteger,
  requireObject,
  requireText,
  writeUint,
} from '@tutti/core/input';
import {
  type CryptoSuite,
  type KeyAgreement,
  requireSuite,
  sealKeyBytes,
  sealNonceBytes,
  sealTagBytes,
} from '../crypto/suite.ts';
import { defaultMaxPacketBytes } from '../transport/transport.ts';
import { ReplayWindow } from './replayWindow.ts';

/**
 * Reason to reject a packet. A rejected packet is counted under its code and dropped: the packet never causes an
 * exception and never reaches the node.
 */
export type ChannelRefusal =
  | 'too-short'
  | 'too-long'
  | 'wrong-version'
  | 'wrong-session'
  | 'unknown-sender'
  | 'misaddressed'
  | 'stale-incarnation'
  | 'too-many-incarnations'
  | 'forged'
  | 'replayed';

/**
 * Answer to a peer that sealed a packet for an earlier incarnation of this node. The answer reports this node's current
 * incarnation to the peer.
 */
export interface Answer {
  /** Registry index of the receiver. */
  readonly to: number;
  readonly packet: Uint8Array;
}

/** Result of {@link Channel.open}: a payload and its sender, or a code. */
export type Opened =
  /** An empty payload only shows that its sender is alive: see {@link Answer}. */
  | { readonly ok: true; readonly from: number; readonly payload: Uint8Array }
  | { readonly ok: false; readonly code: ChannelRefusal; readonly answer?: Answer };

/** Options of a {@link Channel}. */
export interface ChannelOptions {
  /** Crypto suite: `nodeCrypto`, or `nobleCrypto` outside Node. The two suites are compatible. */
  readonly crypto: CryptoSuite;
  /** Identifier of the registry and the round, 32 bytes; see `sessionId`. Packets of other sessions are rejected. */
  readonly session: Uint8Array;
  /** Registry index of this node. */
  readonly self: number;
  /** X25519 secret key of this node, 32 bytes. */
  readonly secret: Uint8Array;
  /**
   * X25519 public keys, 32 bytes each, one per registry entry. The public keys were checked when the registry was
   * loaded.
   */
  readonly publicKeys: readonly Uint8Array[];
  /**
   * Maximum length of a sealed or opened packet, including header and tag, an integer from 51 to 2^20 bytes. The
   * maximum must be the same at both ends. Default: 1,200.
   */
  readonly maxPacketBytes?: number;
  /**
   * Counter of the first packet to each peer, an integer less than 2^32. Any value is safe, since each incarnation has
   * its own keys. Only tests of the last counter set this option. Default: 0.
   */
  readonly firstCounter?: number;
  /**
   * Whether to accept a new incarnation of a peer that already has 16 tracked incarnations. The channel then forgets
   * the least recently active incarnation, whose packets could be replayed. Set this option for a session with many
   * restarts in which repeated messages do no harm. Default: false.
   */
  readonly forgetsIncarnations?: boolean;
}

/** Length of a session identifier, bytes. */
export const sessionBytes = 32;

const formatVersion = 2;
const incarnationBytes = 8;
/** Maximum number of peers: registry indices take 24 bits on the wire. */
const maxPeers = 1 << 24;
const maxCounter = 2 ** 32 - 1;
/**
 * Maximum number of tracked incarnations per peer and session. Unless {@link ChannelOptions.forgetsIncarnations} is
 * set, the channel forgets no incarnation, because recorded packets of a forgotten incarnation could be replayed. A
 * peer that tracks 16 incarnations of a node then ignores the node's further incarnations.
 */
export const maxIncarnations = 16;
const keysLabel = new TextEncoder().encode('tutti channel v2');
const noncesLabel = new TextEncoder().encode('tutti nonces v2');

// Offsets of the fields of a header.
const sessionAt = 1;
export const senderAt = 5;
export const receiverAt = 8;
const incarnationAt = 11;
const heardAt = 19;
const counterAt = 23;
const saltAt = 27;
const headerBytes = 35;

/** Number of bytes that sealing adds to a payload. */
export const channelOverheadBytes = headerBytes + sealTagBytes;

/** A channel's incarnation: a random 64-bit identifier in two halves, the first of which is never 0. */
interface Incarnation {
  readonly high: number;
  readonly low: number;
}

const noIncarnation: Incarnation = { high: 0, low: 0 };

/** State of one incarnation of a peer. */
interface PeerIncarnation extends Incarnation {
  readonly window: ReplayWindow;
  /** Key of the packets that the incarnation seals for this node. */
  openKey: Uint8Array | undefined;
  /**
   * Whether `openKey` opens packets sealed for this node's current incarnation. If not, it opens packets sealed before
   * the sender knew any incarnation of this node.
   */
  openKeyIsBound: boolean;
}

interface ChannelPeer {
  /**
   * One pseudo-random key per direction, from which the keys of each pair of incarnations are derived; undefined after
   * release.
   */
  roots: { readonly seal: Uint8Array; readonly open: Uint8Array } | undefined;
  /** Key for the peer's most recent incarnation; undefined until needed. */
  sealKey: Uint8Array | undefined;
  nextCounter: number;
  /** Incarnations, the most recently active first. */
  incarnations: readonly PeerIncarnation[];
  /** Number of packets for an earlier incarnation since the last packet for the present one. */
  stalePackets: number;
}

/**
 * The point-to-point authenticated channels that Handel assumes between each pair of nodes (v1.03 section 2.3), for
 * packets that may be lost, duplicated or overtaken. The Go reference has no authenticated channels, so a single
 * datagram can crash a node.
 *
 * Each channel draws 64 random bits, its *incarnation*. A pair of nodes shares X25519(secret, public). HKDF-SHA256 with
 * the session as salt derives one root per direction from the shared secret (the first half for packets from the node
 * with the lower index). The key for a direction is HMAC-SHA256(root, sender's incarnation | receiver's incarnation).
 * The receiver's incarnation is zero in the key until the sender has received it. ChaCha20-Poly1305 seals each packet,
 * so no third party can read or forge the packet. The layout of a packet is
 *
 * ```text
 * version 1 | session 4 | sender 3 | receiver 3 | sender's incarnation 8 | receiver's incarnation, first half 4
 *   | counter 4 | salt 8 | sealed payload | tag 16                                          (bytes, big-endian)
 * ```
 *
 * with nonce = counter | salt, and associated data = session (32) | the header. The salt is derived from the content to
 * be sealed, with a key that only this node has. An incarnation and a counter may repeat if a running machine is copied
 * together with its random state. Even then, two packets have the same nonce only if the packets are identical.
 * docs/reference/channel-and-wire.md gives the reasons, the limits and the costs.
 *
 * Trust: the registry determines which index has which public key.
 */
export class Channel {
  readonly #crypto: CryptoSuite;
  readonly #session: Uint8Array;
  readonly #mark: number;
  readonly #self: number;
  readonly #agreement: KeyAgreement;
  readonly #publicKeys: readonly Uint8Array[];
  readonly #maxPacketBytes: number;
  readonly #firstCounter: number;
  readonly #forgetsIncarnations: boolean;
  readonly #incarnation: Incarnation;
  /** State of each peer, created on first contact; null if no secret can be shared with the peer's key. */
  readonly #peers: (ChannelPeer | null | undefined)[];
  readonly #associated: Uint8Array;
  readonly #nonce = new Uint8Array(sealNonceBytes);
  /**
   * Input buffer for computing a salt: the key of this node's salts, then the header up to the salt, then the payload.
   */
  readonly #salted: Uint8Array;

  /** @throws TypeError for a missing option or an option of the wrong type; RangeError for a value out of range. */
  constructor(options: ChannelOptions) {
    requireObject('options', options);
    const { crypto, session, self, secret, publicKeys } = options;
    const { firstCounter = 0, maxPacketBytes = defaultMaxPacketBytes } = options;
    requireSuite(crypto);
    requireBytes('session', session);
    requireBytes('secret', secret);
    requireArray('publicKeys', publicKeys);
    if (session.length !== sessionBytes)
      throw new RangeError(`session: expected ${sessionBytes} bytes, got ${session.length}`);
    if (publicKeys.length > maxPeers)
      throw new RangeError(`publicKeys: expected at most ${maxPeers}, got ${publicKeys.length}`);
    requireInteger('self', self, 0, publicKeys.length - 1);
    requireInteger('firstCounter', firstCounter, 0, maxCounter);
    requireInteger('maxPacketBytes', maxPacketBytes, channelOverheadBytes, 2 ** 20);
    this.#crypto = crypto;
    this.#session = session;
    this.#mark = markOf(session);
    this.#self = self;
    this.#agreement = crypto.keyAgreement(secret);
    this.#publicKeys = publicKeys;
    this.#maxPacketBytes = maxPacketBytes;
    this.#firstCounter = firstCounter;
    this.#forgetsIncarnations = options.forgetsIncarnations ?? false;
    this.#peers = new Array(publicKeys.length);
    this.#associated = concat(session, new Uint8Array(headerBytes));
    const incarnation = crypto.randomBytes(incarnationBytes);
    this.#incarnation = { high: readUint(incarnation, 0, 4) || 1, low: readUint(incarnation, 4, incarnationBytes) };
    this.#salted = new Uint8Array(sealKeyBytes + maxPacketBytes);
    this.#salted.set(crypto.hkdfSha256(secret, session, concat(noncesLabel, incarnation), sealKeyBytes));
  }

  /** Maximum length of a payload that fits into one packet, bytes. */
  get maxPayloadBytes(): number {
    return this.#maxPacketBytes - channelOverheadBytes;
  }

  /**
   * Returns a number less than 2^32 for the next message to a peer. The number changes with each sealed packet, so no
   * two messages of this incarnation to the peer have the same number. The first number is random, so that recent
   * messages of an earlier incarnation are not mistaken for the new message.
   *
   * @throws RangeError if `to` is not a peer.
   */
  nextNumber(to: number): number {
    return (this.#incarnation.low + this.#peerToSend(to).nextCounter) >>> 0;
  }

  /**
   * Seals a payload for one peer.
   *
   * @param to registry index of the receiver, not this node's own.
   * @throws RangeError if `to` is not a peer, the payload is longer than `maxPayloadBytes`, or 2^32 packets were sent
   * to this peer.
   */
  seal(to: number, payload: Uint8Array): Uint8Array {
    requireBytes('payload', payload);
    if (payload.length > this.maxPayloadBytes)
      throw new RangeError(`payload: expected at most ${this.maxPayloadBytes} bytes, got ${payload.length}`);
    const peer = this.#peerToSend(to);
    const heard = peer.incarnations[0] ?? noIncarnation;
    peer.sealKey ??= this.#keyOf(this.#rootsOf(peer, to).seal, this.#incarnation, heard);
    return this.#sealWith(peer.sealKey, heard, peer, to, payload);
  }

  /** Opens a packet from any source. Arbitrary bytes produce a rejection code, never an exception. */
  open(packet: Uint8Array): Opened {
    requireBytes('packet', packet);
    const refusal = screenPacket(packet, this.#maxPacketBytes);
    if (refusal !== undefined) return refused(refusal);
    const { mark, sender: from } = claimedBy(packet);
    if (mark !== this.#mark) return refused('wrong-session');
    if (from >= this.#publicKeys.length || from === this.#self) return refused('unknown-sender');
    if (readUint(packet, receiverAt, incarnationAt) !== this.#self) return refused('misaddressed');

    const peer = this.#peer(from);
    if (peer === null) return refused('forged');
    const isBound = isBoundToIncarnation(packet);
    if (isBound && readUint(packet, heardAt, counterAt) !== this.#incarnation.high)
      return this.#answerStale(peer, from);
    const high = readUint(packet, incarnationAt, incarnationAt + 4);
    const low = readUint(packet, incarnationAt + 4, heardAt);
    const known = peer.incarnations.find((incarnation) => incarnation.low === low && incarnation.high === high);
    if (known === undefined && peer.incarnations.length >= maxIncarnations && !this.#forgetsIncarnations)
      return refused('too-many-incarnations');
    const incarnation = known ?? { high, low, window: new ReplayWindow(), openKey: undefined, openKeyIsBound: false };
    const counter = readUint(packet, counterAt, saltAt);
    // The replay check precedes the expensive part, so replayed packets cost little. The check also rejects a forged
    // packet that repeats a counter.
    if (!incarnation.window.isFresh(counter)) return refused('replayed');
    if (incarnation.openKey === undefined || incarnation.openKeyIsBound !== isBound) {
      incarnation.openKey = this.#keyOf(
        this.#rootsOf(peer, from).open,
        incarnation,
        isBound ? this.#incarnation : noIncarnation,
      );
      incarnation.openKeyIsBound = isBound;
    }
    const [nonce, associated] = [this.#nonceOf(packet), this.#associatedWith(packet)];
    const payload = this.#crypto.open(incarnation.openKey, nonce, associated, packet.subarray(headerBytes));
    if (payload === undefined) return refused('forged');
    incarnation.window.accept(counter);
    if (isBound) peer.stalePackets = 0;
    if (peer.incarnations[0] !== incarnation) makeMostRecent(peer, incarnation);
    return { ok: true, from, payload };
  }

  /**
   * Releases the keys. The keys are derived again when needed. The state that prevents replays and repeated nonces is
   * kept.
   */
  forgetKeys(): void {
    for (const peer of this.#peers) {
      if (!peer) continue;
      peer.roots = undefined;
      peer.sealKey = undefined;
      for (const incarnation of peer.incarnations) incarnation.openKey = undefined;
    }
  }

  /**
   * Handles a packet sealed, or claimed to be sealed, for an earlier incarnation of this node. The key for the earlier
   * incarnation no longer exists, so nothing can be verified. For the first, second, fourth and every eighth such
   * packet, the claimed sender gets an answer that is at most as long as the packet, unless all counters are used. The
   * channel sends several answers, because each may be lost. The number of answers is limited, so that no third party
   * can cause many answers or use up the answers intended for the peer.
   */
  #answerStale(peer: ChannelPeer, from: number): Opened {
    const times = ++peer.stalePackets;
    const isAnswered = times % 8 === 0 || [1, 2, 4].includes(times);
    if (!isAnswered || peer.nextCounter > maxCounter) return refused('stale-incarnation');
    const key = this.#keyOf(this.#rootsOf(peer, from).seal, this.#incarnation, noIncarnation);
    const packet = this.#sealWith(key, noIncarnation, peer, from, new Uint8Array(0));
    return { ok: false, code: 'stale-incarnation', answer: { to: from, packet } };
  }

  #sealWith(key: Uint8Array, heard: Incarnation, peer: ChannelPeer, to: number, payload: Uint8Array): Uint8Array {
    const counter = peer.nextCounter++;
    if (counter > maxCounter)
      throw new RangeError('counter: expected fewer than 2^32 packets per peer and session, got 2^32');
    const packet = new Uint8Array(channelOverheadBytes + payload.length);
    packet[0] = formatVersion;
    packet.set(this.#session.subarray(0, senderAt - sessionAt), sessionAt);
    writeUint(packet, senderAt, receiverAt, this.#self);
    writeUint(packet, receiverAt, incarnationAt, to);
    writeUint(packet, incarnationAt, incarnationAt + 4, this.#incarnation.high);
    writeUint(packet, incarnationAt + 4, heardAt, this.#incarnation.low);
    writeUint(packet, heardAt, counterAt, heard.high);
    writeUint(packet, counterAt, saltAt, counter);
    packet.set(this.#saltOf(packet, payload), saltAt);
    const [nonce, associated] = [this.#nonceOf(packet), this.#associatedWith(packet)];
    this.#crypto.seal(key, nonce, associated, payload, packet.subarray(headerBytes));
    return packet;
  }

  /**
   * Returns 8 bytes of SHA-256(key of this node's salts | header before the salt | payload). Eight bytes are too few
   * for a length-extension attack.
   */
  #saltOf(packet: Uint8Array, payload: Uint8Array): Uint8Array {
    this.#salted.set(packet.subarray(0, saltAt), sealKeyBytes);
    this.#salted.set(payload, sealKeyBytes + saltAt);
    const length = sealKeyBytes + saltAt + payload.length;
    return this.#crypto.sha256([this.#salted.subarray(0, length)]).subarray(0, headerBytes - saltAt);
  }

  #associatedWith(packet: Uint8Array): Uint8Array {
    this.#associated.set(packet.subarray(0, headerBytes), sessionBytes);
    return this.#associated;
  }

  #nonceOf(packet: Uint8Array): Uint8Array {
    this.#nonce.set(packet.subarray(counterAt, headerBytes));
    return this.#nonce;
  }

  #keyOf(root: Uint8Array, sender: Incarnation, receiver: Incarnation): Uint8Array {
    const incarnations = new Uint8Array(2 * incarnationBytes);
    for (const [at, half] of [sender.high, sender.low, receiver.high, receiver.low].entries())
      writeUint(incarnations, 4 * at, 4 * at + 4, half);
    return this.#crypto.hmacSha256(root, incarnations);
  }

  #peerToSend(to: number): ChannelPeer {
    const peer = this.#peer(to);
    if (peer === null) throw new RangeError(`to: ${to} is not a peer of ${this.#self} in this registry`);
    return peer;
  }

  #peer(index: number): ChannelPeer | null {
    let peer = this.#peers[index];
    if (peer === undefined) {
      const roots = this.#rootsWith(index);
      const unused = { sealKey: undefined, nextCounter: this.#firstCounter, incarnations: [], stalePackets: 0 };
      peer = roots === undefined ? null : { roots, ...unused };
      this.#peers[index] = peer;
    }
    return peer;
  }

  #rootsOf(peer: ChannelPeer, index: number): NonNullable<ChannelPeer['roots']> {
    // If a secret could be shared once, the computation succeeds again.
    peer.roots ??= this.#rootsWith(index)!;
    return peer.roots;
  }

  #rootsWith(index: number): ChannelPeer['roots'] {
    const publicKey = this.#publicKeys[index];
    if (publicKey === undefined || index === this.#self) return undefined;
    const shared = this.#agreement.sharedSecret(publicKey);
    if (shared === undefined) return undefined;
    const isFirst = this.#self < index;
    const own = this.#publicKeys[this.#self]!;
    const info = isFirst ? concat(keysLabel, own, publicKey) : concat(keysLabel, publicKey, own);
    const roots = this.#crypto.hkdfSha256(shared, this.#session, info, 2 * sealKeyBytes);
    const [fromFirst, toFirst] = [roots.subarray(0, sealKeyBytes), roots.subarray(sealKeyBytes)];
    return isFirst ? { seal: fromFirst, open: toFirst } : { seal: toFirst, open: fromFirst };
  }
}

/**
 * Returns the reason why a packet belongs to no session, judging by its length and version; undefined if there is none.
 */
export function screenPacket(packet: Uint8Array, maxPacketBytes: number): ChannelRefusal | undefined {
  if (packet.length < channelOverheadBytes) return 'too-short';
  if (packet.length > maxPacketBytes) return 'too-long';
  return packet[0] === formatVersion ? undefined : 'wrong-version';
}

/** Returns, as a number, the prefix of a session's identifier that the session's packets contain. */
export function markOf(session: Uint8Array): number {
  return readUint(session, 0, senderAt - sessionAt);
}

/**
 * Returns the session prefix and the sender that a packet claims, without verifying them. The packet must pass
 * `screenPacket`.
 */
export function claimedBy(packet: Uint8Array): { readonly mark: number; readonly sender: number } {
  return { mark: readUint(packet, sessionAt, senderAt), sender: readUint(packet, senderAt, receiverAt) };
}

/**
 * Returns whether an opened packet was sealed for the receiver's current incarnation, and therefore after that
 * incarnation began. Any other packet may be a recording, sealed during an earlier incarnation by a sender that knew
 * neither the earlier nor the current incarnation.
 */
export function isBoundToIncarnation(packet: Uint8Array): boolean {
  requireBytes('packet', packet);
  return readUint(packet, heardAt, counterAt) !== 0;
}

/** Makes the given incarnation the one for which packets to the peer are sealed. */
function makeMostRecent(peer: ChannelPeer, incarnation: PeerIncarnation): void {
  peer.incarnations = [incarnation, ...peer.incarnations.filter((other) => other !== incarnation)].slice(
    0,
    maxIncarnations,
  );
  peer.sealKey = undefined;
}

function refused(code: ChannelRefusal): Opened {
  return { ok: false, code };
}

const sessionDomain = 'tutti session v1';

/**
 * Returns the identifier of a round of a registry. Channels of one round reject the packets of another. All nodes of a
 * round compute the same identifier from data on which they agree.
 *
 * @param registryDigest 32 bytes, see `registryDigest`.
 * @param round a text that is the same for all nodes in this round and differs from other rounds of this registry, such
 * as a number or a nonce.
 * @returns the identifier, 32 bytes.
 */
export function sessionId(crypto: CryptoSuite, registryDigest: Uint8Array, round: string): Uint8Array {
  requireSuite(crypto);
  requireBytes('registryDigest', registryDigest);
  requireText('round', round);
  if (registryDigest.length !== 32)
    throw new RangeError(`registryDigest: expected 32 bytes, got ${registryDigest.length}`);
  const text = new TextEncoder();
  return crypto.sha256([text.encode(sessionDomain), registryDigest, text.encode(round)]);
}
