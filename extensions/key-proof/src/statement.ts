import { compressed, misuse, requireLength } from '@tutti/wasm-bls/kernel';
import { maxMultiplicity } from './multiplicities.ts';
import { type ProofSetting, requireSetting } from './setting.ts';
import { Transcript } from './transcript.ts';

/**
 * What is proved (Horn: "Aggregation using SNARKs"): the key is the sum of the committee's keys, each as often as some
 * multiplicity of four bits says, and the multiplicities that are not 0 are those of the validators whose bits are set.
 */
export interface Statement {
  /** The aggregated key, 48 bytes, compressed G1. */
  readonly key: Uint8Array;
  /**
   * Who is in it: bit b, that is `bits[b >> 3]`'s bit `b & 7`, says that validator b is. A bit for each key, in as many
   * bytes as they fill.
   */
  readonly bits: Uint8Array;
}

/**
 * The statement that is true of some multiplicities.
 *
 * @param multiplicities one byte a key: how often its signature is in the aggregate, 0 to 15.
 * @throws RangeError unless there is a multiplicity for each key, one at least is not 0, and none is over 15.
 */
export function statementOf(setting: ProofSetting, multiplicities: Uint8Array): Statement {
  requireMultiplicities(setting, multiplicities);
  const bits = new Uint8Array(Math.ceil(setting.keyCount / 8));
  for (const [b, multiplicity] of multiplicities.entries()) if (multiplicity !== 0) bits[b >> 3]! |= 1 << (b & 7);
  return { key: compressed(setting.group.combine(setting.keys, Array.from(multiplicities, BigInt))), bits };
}

/** @throws RangeError as statementOf. */
export function requireMultiplicities(setting: ProofSetting, multiplicities: Uint8Array): void {
  requireSetting(setting);
  requireLength('multiplicities', multiplicities, setting.keyCount);
  const most = multiplicities.reduce((max, value) => Math.max(max, value), 0);
  if (most < 1 || most > maxMultiplicity)
    throw misuse(RangeError, 'multiplicities', `the largest in 1..${maxMultiplicity}`, String(most));
}

/** The validators whose bits are set, ascending; undefined if there is none, or bits are not one for each key. */
export function supportOf(setting: ProofSetting, bits: Uint8Array): Uint32Array | undefined {
  if (bits.length !== Math.ceil(setting.keyCount / 8)) return undefined;
  const support: number[] = [];
  for (let b = 0; b < bits.length * 8; b++) if (((bits[b >> 3]! >> (b & 7)) & 1) === 1) support.push(b);
  if (support.length === 0 || support.at(-1)! >= setting.keyCount) return undefined;
  return Uint32Array.from(support);
}

/** A transcript that has seen all that is public before the proof. */
export function openTranscript(setting: ProofSetting, statement: Statement): Transcript {
  const transcript = new Transcript();
  transcript.append('setting', setting.digest);
  transcript.append('aggregated key', statement.key);
  transcript.append('bits', statement.bits);
  return transcript;
}
