import { describe, expect, it } from 'vitest';
import { onTime, validateLateness, voteTimes } from './lateness.ts';

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

  it('is the same for the same seed, and differs for another', () => {
    const lateness = { headShare: 0.5, headMs: 2500, headP99Ms: 4000, late: [] };
    expect(voteTimes(lateness, 100, dueUs, 1)).toEqual(voteTimes(lateness, 100, dueUs, 1));
    expect(voteTimes(lateness, 100, dueUs, 1)).not.toEqual(voteTimes(lateness, 100, dueUs, 2));
  });
});

describe('validateLateness(lateness)', () => {
  it.each([
    [{ headShare: 1.5 }, 'lateness.headShare: expected a number from 0 to 1, got 1.5'],
    [{ headShare: 0.5, headP99Ms: 4000 }, 'lateness.headMs: expected over 0 if headShare is over 0, got 0'],
    [{ headMs: 3000, headP99Ms: 2000 }, 'lateness.headP99Ms: expected a number from 3000 to 60000, got 2000'],
    [
      { late: [0.6, 0.6].map((of) => ({ share: of, fromMs: 0, toMs: 1 })) },
      /^shares of lateness.late together: expected at most 1/,
    ],
    [
      { late: [{ share: 0.6, fromMs: 5, toMs: 1 }] },
      /^toMs of lateness.late: expected a number from 5 to 60000, got 1/,
    ],
  ])('refuses %o', (changes, line) => {
    expect(() => validateLateness({ ...onTime, ...changes })).toThrow(line);
  });
});
