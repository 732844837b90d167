import { RandomStream } from '@tutti/core';
import { type BitfieldCoding, bitAt, bitfieldBytes, setBit } from '@tutti/core/horn';
import { requireInteger, requireMethods, requireNumber, requireObject } from '@tutti/core/input';

/**
 * Returns the length of a bitfield on the wire, bytes. The sender codes the bitfield only if the encoding is shorter
 * (the post's overhead threshold, in "Bandwidth overhead"). One byte indicates the form.
 */
export function sentBytes(codeBytes: number, bits: number): number {
  return 1 + Math.min(codeBytes, bitfieldBytes(bits));
}

/** Returns the entropy of a bitfield of independent bits, which is the minimum mean length of an encoding, bytes. */
export function entropyBytes(bits: number, ones: number): number {
  const part = (share: number) => (share === 0 ? 0 : -share * Math.log2(share));
  return (bits * (part(ones / bits) + part(1 - ones / bits))) / 8;
}

/** Returns the length of the encoding, bytes. @throws Error unless the encoding decodes to the bitfield. */
export function codedBytes(coding: BitfieldCoding, bitfield: Uint8Array, bits: number): number {
  const code = coding.encode(bitfield, bits);
  const decoded = coding.decode(code, bits);
  if (decoded?.length !== bitfield.length || decoded.some((byte, index) => byte !== bitfield[index])) {
    throw new Error(`${coding.name}: a bitfield of ${bits} bits does not decode to itself`);
  }
  return code.length;
}

/** Number of random bitfields per mean. */
const samples = 4;

/** Returns the mean length of the encodings of random bitfields with this percentage of votes, bytes. */
export function meanCodedBytes(coding: BitfieldCoding, bits: number, percent: number, seed: number): number {
  const random = new RandomStream(seed, `bitfields at ${percent} %`);
  const ones = Math.round((bits * percent) / 100);
  let sum = 0;
  for (let sample = 0; sample < samples; sample++) sum += codedBytes(coding, randomBitfield(bits, ones, random), bits);
  return sum / samples;
}

/**
 * Returns the lowest whole percentage of at least 50 such that coding random bitfields saves bytes at this and every
 * higher percentage, or undefined if there is none.
 */
export function paysFromPercent(coding: BitfieldCoding, bits: number, seed: number): number | undefined {
  let from: number | undefined;
  for (let percent = 100; percent >= 50; percent--) {
    if (meanCodedBytes(coding, bits, percent, seed) >= bitfieldBytes(bits)) break;
    from = percent;
  }
  return from;
}

/** Mean lengths of the bitfields of consecutive slots, bytes. */
export interface ChangeBytes {
  /** Length of each bitfield coded alone. */
  readonly alone: number;
  /** Length of each bitfield coded as the difference from the previous slot's. */
  readonly changes: number;
  /** Length of the shorter of the two encodings, chosen for each slot. */
  readonly lesser: number;
}

/** Bitfields of consecutive slots whose encodings {@link changeBytes} compares. */
export interface ChangeSample {
  readonly bits: number;
  /**
   * Percentage of the validators that vote, high enough that as many validators can leave as return: at least
   * 100 (1 - `stay`) / (2 - `stay`).
   */
  readonly percent: number;
  /**
   * Probability that a validator that is absent in one slot is also absent in the next. If absences are independent,
   * `stay` is the share of absent validators.
   */
  readonly stay: number;
  readonly slots: number;
  readonly seed: number;
}

/**
 * Compares coding each bitfield alone with coding it relative to the previous slot's bitfield, if the same validators
 * are in the same committee in each slot. Horn leaves compression open in "Future research". A receiver needs the
 * previous bitfield: without it, the receiver cannot decode the next one.
 *
 * @throws RangeError for a number outside its range.
 */
export function changeBytes(coding: BitfieldCoding, sample: ChangeSample): ChangeBytes {
  requireObject('sample', sample);
  const { bits, percent, stay, slots, seed } = sample;
  requireInteger('bits', bits, 1, 2 ** 20);
  requireNumber('stay', stay, 0, 1);
  requireNumber('percent', percent, (100 * (1 - stay)) / (2 - stay), 100);
  requireInteger('slots', slots, 1, 1_000_000);
  const random = new RandomStream(seed, `changes at ${percent} %, ${stay}`);
  const away = 1 - percent / 100;
  // On average, as many validators leave as return.
  const leave = away === 1 ? 0 : (away * (1 - stay)) / (1 - away);
  let before = bitfieldWhere(bits, () => random.nextUnit() >= away);
  let alone = 0;
  let changes = 0;
  let lesser = 0;
  for (let slot = 0; slot < slots; slot++) {
    const last = before;
    const now = bitfieldWhere(bits, (index) => random.nextUnit() >= (bitAt(last, index) === 0 ? stay : leave));
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

/** Returns a bitfield with exactly this number of ones at random positions. */
export function randomBitfield(bits: number, ones: number, random: RandomStream): Uint8Array {
  requireMethods('random', random, ['nextUnit']);
  const bitfield = new Uint8Array(bitfieldBytes(bits));
  let missing = ones;
  for (let index = 0; index < bits; index++) {
    if (random.nextUnit() * (bits - index) >= missing) continue;
    setBit(bitfield, index);
    missing--;
  }
  return bitfield;
}

/** A bitfield that a hostile aggregator might construct so that it compresses badly. */
export interface HostileBitfield {
  readonly name: string;
  make(bits: number, random: RandomStream): Uint8Array;
}

/** Bitfields that compress badly with at least one coding. */
export const hostileBitfields: readonly HostileBitfield[] = [
  { name: 'half of the votes, at random', make: (bits, random) => randomBitfield(bits, bits >>> 1, random) },
  { name: 'every other vote', make: (bits) => bitfieldWhere(bits, (index) => index % 2 === 1) },
  ...[8, 16, 20, 32].map((stretch) => ({
    name: `one vote missing from every ${stretch}, at random`,
    make: (bits: number, random: RandomStream) => {
      let missing = 0;
      return bitfieldWhere(bits, (index) => {
        if (index % stretch === 0) missing = random.nextBelow(stretch);
        return index % stretch !== missing;
      });
    },
  })),
];

/** Returns a bitfield whose bits are set where the predicate holds. The predicate is called once per bit, in order. */
export function bitfieldWhere(bits: number, isSet: (index: number) => boolean): Uint8Array {
  const bitfield = new Uint8Array(bitfieldBytes(bits));
  for (let index = 0; index < bits; index++) if (isSet(index)) setBit(bitfield, index);
  return bitfield;
}
