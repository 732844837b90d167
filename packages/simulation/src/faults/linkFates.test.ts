import { describe, expect, it } from 'vitest';
import type { Fault } from '../scenario/faultPlan.ts';
import { type Fate, LinkFates } from './linkFaults.ts';

const untouched: Fate = {
  lostTo: undefined,
  corruption: undefined,
  copyAfterUs: undefined,
  heldUs: 0,
  slowedUs: 0,
};

describe('LinkFates', () => {
  it('leave messages unchanged that no network fault affects', () => {
    const fates = new LinkFates(
      [
        { kind: 'crash', nodes: [0], atMs: 0 },
        { kind: 'loss', share: 1, from: [1] },
        { kind: 'slow-links', byMs: 5, to: [3], atMs: 1, forMs: 1 },
      ],
      4,
      1,
    );
    expect(fates.next(0, 0, 3)).toEqual(untouched);
    expect(fates.next(1000, 0, 3)).toEqual({ ...untouched, slowedUs: 5000 });
    expect(fates.next(2000, 0, 3)).toEqual(untouched);
    expect(fates.next(0, 1, 3)).toEqual({ ...untouched, lostTo: 'loss' });
  });

  it('draws each fault from its own stream: a fault of another kind changes nothing for the others', () => {
    const losses = (faults: readonly Fault[]): (string | undefined)[] => {
      const fates = new LinkFates(faults, 4, 7);
      return Array.from({ length: 200 }, () => fates.next(0, 0, 1).lostTo);
    };
    const loss: Fault = { kind: 'loss', share: 0.5 };
    const drawn = losses([loss]);
    expect(new Set(drawn)).toEqual(new Set(['loss', undefined]));
    expect(losses([{ kind: 'reordering', share: 0.5, byMs: 3 }, loss])).toEqual(drawn);
  });
});
