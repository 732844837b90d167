import { requireLength } from '../arguments.ts';
import { compressed } from './group.ts';
import type { ProofSetting } from './setting.ts';
import { Transcript } from './transcript.ts';

/** What is proved (Horn: "Aggregation using SNARKs"): somebody knows multiplicities v with key = <v, keys> and commitment = <v, generators>. */
export interface Statement {
  /** The aggregated key, 48 bytes, compressed G1. */
  readonly key: Uint8Array;
  /** What binds the prover to one v, 48 bytes, compressed G1. */
  readonly commitment: Uint8Array;
}

/** @throws RangeError unless there is a multiplicity for each key. */
export function multiplicityScalars(setting: ProofSetting, multiplicities: Uint8Array): bigint[] {
  requireLength('multiplicities', multiplicities, setting.keyCount);
  return Array.from(multiplicities, BigInt);
}

/**
 * The statement that is true of some multiplicities.
 *
 * @param multiplicities one byte a key: how often its signature is in the aggregate. Horn's go up to 15.
 */
export function statementOf(setting: ProofSetting, multiplicities: Uint8Array): Statement {
  const scalars = multiplicityScalars(setting, multiplicities);
  return {
    key: compressed(setting.group.combine(setting.keys, scalars)),
    commitment: compressed(setting.group.combine(setting.generators, scalars)),
  };
}

/** A transcript that has seen all that is public before the first round. */
export function openTranscript(setting: ProofSetting, statement: Statement): Transcript {
  const transcript = new Transcript();
  transcript.append('setting', setting.digest);
  transcript.append('aggregated key', statement.key);
  transcript.append('commitment', statement.commitment);
  return transcript;
}
