import { IndependentPriorities, ShiftedPriorities, Tree, type VerificationPriorities } from '@tutti/core';
import { expect, it } from 'vitest';
import { isWhole, sampled } from '../../../../tests/sampled.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { attacked, expectAllReached } from '../../test/attacked.ts';
import { byzantineBeforeHonest, firstPlaces } from './firstPlaces.ts';

const nodes = 64;

// describePriorities in core tests the odds of ids that are drawn with the shuffle.
it.each<[rows: string, make: (seed: number) => VerificationPriorities]>([
  ['shifted', (seed) => new ShiftedPriorities(nodes, seed)],
  ['independent', (seed) => new IndependentPriorities(nodes, seed)],
])('v1.0 4.3: without the shuffle, seven nodes fill the first seven places of any victim: %s rows', (_, make) => {
  for (let seed = 0; seed < 300; seed++) {
    const priorities = make(seed);
    const victim = seed % nodes;
    const eligible = [victim, ...upTo(nodes).filter((id) => id !== victim)];
    const chosen = firstPlaces.choose!(eligible, 7, { tree: new Tree(nodes), plan: undefined, priorities })!;
    expect(byzantineBeforeHonest(priorities, nodes, victim, (id) => chosen.includes(id))).toBe(7);
  }
});

it('v1.0 4.3: ids chosen for the first places of a victim delay its threshold for much longer than with the shuffle, and not forever', () => {
  for (const seed of sampled([1, 2, 3], 1)) {
    const [drawn, chosen] = ['invalid', 'first-places'].map((name) =>
      attacked(name, { nodes: 512, seed }, { checkers: isWhole }),
    );
    expectAllReached(chosen!);
    expect(chosen!.checkedInvalid.max).toBeGreaterThan(1.2 * drawn!.checkedInvalid.max);
  }
});
