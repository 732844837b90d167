import { sha256 } from '@noble/hashes/sha2.js';
import { concat, readUint, writeUint } from '@tutti/core/input';
import { type CryptoSuite, networkSignatureBytes, signWithNetworkKey, verifyNetworkKey } from '@tutti/transports';
import { isHeight } from '../log/signedLog.ts';

/**
 * Kinds of messages between members outside rounds: a message to sign, and a certificate. Both kinds may begin with a
 * height of 8 bytes.
 */
export const AnnouncedKind = { message: 1, certificate: 2, messageOfHeight: 3, certificateOfHeight: 4 } as const;

/**
 * A member's request that the group certifies a message. The member signs the request with its network key, so that
 * others can forward the request and every receiver can identify the requester.
 */
export interface Ask {
  /** Registry index of the member that requests the certificate. */
  readonly origin: number;
  /**
   * Sequence number of the request. Each request of a member has a larger number than the member's earlier requests.
   */
  readonly sequence: number;
  /** Height that the requesting member named for the message. */
  readonly height?: bigint | undefined;
  /** Signature by the origin's network key, 64 bytes. */
  readonly signature: Uint8Array;
}

/** A message as announced by one member to another. */
export interface Announcement {
  /** Turn of the announcing member; see `Turns`. */
  readonly turn: number;
  readonly ask: Ask;
  readonly bytes: Uint8Array;
}

const domain = new TextEncoder().encode('tutti ask v1');
/** Length of a height, bytes. */
export const heightBytes = 8;
// Byte offsets of the fields: turn 4 | origin 3 | sequence 6 | signature 64 | message. All integers in an announcement
// are big-endian.
const originAt = 4;
const sequenceAt = 7;
const signatureAt = 13;
const messageAt = signatureAt + networkSignatureBytes;

/** Number of bytes before the message. */
export const announcementHeaderBytes = messageAt;

/** Maximum turn that fits into an announcement. */
export const largestTurn = 2 ** 32 - 1;

/** Encodes an announcement without its height, which {@link announced} adds. */
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
 * Decodes an announcement in a group of `size` members, or returns undefined for invalid bytes. Invalid bytes never
 * cause an exception.
 *
 * @param height the height announced with the message.
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
      height,
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
 * Returns the bytes that the origin signs. The height comes last: the bytes for a request without a height are shorter,
 * so no bytes are valid for two requests.
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

/** Encodes a height in 8 bytes, big-endian. */
export function encodeHeight(height: bigint): Uint8Array {
  const bytes = new Uint8Array(heightBytes);
  new DataView(bytes.buffer).setBigUint64(0, height);
  return bytes;
}

/** Checks an optional height. @throws RangeError for any value except undefined and integers from 0 to 2^64 - 1. */
export function requireHeight(height: unknown): void {
  if (height === undefined || (typeof height === 'bigint' && isHeight(height))) return;
  throw new RangeError(`height: expected a bigint from 0 to 2^64 - 1, got ${String(height)}`);
}

/**
 * Returns a round's name: the hash of the round's message in hexadecimal digits, followed by the message's height if a
 * height was given. Members that give different heights for one message are therefore in different rounds, and each
 * honest signer of a round has recorded the round's height. The signature covers only the message: a Byzantine member
 * can reuse the signatures of a message in a round with another height.
 *
 * @param messageHash SHA-256 of the message, in hexadecimal digits.
 */
export function roundName(messageHash: string, height: bigint | undefined): string {
  return height === undefined ? messageHash : `${messageHash}@${height}`;
}

const roundLabel = new TextEncoder().encode('tutti round of a height v1');

/**
 * Returns the hash of a round's message and named height, on which the round's members agree.
 *
 * @param messageHash SHA-256 of the message.
 */
export function roundHash(messageHash: Uint8Array, height: bigint | undefined): Uint8Array {
  return height === undefined ? messageHash : sha256(concat(roundLabel, encodeHeight(height), messageHash));
}

/**
 * Returns the number of a round: 53 bits of its hash. A message is rejected while another round with the same number is
 * open.
 *
 * @param messageHash SHA-256 of the message.
 */
export function roundNumber(messageHash: Uint8Array, height: bigint | undefined): number {
  const hash = roundHash(messageHash, height);
  return (hash[0]! & 0x1f) * 2 ** 48 + readUint(hash, 1, 7);
}

/** Encodes an announcement of a message or a certificate. If a height is named, the encoding begins with it. */
export function announced(
  what: 'message' | 'certificate',
  height: bigint | undefined,
  bytes: Uint8Array,
): readonly [kind: number, bytes: Uint8Array] {
  if (height === undefined) return [AnnouncedKind[what], bytes];
  return [AnnouncedKind[`${what}OfHeight`], concat(encodeHeight(height), bytes)];
}

/** Decodes an announcement that {@link announced} encoded, or returns undefined for invalid bytes. */
export function readAnnounced(
  kind: number,
  bytes: Uint8Array,
):
  | { readonly what: 'message' | 'certificate'; readonly height: bigint | undefined; readonly bytes: Uint8Array }
  | undefined {
  for (const what of ['message', 'certificate'] as const) {
    if (kind === AnnouncedKind[what]) return { what, height: undefined, bytes };
    if (kind !== AnnouncedKind[`${what}OfHeight`] || bytes.length < heightBytes) continue;
    const height = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
    return { what, height, bytes: bytes.slice(heightBytes) };
  }
  return undefined;
}
