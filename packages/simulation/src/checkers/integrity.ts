import { type AggregationScheme, type Contribution, noContribution } from '@tutti/core';
import { popcount } from '@tutti/core/packed';
import type { World } from '../world/world.ts';

/**
 * Checks whether a set that an honest node assembled is consistent (v1.03 sections 2.1 and 4.3). The set lies in its
 * block, has its weight, and contains every signer once. Each honest signer had made its contribution by then; a
 * Byzantine signer may have made it at any time.
 *
 * @returns the expected and the actual state, or undefined if the set is consistent.
 */
export function brokenIntegrity(
  scheme: AggregationScheme,
  world: World,
  contribution: Contribution,
  block: number,
  weight: number,
  nowUs: number,
): string | undefined {
  if (contribution === noContribution) return `expected a set over block ${block}, got none`;
  if (scheme.block(contribution) !== block) {
    return `expected a set over block ${block}, got one over ${scheme.block(contribution)}`;
  }
  const words = scheme.setWords(contribution);
  let signers = 0;
  for (const word of words) signers += popcount(word);
  const counted = scheme.weight(contribution);
  if (signers !== counted || signers !== weight) {
    return `expected each signer to be counted once, got ${signers} signers for a weight of ${signers === counted ? weight : counted}`;
  }
  const start = scheme.tree.start(block);
  for (let index = 0; index < words.length * 32; index++) {
    if (((words[index >>> 5]! >>> (index & 31)) & 1) === 0) continue;
    const signer = start + index;
    const hasMade = world.present[signer] === 1 && (world.attack[signer] !== -1 || world.startUs[signer]! <= nowUs);
    if (!hasMade) return `expected only signers that had contributed, got signer ${signer}`;
  }
  return undefined;
}
