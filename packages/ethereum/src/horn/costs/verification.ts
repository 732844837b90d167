import { oneOf, type Setting } from '@tutti/core/internal';
import { type KeySum, keySum } from './keySum.ts';

/** What verifying costs on one core. */
export interface VerificationCosts {
  /** The signatures of one message, ms; where a machine checks many messages' together, each one's share. */
  readonly verifyMs: number;
  /** One addition of a public key, ns. */
  readonly additionNs: number;
  /** How the key of a bitfield is summed. */
  readonly keySums: keyof KeySum;
}

export const keySumsSetting: Setting<keyof KeySum> = {
  default: 'naive',
  range: oneOf(['naive', 'subtracting']),
  about: 'how the key of a bitfield is summed: naive or subtracting',
};

/**
 * Microseconds to verify one message: its signatures, and its key summed from its bitfield (Horn: "Verification time
 * for collections").
 *
 * @param members bits of the bitfield; 1 for a single vote, whose key is at hand. @param weight of them that are set.
 */
export function verificationUs(members: number, weight: number, costs: VerificationCosts): number {
  return Math.max(1, Math.round(costs.verifyMs * 1000 + keysUs(members, weight, costs.keySums, costs.additionNs)));
}

/** The part of it that goes into the key, microseconds. */
export function keysUs(members: number, weight: number, keySums: keyof KeySum, additionNs: number): number {
  return members === 1 ? 0 : (keySum(members, (100 * weight) / members)[keySums] * additionNs) / 1000;
}
