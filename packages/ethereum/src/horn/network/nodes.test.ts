import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyNodes, heavyTail, linkPresets, mapNodes, onTime, validateLateness, voteTimes } from './nodes.ts';

describe('mapNodes(distribution, validators, nodes, seed)', () => {
  it('assigns every validator to one node, for any distribution', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('uniform' as const, 'heavy-tailed' as const),
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (distribution, validators, nodes, seed) => {
          const { validators: of, nodeOf } = mapNodes(distribution, validators, nodes, seed);
          expect(of.reduce((sum, one) => sum + one, 0)).toBe(validators);
          expect(Math.min(...of)).toBeGreaterThanOrEqual(0);
          const counted = new Int32Array(nodes);
          for (const node of nodeOf) counted[node]!++;
          expect(counted).toEqual(of);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('uniform: node sizes differ by at most one', () => {
    const { validators } = mapNodes('uniform', 2 ** 20, 10_000, 1);
    expect([Math.min(...validators), Math.max(...validators)]).toEqual([104, 105]);
  });

  it.each([1000, 16_384])('heavy-tailed: distributes %d validators over several nodes', (validators) => {
    const { validators: of } = mapNodes('heavy-tailed', validators, 10_000, 1);
    expect(of.filter((count) => count > 0).length).toBeGreaterThan(3);
  });

  it('heavy-tailed: about 30 % of the nodes with validators have more than 100, the largest about 19,000', () => {
    const { validators } = mapNodes('heavy-tailed', 2 ** 20, 10_000, 1);
    const hosts = [...validators].filter((count) => count > 0);
    expect(hosts.length).toBeLessThan(10_000);
    const over = hosts.filter((count) => count > 100).length / hosts.length;
    expect(Math.abs(over - heavyTail.overHundred)).toBeLessThan(0.1);
    expect(Math.abs(Math.max(...hosts) / heavyTail.largest - 1)).toBeLessThan(0.25);
  });
});

const dueUs = 4_000_000;
const nodes = 10_000;
const share = (times: Int32Array, has: (us: number) => boolean): number => times.filter(has).length / times.length;

describe('voteTimes(lateness, nodes, due, seed)', () => {
  it('gives all nodes the due time by default', () => {
    expect(new Set(voteTimes(onTime, nodes, dueUs, 1))).toEqual(new Set([dueUs]));
  });

  it('gives a share of nodes the time of the block, half of them by its median, at most the deadline', () => {
    const times = voteTimes({ headShare: 0.4, headMs: 2500, headP99Ms: 3900, late: [] }, nodes, dueUs, 1);
    expect(share(times, (us) => us < dueUs)).toBeCloseTo(0.4, 2);
    expect(share(times, (us) => us < 2_500_000)).toBeCloseTo(0.2, 1);
    expect(Math.max(...times)).toBe(dueUs);
    const late = voteTimes({ headShare: 1, headMs: 5000, headP99Ms: 5000, late: [] }, nodes, dueUs, 1);
    expect(new Set(late)).toEqual(new Set([dueUs]));
  });

  it('distributes the late shares uniformly between their times', () => {
    const late = [
      { share: 0.3, fromMs: 0, toMs: 1000 },
      { share: 0.1, fromMs: 2000, toMs: 3000 },
    ];
    const times = voteTimes({ ...onTime, late }, nodes, dueUs, 1);
    expect(share(times, (us) => us === dueUs)).toBeCloseTo(0.6, 1);
    expect(share(times, (us) => us > dueUs + 500_000)).toBeCloseTo(0.25, 1);
    expect(share(times, (us) => us > dueUs + 1_000_000 && us < dueUs + 2_000_000)).toBe(0);
    expect(share(times, (us) => us >= dueUs + 2_000_000)).toBeCloseTo(0.1, 1);
  });
});

const lateShare = (of: number, fromMs = 0) => ({ share: of, fromMs, toMs: 1 });

it.each([
  [{ headShare: 1.5 }, 'lateness.headShare: expected a number from 0 to 1, got 1.5'],
  [{ headMs: 3000, headP99Ms: 2000 }, 'lateness.headP99Ms: expected a number from 3000 to 60000, got 2000'],
  [{ late: [lateShare(0.6), lateShare(0.6)] }, /^shares of lateness.late together: expected at most 1/],
  [{ late: [lateShare(0.6, 5)] }, /^toMs of lateness.late: expected a number from 5 to 60000, got 1/],
])('validateLateness(lateness) refuses %o', (changes, line) => {
  expect(() => validateLateness({ ...onTime, ...changes })).toThrow(line);
});

it('classifyNodes has the exact shares, and gives nodes with more validators the better links', () => {
  const validators = Int32Array.of(5, 1, 100, 0, 50, 2, 2, 2, 2, 2);
  const order = Int32Array.from(validators, (_, node) => node);
  const of = classifyNodes(linkPresets['eip-7870'], validators, order);
  expect(of.filter((index) => index === 1)).toHaveLength(4);
  expect([of[2], of[4], of[0], of[3]]).toEqual([1, 1, 1, 0]);
});
