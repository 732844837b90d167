/**
 * Codes of rejected messages from peers. The layer that first finds a fault counts the message under its code. Each
 * fault has the same code in all layers.
 */

/**
 * Reasons for which a node rejects a message before the node stores any part of the message. The positions of these
 * reasons are part of the format of recordings: append new reasons, never reorder them.
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
/** One of the {@link screeningRefusals}. */
export type ScreeningRefusal = (typeof screeningRefusals)[number];

/** Reasons why bytes are not a message. */
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
/** One of the {@link wireRefusals}. */
export type WireRefusal = (typeof wireRefusals)[number];

/**
 * Fault found by an authenticated channel: the seal does not match the named sender. The channel of a simulation
 * detects no other fault.
 */
export type SealRefusal = 'forged';

/** All rejection codes of this package. */
export type MessageRefusal = ScreeningRefusal | WireRefusal | SealRefusal;

/** Returns the number that stands for a rejection in a recording, an integer of at least 1. */
export function refusalNumber(code: ScreeningRefusal): number {
  return screeningRefusals.indexOf(code) + 1;
}

/**
 * Returns the rejection code with this number in a recording, or `unknown(N)` for an unknown number. A recording is
 * untrusted, and newer versions have more codes.
 */
export function refusalName(number: number): string {
  return screeningRefusals[number - 1] ?? `unknown(${number})`;
}
