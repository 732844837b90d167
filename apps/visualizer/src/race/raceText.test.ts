import { describe, expect, it } from 'vitest';
import type { RaceOutcome } from './raceFile.ts';
import { amount, seconds, verdict } from './raceText.ts';

it('seconds has three digits', () => {
  expect([0, 391, 9949, 9950, 12_060].map(seconds)).toEqual(
    ['0.00', '0.39', '9.95', '9.9', '12.1'].map((text) => `${text}\u00a0s`),
  );
});

it('amount has two or three digits', () => {
  expect([999, 99_999, 100_000, 999_999, 1_000_000, 2_340_000].map(amount)).toEqual([
    '1.0\u00a0kB',
    '100.0\u00a0kB',
    '100\u00a0kB',
    '1000\u00a0kB',
    '1.0\u00a0MB',
    '2.3\u00a0MB',
  ]);
});

describe('verdict', () => {
  const outcome = (chosen: Partial<RaceOutcome>): RaceOutcome => ({
    ...{ protocol: 'handel', nodes: 64, dead: 0, live: 64, reached: 64, lastMs: 400, meanMs: 300 },
    ...{ bytesSent: 29_000, messagesSent: 150, checked: 12 },
    ...chosen,
  });

  it('says who is first and by how much, and who is the lightest', () => {
    const slow = outcome({ protocol: 'complete-graph', lastMs: 1000, bytesSent: 1_500_000 });
    const light = outcome({ protocol: 'san-fermin', lastMs: 2000, bytesSent: 4_000 });
    expect(verdict([slow, light, outcome({})])).toBe(
      'Handel is done first, 2.5 times as fast as the complete graph. The lightest is San Fermín, with 4.0\u00a0kB a node.',
    );
    expect(verdict([slow])).toBe(
      'The complete graph is done first. The lightest is the complete graph, with 1.5\u00a0MB a node.',
    );
  });

  it('names whom nodes are stuck with, and does not call those first', () => {
    const stuck = outcome({ protocol: 'gossip', reached: 60, lastMs: 1 });
    expect(verdict([stuck, outcome({})])).toBe(
      'Handel is done first. The lightest is gossip, with 29.0\u00a0kB a node. With gossip, 4 of 64 live nodes never hold 99 % of the signatures.',
    );
    expect(verdict([stuck])).toBe(
      'The lightest is gossip, with 29.0\u00a0kB a node. With gossip, 4 of 64 live nodes never hold 99 % of the signatures.',
    );
  });
});
