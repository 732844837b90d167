import { expect, it } from 'vitest';
import { documentFrom } from '../../test/runMain.ts';

it('tutti horn open-questions: changes are worthwhile if absence lasts, and a fixed number has fewer errors', async () => {
  const { changes, elections } = await documentFrom('horn open-questions --slots 2 --seeds 2');
  for (const { stay, alone, changes: changed, lesser } of changes) {
    expect(lesser.mean).toBeLessThanOrEqual(Math.min(alone.mean, changed.mean) + 1e-9);
    if (stay === 0.99) expect(changed.max).toBeLessThan(alone.min);
  }
  expect([...new Set(changes.map(({ stay }: { stay: number }) => stay))]).toEqual([0.05, 0.5, 0.9, 0.99, 0.01]);
  for (const { selfSelected, fixed } of elections) expect(fixed).toBeLessThan(selfSelected);
});
