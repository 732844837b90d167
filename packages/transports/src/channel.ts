import { concat, readUint, writeUint } from './bytes.ts';
import {
  type CryptoSuite,
  type KeyAgreement,
  SEAL_KEY_BYTES,
  SEAL_NONCE_BYTES,
  SEAL_TAG_BYTES,
} from './crypto/suite.ts';
import { ReplayWindow } from './replayWindow.ts';
import { DEFAULT_MAX_PACKET_BYTES } from './transport.ts';

/**
 * Why a packet was refused. A packet that fails is counted under its code and forgotten: it never throws and never reaches
 * the node.
 */
export type ChannelRefusal =
  | 'too-short'
  | 'too-long'
  | 'wrong-version'
  | 'wrong-session'
  | 'unknown-sender'
  | 'misaddressed'
  | 'forged'
  | 'replayed';

export type Opened =
  | { readonly ok: true; readonly from: number; readonly payload: Uint8Array }
  | { readonly ok: false; readonly code: ChannelRefusal };

export interface ChannelOptions {
  /** `nodeCrypto`, or `nobleCrypto` where there is no Node; the two understand each other. */
  readonly crypto: CryptoSuite;
  /** 32 bytes that name the registry and the round; see `sessionId`. Packets of another session are refused. */
  readonly session: Uint8Array;
  /** This node's index in the registry. */
  readonly self: number;
  /** This node's X25519 secret key, 32 bytes. */
  readonly secret: Uint8Array;
  /** X25519 public keys, 32 bytes each, one a registry entry, checked when the registry was loaded. */
  readonly publicKeys: readonly Uint8Array[];
  /** Longest packet that is sealed or opened, header and tag included; 1,200 by default, and the same at both ends. */
  readonly maxPacketBytes?: number;
  /**
   * Counter of the first packet to each peer, an integer under 2^48. A counter must never be used twice under one key, not
   * even by a node that restarts within its session; so the default is the wall clock in units of 10 µs, which fits until
   * the year 2059, and which nobody outruns who sends one peer fewer than 100,000 packets a second.
   */
  readonly firstCounter?: number;
}

const VERSION = 1;
const HEADER_BYTES = 17;
const SESSION_BYTES = 32;
/** Registry indices travel in 24 bits. */
const MAX_PEERS = 1 << 24;
const MAX_COUNTER = 2 ** 48 - 1;
const KEYS_LABEL = new TextEncoder().encode('tutti channel v1');

// Where the fields of a header begin.
const SESSION_AT = 1;
const SENDER_AT = 5;
const RECEIVER_AT = 8;
const COUNTER_AT = 11;

/** What sealing adds to a payload, bytes. */
export const CHANNEL_OVERHEAD_BYTES = HEADER_BYTES + SEAL_TAG_BYTES;

interface Peer {
  readonly sealKey: Uint8Array;
  readonly openKey: Uint8Array;
  readonly window: ReplayWindow;
  nextCounter: number;
}

/**
 * The point-to-point authenticated channels that Handel assumes between each pair of nodes (v1.03 section 2.3), on packets
 * that may be lost, doubled or overtaken. The Go reference has none: there one datagram ends a node.
 *
 * A pair of nodes shares X25519(secret, public); HKDF-SHA256 with the session as salt makes of it one key for each direction
 * (the first half for packets of the one with the lower index), and ChaCha20-Poly1305 seals each packet, so that whoever is
 * not of the pair can neither read nor write it. A packet is
 *
 *     version 1 | session 4 | sender 3 | receiver 3 | counter 6 | sealed payload | tag 16      (bytes, big-endian)
 *
 * with nonce = sender (4) | counter (8), and associated data = session (32) | the header; docs/channel.md says why, and
 * docs/bench-channel.md what it costs.
 *
 * Who is trusted: the registry, for which index has which public key. Not covered: forward secrecy (the keys are the
 * registry's own, and what is sent becomes public anyway), traffic analysis, and replay of a session's packets to a node
 * that restarted in that session, which Handel bears as it bears a doubled packet.
 */
export class Channel {
  readonly #crypto: CryptoSuite;
  readonly #session: Uint8Array;
  readonly #self: number;
  readonly #agreement: KeyAgreement;
  readonly #publicKeys: readonly Uint8Array[];
  readonly #maxPacketBytes: number;
  readonly #firstCounter: number;
  /** Filled when a peer is first met: null when no secret can be shared with its key. */
  readonly #peers: (Peer | null | undefined)[];
  readonly #associated: Uint8Array;
  readonly #nonce = new Uint8Array(SEAL_NONCE_BYTES);

  constructor(options: ChannelOptions) {
    const { crypto, session, self, publicKeys, firstCounter = Math.floor(Date.now() * 100) } = options;
    if (session.length !== SESSION_BYTES)
      throw new RangeError(`session: expected ${SESSION_BYTES} bytes, got ${session.length}`);
    if (publicKeys.length > MAX_PEERS)
      throw new RangeError(`publicKeys: at most ${MAX_PEERS}, got ${publicKeys.length}`);
    if (!Number.isInteger(self) || self < 0 || self >= publicKeys.length)
      throw new RangeError(`self: expected an index below ${publicKeys.length}, got ${self}`);
    if (!Number.isInteger(firstCounter) || firstCounter < 0 || firstCounter > MAX_COUNTER)
      throw new RangeError(`firstCounter: expected an integer under 2^48, got ${firstCounter}`);
    this.#crypto = crypto;
    this.#session = session;
    this.#self = self;
    this.#agreement = crypto.keyAgreement(options.secret);
    this.#publicKeys = publicKeys;
    this.#maxPacketBytes = options.maxPacketBytes ?? DEFAULT_MAX_PACKET_BYTES;
    this.#firstCounter = firstCounter;
    this.#peers = new Array(publicKeys.length);
    this.#associated = concat(session, new Uint8Array(HEADER_BYTES));
  }

