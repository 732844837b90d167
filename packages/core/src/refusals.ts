/**
 * The codes for what is refused of a peer: a refused message is counted under one of these by whichever layer sees the
 * fault first. A fault has one name everywhere.
 */

/**
 * Why a node refuses a message before it keeps anything of it. Their places are part of a recording's format: append,
 * never reorder.
 */
export const screeningRefusals = [
  'sender-out-of-range',
  'level-out-of-range',
  'level-empty',
  'sender-not-in-peer-set',
  'wrong-span',
  'empty-set',
  'not-individual',
  'blacklisted',
  'unknown-flags',
] as const;
export type ScreeningRefusal = (typeof screeningRefusals)[number];

/** Why bytes are not a message. */
export const wireRefusals = [
  'truncated',
  'trailing-bytes',
  'unknown-version',
  'unknown-flags',
  'level-out-of-range',
  'level-empty',
  'sender-not-in-peer-set',
  'empty-set',
  'bit-beyond-end',
  'unknown-set-form',
  'wrong-period',
  'wrong-suite',
] as const;
export type WireRefusal = (typeof wireRefusals)[number];

/**
 * What an authenticated channel finds: its seal is not that of the sender it names. A simulation's channel has no other
 * fault.
 */
export type SealRefusal = 'forged';

/** All that core refuses by. */
export type MessageRefusal = ScreeningRefusal | WireRefusal | SealRefusal;

/** Returns the number by which a recording stores a node's refusal, an integer from 1 on. */
export function refusalNumber(code: ScreeningRefusal): number {
  return screeningRefusals.indexOf(code) + 1;
}

/**
 * The refusal with a recording's number; undefined if there is none, since a recording is untrusted, and newer versions
 * have more of them.
 */
export function refusalName(number: number): string {
  return screeningRefusals[number - 1] ?? `unknown(${number})`;
}
