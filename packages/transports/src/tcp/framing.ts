import { isIP } from 'node:net';
import type { Endpoint } from '@tutti/core';

/** First bytes of each side of a connection, so that an untrusted peer is detected at its first wrong byte. */
export const streamPreface = Uint8Array.of(0x54, 0x75, 0x74, 0x31);

/**
 * Maximum length of a packet in a frame, bytes. A length has two bytes, big-endian; the two ends of its range have
 * another meaning.
 */
export const maxFramedBytes = 0xfffe;

const pingLength = 0;
const pongLength = 0xffff;

/** Frame that requests a sign of life. */
export const pingFrame = header(pingLength);
/** Frame that is a sign of life. */
export const pongFrame = header(pongLength);

export type Frame = Uint8Array | 'ping' | 'pong';

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
 * Splits a byte stream into frames. The stream may arrive in parts of any size. The decoder stores only the received
 * part of an unfinished frame: an announced length takes no memory until its bytes arrive.
 */
export class FrameDecoder {
  /**
   * Buffer whose first `#heldBytes` bytes are the unfinished frame. It grows by doubling, so that bytes that arrive one
   * by one cost no more.
   */
  #partial = new Uint8Array(0);
  #heldBytes = 0;
  #prefaceSeen = 0;
  /** Maximum length of the next packet, bytes. */
  #maxBytes: number;

  /** @param maxBytesFirst maximum length of the first packet; a longer one is rejected when its length is announced. */
  constructor(maxBytesFirst = maxFramedBytes) {
    this.#maxBytes = maxBytesFirst;
  }

  /** Whether the preface has arrived. */
  get begun(): boolean {
    return this.#prefaceSeen === streamPreface.length;
  }

  /** Number of bytes of an unfinished frame, including its header. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Returns the frames that `chunk` completes, as copies. It fails if the stream begins without {@link streamPreface}
   * or with a first packet that is too long.
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

/** Unverified claims of the opener of a connection about itself, in its first frame. */
export interface Hello {
  /**
   * Random nonce of the connection. If two ends connect to each other, the connection with the smaller nonce is kept.
   */
  readonly nonce: bigint;
  readonly port: number;
  /** Listening host of the opener; empty if it is the address of the connection. */
  readonly host: string;
}

const nonceBytes = 8;
const hostAt = nonceBytes + 2;
/** Maximum length of a domain name, bytes (RFC 1035, section 2.3.4). */
const maxHostBytes = 255;

/** Maximum length of a hello, bytes. */
export const maxHelloBytes = hostAt + maxHostBytes;

/**
 * Encodes the nonce (8 bytes) and the port (2 bytes), both big-endian, then the host in ASCII up to the frame's end.
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
function isHost(host: string): boolean {
  return isIP(host) !== 0 || (host.length <= maxHostBytes && /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i.test(host));
}

/** Returns the host for a hello. It is empty if the listener is bound to all addresses. */
export function claimedHost(local: Endpoint): string {
  return local.host === '0.0.0.0' || local.host === '::' ? '' : local.host;
}

/** Returns an address in its usual form: an IPv4 address on an IPv6 socket becomes IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
