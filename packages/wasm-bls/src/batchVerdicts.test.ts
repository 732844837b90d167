import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchVerdicts } from './roundVerdicts.ts';

/**
 * Returns the verdicts on claims (`true` is a valid claim), the sizes of the checks, and their cost in single
 * verifications.
 */
function judged(claims: readonly boolean[]) {
  const sizes: number[] = [];
  const verdicts = batchVerdicts(claims.length, (from, to) => {
    sizes.push(to - from);
    return claims.slice(from, to).every((valid) => valid);
  });
  const cost = sizes.reduce((sum, size) => sum + (size === 1 ? 1 : 1 + size / 8), 0);
  return { verdicts, sizes, cost };
}

/**
 * Returns the sizes of the checks by a direct implementation of the rule: a part is halved as long as all undecided
 * claims could still be checked singly within the bound.
 */
function sizesByTheRule(claims: readonly boolean[]): number[] {
  const bound = 1.5 * claims.length + 4;
  const undecided = new Set(claims.keys());
  const sizes: number[] = [];
  let spent = 0;
  const hold = (from: number, to: number): boolean => {
    const size = to - from;
    const held = claims.slice(from, to).every((valid) => valid);
    sizes.push(size);
    spent += size === 1 ? 1 : 1 + size / 8;
    if (held || size === 1) for (let i = from; i < to; i++) undecided.delete(i);
    return held;
  };
  const guilty: [number, number][] = [];
  if (claims.length > 0 && !hold(0, claims.length)) guilty.push([0, claims.length]);
  for (const [from, to] of guilty) {
    const middle = (from + to) >> 1;
    const halving = 2 + (to - from) / 8;
    if (to - from === 1) undecided.delete(from);
    else if (spent + halving + undecided.size > bound) for (let i = from; i < to; i++) hold(i, i + 1);
    else if (hold(from, middle)) guilty.push([middle, to]);
    else {
      if (middle - from > 1) guilty.push([from, middle]);
      if (!hold(middle, to) && to - middle > 1) guilty.push([middle, to]);
    }
  }
  return sizes;
}

const validBut = (size: number, invalid: readonly number[]): boolean[] =>
  Array.from({ length: size }, (_, i) => !invalid.includes(i));

const sizes = [1, 2, 3, 4, 5, 8, 13, 16, 17, 31, 32, 33, 64, 257];

describe('batchVerdicts', () => {
  test('checks nothing without claims', () => expect(judged([])).toEqual({ verdicts: [], sizes: [], cost: 0 }));

  test.each(sizes)('checks %i valid claims once', (size) => {
    const { verdicts, sizes } = judged(validBut(size, []));
    expect(verdicts).toEqual(validBut(size, []));
    expect(sizes).toEqual([size]);
  });

  test.each(sizes)('finds one invalid claim among %i, at each position, by halving', (size) => {
    for (let place = 0; place < size; place++) {
      const claims = validBut(size, [place]);
      const { verdicts, sizes } = judged(claims);
      expect(verdicts).toEqual(claims);
      expect(sizes.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(size)));
    }
  });

  test('finds two and three invalid claims among many in about 2 log2(n) checks each', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 32, max: 1024 }).chain((size) =>
          fc.record({
            size: fc.constant(size),
            invalid: fc.uniqueArray(fc.nat(size - 1), { minLength: 2, maxLength: 3 }),
          }),
        ),
        ({ size, invalid }) => {
          const claims = validBut(size, invalid);
          const { verdicts, sizes } = judged(claims);
          expect(verdicts).toEqual(claims);
          expect(sizes.length).toBeLessThanOrEqual(1 + 2 * invalid.length * Math.ceil(Math.log2(size)));
        },
      ),
      { seed: 1998, numRuns: 300 },
    );
  });

  test('is correct for any claims, at the cost of at most one and a half single verifications per claim, plus four', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (claims) => {
        const { verdicts, cost } = judged(claims);
        expect(verdicts).toEqual(claims);
        expect(cost).toBeLessThanOrEqual(1.5 * claims.length + 4);
      }),
      { seed: 1998, numRuns: 1000 },
    );
  });

  test.each(sizes)('stays within its limit if %i claims are all invalid, or every second one', (size) => {
    for (const step of [1, 2, 3, 4, 8]) {
      const claims = Array.from({ length: size }, (_, i) => i % step !== 0);
      const { verdicts, cost } = judged(claims);
      expect(verdicts).toEqual(claims);
      expect(cost).toBeLessThanOrEqual(1.5 * size + 4);
    }
  });

  test('halves while the limit permits it, and then checks one by one', () => {
    expect(judged(validBut(8, [0, 4]))).toMatchObject({ sizes: [8, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1], cost: 14 });
    const all = judged(new Array<boolean>(24).fill(false));
    expect(all.sizes).toEqual([24, 12, 12, 6, 6, 6, 6, ...new Array<number>(24).fill(1)]);
    expect(all.cost).toBe(40);
  });

  test('makes exactly the checks of the rule, for any number of invalid claims', () => {
    for (const every of [2, 3, 5, 9, 17, 40])
      fc.assert(
        fc.property(fc.array(fc.nat(every - 1), { maxLength: 200 }), (drawn) => {
          const claims = drawn.map((one) => one > 0);
          expect(judged(claims).sizes).toEqual(sizesByTheRule(claims));
        }),
        { seed: 1998, numRuns: 300 },
      );
  });

  test.each(['101111010', '111110111110000010'])('counts a claim that is invalid without a check: %s', (valid) => {
    const claims = [...valid].map((one) => one === '1');
    expect(judged(claims).sizes).toEqual(sizesByTheRule(claims));
  });

  test('treats the second half as invalid without a check if the first one is valid', () => {
    expect(judged(validBut(4, [3])).sizes).toEqual([4, 2, 1]);
    expect(judged(validBut(4, [0])).sizes).toEqual([4, 2, 2, 1, 1]);
  });

  test('checks runs of at least one claim, none of them twice', () => {
    const runs: string[] = [];
    batchVerdicts(7, (from, to) => {
      expect(0 <= from && from < to && to <= 7).toBe(true);
      runs.push(`${from}..${to}`);
      return to <= 3 || from > 3;
    });
    expect(new Set(runs).size).toBe(runs.length);
  });
});
