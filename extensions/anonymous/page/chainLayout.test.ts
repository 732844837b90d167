import { describe, expect, it } from 'vitest';
import { arcPath, challengeConditions, challengeSpan, placeTurns, pointAt } from './chainLayout.ts';
import type { ChainReport } from './ringMessages.ts';

const report = (challenges: readonly string[], changed?: number): ChainReport => ({
  ...{ signer: 0, flaw: 'none', changed, challenges, tag: '', bytes: 0 },
});

describe('the chain of challenges', () => {
  it('goes round once from the seam at the top, each member between its challenge and the next one', () => {
    for (const members of [1, 2, 8]) {
      const spans = Array.from({ length: members + 1 }, (_, number) => challengeSpan(number, members));
      expect(spans[0]![0]).toBe(0);
      expect(spans[members]![1]).toBe(1);
      for (const [i, turn] of placeTurns(members).entries()) {
        expect(spans[i]![1]).toBeCloseTo(turn, 12);
        expect(spans[i + 1]![0]).toBeCloseTo(turn, 12);
      }
    }
  });

  it('is closed if it returns to its start, and differs from the changed member on otherwise', () => {
    expect(challengeConditions(report(['a', 'b', 'a']))).toEqual(['closed', 'closed', 'closed']);
    expect(challengeConditions(report(['a', 'b', 'c', 'd'], 1))).toEqual(['given', 'given', 'off', 'off']);
    expect(challengeConditions(report(['a', 'b', 'c']))).toEqual(['given', 'given', 'given']);
  });
});

it('turns are clockwise from the top', () => {
  expect(pointAt(0, 10)).toEqual([0, -10]);
  expect(pointAt(0.25, 10).map(Math.round)).toEqual([10, -0]);
  expect(arcPath(0, 0.5, 10, 12)).toMatch(/^M0\.00,-10\.00L.*,12\.00$/);
});
