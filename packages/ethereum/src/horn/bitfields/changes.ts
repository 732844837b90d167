import { RandomStream } from '@tutti/core';
import type { BitfieldCoding } from '@tutti/core/horn';
import { bitAt, bitfieldBytes, setBit } from '@tutti/core/horn-rules';
import { randomBitfield } from './samples.ts';

/**
 * What a sender puts on the wire that codes a bitfield only where the code is shorter (the post's overhead threshold,
 * in "Bandwidth overhead"), in bytes: one says which of the two follows.
 */
export function sentBytes(codeBytes: number, bits: number): number {
  return 1 + Math.min(codeBytes, bitfieldBytes(bits));
}

/**
 * Least mean length of any code for random bitfields of this many ones, in bytes: their entropy, each bit by itself.
 */
export function entropyBytes(bits: number, ones: number): number {
  const part = (share: number) => (share === 0 ? 0 : -share * Math.log2(share));
  return (bits * (part(ones / bits) + part(1 - ones / bits))) / 8;
}

/** Length of the code, which is decoded to make sure. @throws Error when it decodes to something else. */
export function codedBytes(coding: BitfieldCoding, bitfield: Uint8Array, bits: number): number {
  const code = coding.encode(bitfield, bits);
  const decoded = coding.decode(code, bits);
  if (decoded?.length !== bitfield.length || decoded.some((byte, index) => byte !== bitfield[index])) {
    throw new Error(`${coding.name}: a bitfield of ${bits} bits does not decode to itself`);
  }
  return code.length;
}

/** Mean length of the codes of random bitfields in which that many percent have voted, in bytes. */
export function meanCodedBytes(
  coding: BitfieldCoding,
  bits: number,
  percent: number,
  seed: number,
  samples = 4,
): number {
  const random = new RandomStream(seed, `bitfields at ${percent} %`);
  const ones = Math.round((bits * percent) / 100);
  let sum = 0;
  for (let sample = 0; sample < samples; sample++) sum += codedBytes(coding, randomBitfield(bits, ones, random), bits);
  return sum / samples;
}

/**
 * The least whole percentage, 50 or more, from which on coding random bitfields saves anything; undefined when it never
 * does.
 */
export function paysFromPercent(coding: BitfieldCoding, bits: number, seed: number): number | undefined {
  let from: number | undefined;
  for (let percent = 100; percent >= 50; percent--) {
    if (meanCodedBytes(coding, bits, percent, seed) >= bitfieldBytes(bits)) break;
    from = percent;
  }
  return from;
}

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
