import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { requireBytes } from '@tutti/core/input';
import { AnnouncedKind } from './announcer.ts';
import { encodeHeight, heightBytes } from './ask.ts';

/**
 * Heights that a program names when it requests a certificate. Members announce a named height with the message, and it
 * is part of the round's name: members with different heights for one message are in different rounds. Each honest
 * signer of a round has therefore recorded the round's height. The signature covers only the message: a Byzantine member
 * can reuse the signatures of a message in a round with another height.
 */

const label = new TextEncoder().encode('tutti round of a height v1');

/** Checks an optional height. @throws RangeError for a value other than undefined or an integer from 0 to 2^64 - 1. */
export function requireHeight(height: unknown): void {
  if (height === undefined || (typeof height === 'bigint' && height >= 0n && height < 2n ** 64n)) return;
  throw new RangeError(`height: expected a bigint from 0 to 2^64 - 1, got ${String(height)}`);
}

/**
 * Returns the name of a round: the hash of its message in hexadecimal digits, and the named height.
 *
 * @param messageHash SHA-256 of the message, in hexadecimal digits.
 */
export function roundName(messageHash: string, height: bigint | undefined): string {
  return height === undefined ? messageHash : `${messageHash}@${height}`;
}

/**
 * Returns the hash of a round's message and its named height, on which its members agree.
 *
 * @param messageHash SHA-256 of the message.
 */
export function roundHash(messageHash: Uint8Array, height: bigint | undefined): Uint8Array {
  return height === undefined ? messageHash : sha256(concatBytes(label, encodeHeight(height), messageHash));
}

/**
 * Returns the number of a round: 53 bits of its hash. Two rounds with the same number run one after the other.
 *
 * @param messageHash SHA-256 of the message.
 */
export function roundNumber(messageHash: Uint8Array, height: bigint | undefined): number {
  const hash = roundHash(messageHash, height);
  const high = ((hash[0]! & 0x1f) << 16) | (hash[1]! << 8) | hash[2]!;
  return high * 2 ** 32 + new DataView(hash.buffer, hash.byteOffset).getUint32(3);
}

/** Encodes an announcement of a message or a certificate. A named height comes first. */
export function announced(
  what: 'message' | 'certificate',
  height: bigint | undefined,
  bytes: Uint8Array,
): readonly [kind: number, bytes: Uint8Array] {
  if (height === undefined) return [AnnouncedKind[what], bytes];
  return [AnnouncedKind[`${what}OfHeight`], concatBytes(encodeHeight(height), bytes)];
}

/** Decodes an announcement that {@link announced} encoded, or returns undefined for invalid bytes. */
export function readAnnounced(
  kind: number,
  bytes: Uint8Array,
):
  | { readonly what: 'message' | 'certificate'; readonly height: bigint | undefined; readonly bytes: Uint8Array }
  | undefined {
  requireBytes('bytes', bytes);
  for (const what of ['message', 'certificate'] as const) {
    if (kind === AnnouncedKind[what]) return { what, height: undefined, bytes };
    if (kind !== AnnouncedKind[`${what}OfHeight`] || bytes.length < heightBytes) continue;
    const height = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
    return { what, height, bytes: bytes.slice(heightBytes) };
  }
  return undefined;
}
