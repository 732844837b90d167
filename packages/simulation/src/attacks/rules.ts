import { nextWindowSize, type VerificationPriorities, type WindowRanks } from '@tutti/core';
import { grownBy } from '@tutti/core/packed';
import type { HonestRules } from './attack.ts';

/** Returns the rules of Handel's code for ranks and windows, which an adversary knows. */
export function honestRules(priorities: VerificationPriorities, window: WindowRanks): HonestRules {
  return {
    rankGrowth: (verified) => grownBy(priorities.span, verified),
    initialWindow: window.initial,
    nextWindow: (size, valid) => nextWindowSize(size, valid, window),
  };
}