  /** The longest payload that fits a packet, bytes. */
  get maxPayloadBytes(): number {
    return this.#maxPacketBytes - CHANNEL_OVERHEAD_BYTES;
  }

  /**
   * The counter that the next packet for a peer will have: larger with every packet, in this session and in an earlier life.
   *
   * @throws RangeError when `to` is no peer.
   */
  nextCounter(to: number): number {
    return this.#peerToSend(to).nextCounter;
  }

  /**
   * Seals a payload for one peer.
   *
   * @param to registry index of the receiver, not this node's own.
   * @throws RangeError when `to` is no peer, or the payload is longer than `maxPayloadBytes`.
   */
  seal(to: number, payload: Uint8Array): Uint8Array {
    if (payload.length > this.maxPayloadBytes)
      throw new RangeError(`payload: expected at most ${this.maxPayloadBytes} bytes, got ${payload.length}`);
    const peer = this.#peerToSend(to);
    const counter = peer.nextCounter++;
    if (counter > MAX_COUNTER) throw new RangeError('counter: 2^48 packets were sent in one session');

    const packet = new Uint8Array(CHANNEL_OVERHEAD_BYTES + payload.length);
    packet[0] = VERSION;
    packet.set(this.#session.subarray(0, SENDER_AT - SESSION_AT), SESSION_AT);
    writeUint(packet, SENDER_AT, RECEIVER_AT, this.#self);
    writeUint(packet, RECEIVER_AT, COUNTER_AT, to);
    writeUint(packet, COUNTER_AT, HEADER_BYTES, counter);
    const [nonce, associated] = [this.#nonceOf(this.#self, counter), this.#associatedWith(packet)];
    this.#crypto.seal(peer.sealKey, nonce, associated, payload, packet.subarray(HEADER_BYTES));
    return packet;
  }

  /** Opens a packet that came from anywhere. Never throws, whatever the bytes. */
  open(packet: Uint8Array): Opened {
    const strange = screenPacket(packet, this.#session, this.#maxPacketBytes);
    if (strange !== undefined) return refused(strange);
    const from = readUint(packet, SENDER_AT, RECEIVER_AT);
    if (from >= this.#publicKeys.length || from === this.#self) return refused('unknown-sender');
    if (readUint(packet, RECEIVER_AT, COUNTER_AT) !== this.#self) return refused('misaddressed');

    const peer = this.#peer(from);
    if (peer === null) return refused('forged');
    const counter = readUint(packet, COUNTER_AT, HEADER_BYTES);
    // Before the costly part: a replayed packet should cost little. It may be a forgery too; nothing hangs on which.
    if (!peer.window.isFresh(counter)) return refused('replayed');
    const [nonce, associated] = [this.#nonceOf(from, counter), this.#associatedWith(packet)];
    const payload = this.#crypto.open(peer.openKey, nonce, associated, packet.subarray(HEADER_BYTES));
    if (payload === undefined) return refused('forged');
    peer.window.accept(counter);
    return { ok: true, from, payload };
  }

  #associatedWith(packet: Uint8Array): Uint8Array {
    this.#associated.set(packet.subarray(0, HEADER_BYTES), SESSION_BYTES);
    return this.#associated;
  }

  #nonceOf(sender: number, counter: number): Uint8Array {
    writeUint(this.#nonce, 0, 4, sender);
    writeUint(this.#nonce, 4, SEAL_NONCE_BYTES, counter);
    return this.#nonce;
  }

  #peerToSend(to: number): Peer {
    const peer = this.#peer(to);
    if (peer === null) throw new RangeError(`to: ${to} is no peer of ${this.#self} in this registry`);
    return peer;
  }

  #peer(index: number): Peer | null {
    let peer = this.#peers[index];
    if (peer === undefined) {
      peer = this.#meet(index);
      this.#peers[index] = peer;
    }
    return peer;
  }

  #meet(index: number): Peer | null {
    const publicKey = this.#publicKeys[index];
    if (publicKey === undefined || index === this.#self) return null;
    const shared = this.#agreement.sharedSecret(publicKey);
    if (shared === undefined) return null;
    const isFirst = this.#self < index;
    const own = this.#publicKeys[this.#self]!;
    const info = isFirst ? concat(KEYS_LABEL, own, publicKey) : concat(KEYS_LABEL, publicKey, own);
    const keys = this.#crypto.hkdfSha256(shared, this.#session, info, 2 * SEAL_KEY_BYTES);
    const [fromFirst, toFirst] = [keys.slice(0, SEAL_KEY_BYTES), keys.slice(SEAL_KEY_BYTES)];
    return {
      sealKey: isFirst ? fromFirst : toFirst,
      openKey: isFirst ? toFirst : fromFirst,
      window: new ReplayWindow(),
      nextCounter: this.#firstCounter,
    };
  }
}

/**
 * Why a packet cannot be of a session, as far as its length and its first bytes show; undefined when it may be. A socket that
 * several sessions share finds by it whose channel is to open a packet.
 */
export function screenPacket(
  packet: Uint8Array,
  session: Uint8Array,
  maxPacketBytes: number,
): ChannelRefusal | undefined {
  if (packet.length < CHANNEL_OVERHEAD_BYTES) return 'too-short';
  if (packet.length > maxPacketBytes) return 'too-long';
  if (packet[0] !== VERSION) return 'wrong-version';
  for (let at = SESSION_AT; at < SENDER_AT; at++) if (packet[at] !== session[at - SESSION_AT]) return 'wrong-session';
  return undefined;
}

function refused(code: ChannelRefusal): Opened {
  return { ok: false, code };
}
