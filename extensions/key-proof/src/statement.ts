import { compressed, misuse, requireLength } from '@tutti/wasm-bls/kernel';
import { maxMultiplicity } from './layout.ts';
import { type ProofSetting, requireSetting } from './setting.ts';
import { Transcript } from './transcript.ts';

/**
 * The statement of a proof (Horn: "Aggregation using SNARKs"): the aggregated key is the sum of the committee's keys
 * times multiplicities of four bits. A validator's bit is set exactly if its multiplicity is not 0.
 */
export interface Statement {
  /** Aggregated key, 48 bytes, compressed G1. */
  readonly key: Uint8Array;
  /**
   * Bitfield of the signers: bit `b & 7` of `bits[b >> 3]` is validator b. The bitfield has one bit per key, padded to
   * whole bytes.
   */
  readonly bits: Uint8Array;
}

/**
 * Returns the true statement for the given multiplicities.
 *
 * @param multiplicities one byte per key: the multiplicity of the key's signature in the aggregate, 0 to 15.
 * @throws RangeError unless there is one multiplicity per key, at least one is not 0, and none exceeds 15.
 */
export function statementOf(setting: ProofSetting, multiplicities: Uint8Array): Statement {
  requireMultiplicities(setting, multiplicities);
  const bits = new Uint8Array(Math.ceil(setting.keyCount / 8));
  for (const [b, multiplicity] of multiplicities.entries()) if (multiplicity !== 0) bits[b >> 3]! |= 1 << (b & 7);
  return { key: compressed(setting.group.combine(setting.keys, Array.from(multiplicities, BigInt))), bits };
}

/** Checks a setting and multiplicities. @throws RangeError under the same conditions as {@link statementOf}. */
export function requireMultiplicities(setting: ProofSetting, multiplicities: Uint8Array): void {
  requireSetting(setting);
  requireLength('multiplicities', multiplicities, setting.keyCount);
  const largest = multiplicities.reduce((max, value) => Math.max(max, value), 0);
  if (largest < 1 || largest > maxMultiplicity)
    throw misuse(RangeError, 'multiplicities', `the largest in 1..${maxMultiplicity}`, String(largest));
}

/**
 * Returns the indices of validators whose bits are set, ascending; undefined if no bit is set, the bitfield has another
 * length, or a bit beyond the keys is set.
 */
export function supportOf(setting: ProofSetting, bits: Uint8Array): Uint32Array | undefined {
  if (bits.length !== Math.ceil(setting.keyCount / 8)) return undefined;
  const support: number[] = [];
  for (let b = 0; b < bits.length * 8; b++) if (((bits[b >> 3]! >> (b & 7)) & 1) === 1) support.push(b);
  if (support.length === 0 || support.at(-1)! >= setting.keyCount) return undefined;
  return Uint32Array.from(support);
}

/** Returns a transcript that contains all public data before the proof. */
export function openTranscript(setting: ProofSetting, statement: Statement): Transcript {
  const transcript = new Transcript();
  transcript.append('setting', setting.digest);
  transcript.append('aggregated key', statement.key);
  transcript.append('bits', statement.bits);
  return transcript;
}
