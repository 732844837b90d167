import { thresholdText } from '@tutti/core';
import { counted } from '../numbers.ts';

/** What a node has reached, and how many signatures that was: `99 % (1,014 signatures)`. */
export function reachedText(threshold: number, count: number): string {
  const signatures = counted(count, 'signature');
  return threshold > 1 ? signatures : `${thresholdText(threshold)} (${signatures})`;
}
