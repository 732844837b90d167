import { requireBytesList, requireObject } from '@tutti/wasm-bls/kernel';
import type { RingMark } from './scheme.ts';

/** Returns whether two public byte strings are equal; not in constant time. */
export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/**
 * Returns the tags that two marks of one ring and event have in common, in the order of the members. The common tags
 * identify the signer: all doubles by one member share the same tag for all messages, and repeats of one message share
 * the same tags.
 *
 * @returns an empty list if two different members made the signatures, one tag for a double, and all tags for a repeat.
 * @throws TypeError if an argument is not a mark.
 */
export function sharedTags(a: RingMark, b: RingMark): Uint8Array[] {
  for (const [label, mark] of Object.entries({ a, b })) {
    requireObject(label, mark);
    requireBytesList(`${label}.tags`, mark.tags);
  }
  return a.tags.filter((tag, i) => i < b.tags.length && areSame(tag, b.tags[i]!));
}
