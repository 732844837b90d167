import { isIP } from 'node:net';
import type { Endpoint } from '@tutti/core';

/** First bytes that each side of a connection sends, so that an untrusted peer is detected at its first wrong byte. */
export const streamPreface = Uint8Array.of(0x54, 0x75, 0x74, 0x31);

/**
 * Maximum length of a packet in a frame, bytes. The length field has two bytes, big-endian; the values 0 and 65,535
 * have other meanings.
 */
export const maxFramedBytes = 0xfffe;

const pingLength = 0;
const pongLength = 0xffff;

/** Frame that requests a {@link pongFrame}. */
export const pingFrame = header(pingLength);
/** Frame that answers a ping, and shows that the other side is alive. */
export const pongFrame = header(pongLength);

/** A packet, a ping or a pong. */
export type Frame = Uint8Array | 'ping' | 'pong';

/** Decoded frames, or a violation of the format. */
export type DecodedFrames = { readonly ok: true; readonly frames: readonly Frame[] } | { readonly ok: false };

/** Returns the header of a packet with `length` bytes, 1 to {@link maxFramedBytes}. */
export function packetHeader(length: number): Uint8Array {
  if (!(length >= 1 && length <= maxFramedBytes))
    throw new RangeError(`frame: expected 1 to ${maxFramedBytes} bytes, got ${length}`);
  return header(length);
}

function header(length: number): Uint8Array {
  return Uint8Array.of(length >> 8, length & 255);
}

/**
 * Splits a byte stream into frames. The stream may arrive in parts of any size. For an unfinished frame, the decoder
 * stores only the received part: an announced length takes no memory before its bytes arrive.
 */
export class FrameDecoder {
  /**
   * Buffer that begins with the unfinished frame, in its first `#heldBytes` bytes. The buffer grows by doubling, so
   * that bytes that arrive singly cost no more.
   */
  #partial = new Uint8Array(0);
  #heldBytes = 0;
  #prefaceSeen = 0;
  /** Maximum length of the next packet, bytes. */
  #maxBytes: number;

  /**
   * @param maxBytesFirst maximum length of the first packet, bytes; a longer packet is rejected when its length is
   * announced.
   */
  constructor(maxBytesFirst = maxFramedBytes) {
    this.#maxBytes = maxBytesFirst;
  }

  /** Whether the complete preface has arrived. */
  get begun(): boolean {
    return this.#prefaceSeen === streamPreface.length;
  }

  /** Number of received bytes of an unfinished frame, including the header. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Returns copies of the frames that `chunk` completes. The call fails if the stream does not begin with
   * {@link streamPreface}, or if its first packet is too long.
   */
  push(chunk: Uint8Array): DecodedFrames {
    let start = 0;
    for (; this.#prefaceSeen < streamPreface.length && start < chunk.length; start++, this.#prefaceSeen++)
      if (chunk[start] !== streamPreface[this.#prefaceSeen]) return { ok: false };

    const bytes = this.#join(chunk.subarray(start));
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= 2) {
      const length = (bytes[at]! << 8) | bytes[at + 1]!;
      if (length === pingLength) frames.push('ping');
      else if (length === pongLength) frames.push('pong');
      else if (length > this.#maxBytes) return { ok: false };
      else if (bytes.length - at - 2 < length) break;
      else {
        frames.push(new Uint8Array(bytes.subarray(at + 2, at + 2 + length)));
        this.#maxBytes = maxFramedBytes;
      }
      at += length === pongLength ? 2 : 2 + length;
    }
    this.#keep(bytes.subarray(at));
    return { ok: true, frames };
  }

  /** Returns the stored bytes followed by `chunk`. */
  #join(chunk: Uint8Array): Uint8Array {
    if (this.#heldBytes === 0) return chunk;
    this.#reserve(this.#heldBytes + chunk.length);
    this.#partial.set(chunk, this.#heldBytes);
    return this.#partial.subarray(0, this.#heldBytes + chunk.length);
  }

  #keep(rest: Uint8Array): void {
    this.#heldBytes = rest.length;
    if (rest.length === 0) this.#partial = new Uint8Array(0);
    else if (rest.buffer !== this.#partial.buffer || rest.byteOffset !== 0) {
      this.#reserve(rest.length);
      this.#partial.set(rest);
    }
  }

  #reserve(bytes: number): void {
    if (this.#partial.length >= bytes) return;
    const larger = new Uint8Array(Math.max(bytes, 2 * this.#partial.length));
    larger.set(this.#partial);
    this.#partial = larger;
  }
}

/** Unverified claims that the opener of a connection makes about itself in its first frame. */
export interface Hello {
  /**
   * Random nonce of the connection, 64 bits. If both ends open a connection, they keep the connection with the smaller
   * nonce.
   */
  readonly nonce: bigint;
  readonly port: number;
  /** Host on which the opener listens; empty if it is the connection's source address. */
  readonly host: string;
}

const nonceBytes = 8;
const hostAt = nonceBytes + 2;
/** Maximum length of a domain name, bytes (RFC 1035, section 2.3.4). */
const maxHostBytes = 255;

/** Maximum length of a hello, bytes. */
export const maxHelloBytes = hostAt + maxHostBytes;

/**
 * Encodes a hello: the nonce (8 bytes) and the port (2 bytes), both big-endian, followed by the host in ASCII up to the
 * frame's end.
 */
export function encodeHello({ nonce, port, host }: Hello): Uint8Array {
  const bytes = new Uint8Array(hostAt + host.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, nonce);
  view.setUint16(nonceBytes, port);
  bytes.set(new TextEncoder().encode(host), hostAt);
  return bytes;
}

/** Decodes a hello, or returns undefined if the bytes are not a valid hello. */
export function decodeHello(bytes: Uint8Array): Hello | undefined {
  if (bytes.length < hostAt || bytes.length > maxHelloBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const port = view.getUint16(nonceBytes);
  const host = String.fromCharCode(...bytes.subarray(hostAt));
  if (port === 0 || !(host === '' || isHost(host))) return undefined;
  return { nonce: view.getBigUint64(0), port, host };
}

/** Returns whether a string is an IP address or has the form of a domain name. */
export function isHost(host: string): boolean {
  return isIP(host) !== 0 || (host.length <= maxHostBytes && /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i.test(host));
}

/** Returns the host for a hello. The host is empty if the listener is bound to all addresses. */
export function claimedHost(local: Endpoint): string {
  return local.host === '0.0.0.0' || local.host === '::' ? '' : local.host;
}

/** Returns an address in its usual form: the IPv4 address of a peer on an IPv6 socket is written as IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
