import { describe, expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { crashes, faultsByNode, idsIn, named } from './nodeFaults.ts';

const outagesOf = (faults: readonly Fault[], id = 0) => faultsByNode(faults, 16, 1).get(id)?.outages;

describe('faultsByNode', () => {
  it('contains exactly the nodes of a plan', () => {
    const faults: Fault[] = [
      { kind: 'pause', nodes: [1, 2], atMs: 1, forMs: 1 },
      { kind: 'drift', nodes: [5], rate: 2 },
      { kind: 'loss', share: 0.5, from: [7] },
      { kind: 'partition', nodes: [8], atMs: 0, forMs: 1 },
    ];
    expect([...faultsByNode(faults, 16, 1).keys()]).toEqual([1, 2, 5]);
  });

  it('keeps separate outages in order', () => {
    const faults: Fault[] = [
      { kind: 'crash', nodes: [0], atMs: 9 },
      { kind: 'restart', nodes: [0], atMs: 3, forMs: 2, state: 'kept' },
      { kind: 'pause', nodes: [0], atMs: 1, forMs: 1.5 },
    ];
    expect(outagesOf(faults)).toEqual([
      { kind: 'pause', fromUs: 1000, untilUs: 2500 },
      { kind: 'kept', fromUs: 3000, untilUs: 5000 },
      { kind: 'crash', fromUs: 9000, untilUs: Number.POSITIVE_INFINITY },
    ]);
  });

  it('merges overlapping and adjacent outages to the worst kind', () => {
    const pause = { kind: 'pause', nodes: [0], atMs: 1, forMs: 5 } as const;
    const during = { kind: 'restart', nodes: [0], atMs: 2, forMs: 1, state: 'lost' } as const;
    const touching = { kind: 'restart', nodes: [0], atMs: 6, forMs: 1, state: 'kept' } as const;
    expect(outagesOf([touching, during, pause])).toEqual([{ kind: 'lost', fromUs: 1000, untilUs: 7000 }]);
    expect(outagesOf([pause, touching])).toEqual([{ kind: 'kept', fromUs: 1000, untilUs: 7000 }]);
    expect(outagesOf([pause, { kind: 'crash', nodes: [0], atMs: 3 }])).toEqual([
      { kind: 'crash', fromUs: 1000, untilUs: Number.POSITIVE_INFINITY },
    ]);
  });

  it('adds the clock errors of several faults', () => {
    const faults: Fault[] = [
      { kind: 'skew', nodes: [0, 1], byMs: 5 },
      { kind: 'skew', nodes: [0], byMs: -1.5 },
      { kind: 'drift', nodes: [0], rate: 2 },
      { kind: 'drift', nodes: [0], rate: 1.5 },
    ];
    expect(faultsByNode(faults, 16, 1).get(0)).toMatchObject({ skewUs: 3500, rate: 3 });
    expect(faultsByNode(faults, 16, 1).get(1)).toMatchObject({ skewUs: 5000, rate: 1 });
  });
});

it('a set of nodes by share contains this share of all nodes, rounded down, drawn by seed and purpose', () => {
  const draw = (share: number, seed = 1, purpose = 'faults crash 0') => idsIn({ share }, 20, seed, purpose);
  expect(draw(0.3).length).toBe(6);
  expect(draw(0.04)).toEqual([]);
  expect(draw(1).toSorted((a, b) => a - b)).toEqual(upTo(20));
  expect(draw(0.3)).toEqual(draw(0.3));
  expect(draw(0.3)).not.toEqual(draw(0.3, 2));
  expect(draw(0.3)).not.toEqual(draw(0.3, 1, 'faults crash 1'));
});

it('a set of nodes by share is the same after a fault of another kind is removed from the plan', () => {
  const loss: Fault = { kind: 'loss', share: 0.5 };
  const crashes: Fault[] = [
    { kind: 'crash', nodes: { share: 0.2 }, atMs: 1 },
    { kind: 'crash', nodes: { share: 0.2 }, atMs: 2 },
  ];
  expect(named([loss, ...crashes]).slice(1)).toEqual(named(crashes));
  expect(faultsByNode([loss, ...crashes], 50, 1)).toEqual(faultsByNode(crashes, 50, 1));
  expect(faultsByNode(crashes, 50, 1).size).toBeGreaterThan(10);
});

it('crashed nodes remain absent after any other fault, and returning nodes do not', () => {
  const faults: Fault[] = [
    { kind: 'crash', nodes: [4, 2], atMs: 9 },
    { kind: 'crash', nodes: [2, 7], atMs: 1 },
    { kind: 'pause', nodes: [4], atMs: 8, forMs: 9 },
    { kind: 'restart', nodes: [5], atMs: 1, forMs: 1, state: 'lost' },
  ];
  expect([...faultsByNode(faults, 16, 1)].filter(([, own]) => crashes(own)).map(([id]) => id)).toEqual([4, 2, 7]);
});
