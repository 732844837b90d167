import { RandomStream } from '@tutti/core';
import type { BitfieldCoding } from '@tutti/core/horn';
import { bitAt, bitfieldBytes, setBit } from '@tutti/core/internal/horn';
import { codedBytes } from './compression.ts';

/** Mean bytes of the bitfields of slots in a row. */
export interface ChangeBytes {
  /** Each by itself. */
  readonly alone: number;
  /** Each as what has changed since the slot before: those who vote and did not, or do not and did. */
  readonly changes: number;
  /** The lesser of the two, slot by slot. */
  readonly lesser: number;
}

/**
 * What coding bitfields against the slot before saves (Horn: "Future research" leaves compression open), where the same
 * validators are in the same committee slot after slot. A receiver needs the bitfield before: who has missed it cannot
 * read the next.
 *
 * @param percent of the validators that vote. @param stay chance that who is away in one slot is so in the next; for no
 *   memory the share of those away.
 */
export function changeBytes(
  coding: BitfieldCoding,
  bits: number,
  percent: number,
  stay: number,
  slots: number,
  seed: number,
): ChangeBytes {
  const random = new RandomStream(seed, `changes at ${percent} %, ${stay}`);
  const away = 1 - percent / 100;
  // As many come as go.
  const leave = away === 1 ? 0 : (away * (1 - stay)) / (1 - away);
  let before = bitfield(bits, () => random.nextUnit() >= away);
  let alone = 0;
  let changes = 0;
  let lesser = 0;
  for (let slot = 0; slot < slots; slot++) {
    const last = before;
    const now = bitfield(bits, (index) => random.nextUnit() >= (bitAt(last, index) === 0 ? stay : leave));
    const byItself = codedBytes(coding, now, bits);
    const changed = codedBytes(
      coding,
      now.map((byte, index) => byte ^ last[index]!),
      bits,
    );
    alone += byItself;
    changes += changed;
    lesser += Math.min(byItself, changed);
    before = now;
  }
  return { alone: alone / slots, changes: changes / slots, lesser: lesser / slots };
}

function bitfield(bits: number, isSet: (index: number) => boolean): Uint8Array {
  const made = new Uint8Array(bitfieldBytes(bits));
  for (let index = 0; index < bits; index++) if (isSet(index)) setBit(made, index);
  return made;
}
