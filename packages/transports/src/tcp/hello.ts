import { isIP } from 'node:net';
import type { Endpoint } from '@tutti/core/registry';

/** What the opener of a connection says of itself in its first frame. Nobody has checked it. */
export interface Hello {
  /**
   * Drawn at random for each connection: of two that were opened towards each other the one with the lesser nonce
   * stays.
   */
  readonly nonce: bigint;
  readonly port: number;
  /** Where the opener listens; empty for the address that it is seen to come from. */
  readonly host: string;
}

const nonceBytes = 8;
const hostAt = nonceBytes + 2;
/** Longest domain name, RFC 1035 section 2.3.4. */
const maxHostBytes = 255;

/** The longest hello, bytes. */
export const maxHelloBytes = hostAt + maxHostBytes;

/** Nonce (8 bytes), port (2 bytes), both big-endian, then the host in ASCII up to the frame's end. */
export function encodeHello({ nonce, port, host }: Hello): Uint8Array {
  const bytes = new Uint8Array(hostAt + host.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, nonce);
  view.setUint16(nonceBytes, port);
  bytes.set(new TextEncoder().encode(host), hostAt);
  return bytes;
}

/** Undefined when the bytes are no hello. */
export function decodeHello(bytes: Uint8Array): Hello | undefined {
  if (bytes.length < hostAt || bytes.length > maxHelloBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const port = view.getUint16(nonceBytes);
  const host = String.fromCharCode(...bytes.subarray(hostAt));
  if (port === 0 || !(host === '' || isHost(host))) return undefined;
  return { nonce: view.getBigUint64(0), port, host };
}

/** Whether a string is an IP address or looks like a domain name. */
function isHost(host: string): boolean {
  return isIP(host) !== 0 || (host.length <= maxHostBytes && /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i.test(host));
}

/** The host that a hello leaves open where the listener is bound to every address. */
export function claimedHost(local: Endpoint): string {
  return local.host === '0.0.0.0' || local.host === '::' ? '' : local.host;
}

/** An address as its owner writes it: an IPv4 one that came in on an IPv6 socket is IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
