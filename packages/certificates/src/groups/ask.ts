import { concat, readUint, writeUint } from '@tutti/core/input';
import { signWithNetworkKey } from '@tutti/transports';
import type { CryptoSuite } from '@tutti/transports/parts';
import { networkSignatureBytes, verifyNetworkKey } from '@tutti/transports/parts';

/**
 * A member's request that the group certifies a message. The member signs it with its network key, so that others can
 * forward it and every receiver can identify the requester.
 */
export interface Ask {
  /** Registry index of the member that requests the certificate. */
  readonly origin: number;
  /** Number of the request. Each request of a member has a larger number than its earlier requests. */
  readonly sequence: number;
  /** Height that the member named for the message. */
  readonly height?: bigint | undefined;
  /** Signature by the origin's network key, 64 bytes. */
  readonly signature: Uint8Array;
}

/** A message in the form in which one member announces it to another. */
export interface Announcement {
  /** Turn of the announcing member; see `Turns`. */
  readonly turn: number;
  readonly ask: Ask;
  readonly bytes: Uint8Array;
}

const domain = new TextEncoder().encode('tutti ask v1');
/** Length of a height, bytes. */
export const heightBytes = 8;
// Offsets of the fields: turn 4 | origin 3 | sequence 6 | signature 64 | message. All integers are big-endian.
const originAt = 4;
const sequenceAt = 7;
const signatureAt = 13;
const messageAt = signatureAt + networkSignatureBytes;

/** Number of bytes before the message. */
export const announcementHeaderBytes = messageAt;

/** Largest turn that fits into an announcement. */
export const largestTurn = 2 ** 32 - 1;

export function encodeAnnouncement({ turn, ask, bytes }: Announcement): Uint8Array {
  const encoded = new Uint8Array(messageAt + bytes.length);
  writeUint(encoded, 0, originAt, turn);
  writeUint(encoded, originAt, sequenceAt, ask.origin);
  writeUint(encoded, sequenceAt, signatureAt, ask.sequence);
  encoded.set(ask.signature, signatureAt);
  encoded.set(bytes, messageAt);
  return encoded;
}

/**
 * Decodes an announcement in a group of `size` members, or returns undefined for invalid bytes. Never throws.
 *
 * @param height the height that was announced with it.
 */
export function decodeAnnouncement(encoded: Uint8Array, size: number, height?: bigint): Announcement | undefined {
  if (encoded.length < messageAt) return undefined;
  const origin = readUint(encoded, originAt, sequenceAt);
  if (origin >= size) return undefined;
  return {
    turn: readUint(encoded, 0, originAt),
    ask: {
      origin,
      sequence: readUint(encoded, sequenceAt, signatureAt),
      ...(height === undefined ? {} : { height }),
      signature: encoded.slice(signatureAt, messageAt),
    },
    bytes: encoded.slice(messageAt),
  };
}

/** Digest of the group's registry, and SHA-256 of the message, 32 bytes each. */
interface AskSubject {
  readonly digest: Uint8Array;
  readonly message: Uint8Array;
}

/** Signs a request with its origin's network key. */
export function signAsk(
  crypto: CryptoSuite,
  secret: Uint8Array,
  subject: AskSubject,
  request: Omit<Ask, 'signature'>,
): Ask {
  return { ...request, signature: signWithNetworkKey(crypto, secret, statementOf(subject, request)) };
}

/** Returns whether the origin signed the request. @param networkKey the origin's network key. */
export function verifyAsk(networkKey: Uint8Array, subject: AskSubject, ask: Ask): boolean {
  return verifyNetworkKey(networkKey, statementOf(subject, ask), ask.signature);
}

/**
 * Returns the statement that the origin signs. The height comes last: a statement without a height is shorter, so no
 * statement is valid for two requests.
 */
function statementOf(
  { digest, message }: AskSubject,
  { origin, sequence, height }: Omit<Ask, 'signature'>,
): Uint8Array {
  const numbers = new Uint8Array(signatureAt - originAt);
  writeUint(numbers, 0, sequenceAt - originAt, origin);
  writeUint(numbers, sequenceAt - originAt, numbers.length, sequence);
  return concat(domain, digest, message, numbers, height === undefined ? new Uint8Array(0) : encodeHeight(height));
}

/** Encodes a height, big-endian. */
export function encodeHeight(height: bigint): Uint8Array {
  const bytes = new Uint8Array(heightBytes);
  new DataView(bytes.buffer).setBigUint64(0, height);
  return bytes;
}
