import { isIP } from 'node:net';
import type { Endpoint } from '@tutti/core';

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
