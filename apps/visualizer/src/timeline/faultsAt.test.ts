import { expect, it } from 'vitest';
import { faultyAt } from './faultsAt.ts';

it('names the nodes affected by a fault, from its beginning to its end', () => {
  const faults = [
    { kind: 'partition', nodes: [1, 2], atMs: 100, forMs: 50 },
    { kind: 'crash', nodes: [5], atMs: 120 },
    { kind: 'loss', share: 0.5 },
  ] as const;
  const at = (ms: number) => [...faultyAt(faults, 1000 * ms)];
  expect([99, 100, 130, 149.9, 150, 9000].map(at)).toEqual([[], [1, 2], [1, 2, 5], [1, 2, 5], [5], [5]]);
  expect([...faultyAt([{ kind: 'corruption', share: 1, of: 'signature', from: [3] }], 0)]).toEqual([3]);
  expect([...faultyAt([{ kind: 'pause', nodes: { share: 0.1 }, atMs: 0, forMs: 9 }], 0)]).toEqual([]);
});
