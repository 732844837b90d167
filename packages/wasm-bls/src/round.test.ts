import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { batchVerdicts, claimedBits, coefficientBytes, drawCoefficients } from './round.ts';

test.each<[string, bits: number[], first: number, size: number, expected: number[] | undefined]>([
  ['bits within the registry are unchanged', [], 0, 13, []],
  ['bits within the registry are unchanged', [0xff], 0, 13, [0xff]],
  ['bits within the registry are unchanged', [0xff, 0x1f], 0, 13, [0xff, 0x1f]],
  ['bits within the registry are unchanged', [0x1f], 8, 13, [0x1f]],
  ['zeros beyond the registry are removed', new Array<number>(1000).fill(0), 0, 13, [0, 0]],
  ['zeros beyond the registry are removed', [0, 0, 0], 13, 13, []],
  ['zeros beyond the registry are removed', [0, 0, 0], 2 ** 40, 13, []],
  ['a bit beyond the registry is refused', [0, 0x20], 0, 13, undefined],
  ['a bit beyond the registry is refused', [0x20], 8, 13, undefined],
  ['a bit beyond the registry is refused', [0, 1], 0, 8, undefined],
  ['a bit beyond the registry is refused', [0, 0, 1], 0, 13, undefined],
  ['a bit beyond the registry is refused', [1], 13, 13, undefined],
])('claimedBits: %s', (_, bits, first, size, expected) => {
  expect(claimedBits(Uint8Array.from(bits), first, size)).toEqual(expected && Uint8Array.from(expected));
});

afterEach(() => vi.restoreAllMocks());

describe('drawCoefficients', () => {
  test('returns 8 bytes per claim, also for more claims than one call of the generator serves', () => {
    for (const claims of [0, 1, 3, 8192, 8193])
      expect(drawCoefficients(claims)).toHaveLength(claims * coefficientBytes);
  });

  test('returns different bytes each time, up to the last byte', () => {
    const [a, b] = [drawCoefficients(10_000), drawCoefficients(10_000)];
    expect(a.subarray(-32)).not.toEqual(b.subarray(-32));
    expect(a.subarray(0, 32)).not.toEqual(b.subarray(0, 32));
  });

  test('returns the generated values, with 1 in place of 0', () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array)[15] = 7;
      return bytes;
    });
    expect([...drawCoefficients(3)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

/** Returns the verdicts on claims, the sizes of the checks, and their cost in single verifications. */
function judged(claims: readonly boolean[]) {
  const sizes: number[] = [];
  const verdicts = batchVerdicts(claims.length, (from, to) => {
    sizes.push(to - from);
    return claims.slice(from, to).every((valid) => valid);
  });
  const cost = sizes.reduce((sum, size) => sum + (size === 1 ? 1 : 1 + size / 8), 0);
  return { verdicts, sizes, cost };
}

/** Computes the checks by the rule: halve a part while all undecided claims can still be checked singly. */
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

describe('batchVerdicts', () => {
  test.each([1, 2, 3, 13, 16, 17, 33, 257])('finds one invalid claim of %i, at each position, by halving', (size) => {
    for (let place = 0; place < size; place++) {
      const claims = validBut(size, [place]);
      const { verdicts, sizes } = judged(claims);
      expect(verdicts).toEqual(claims);
      expect(sizes.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(size)));
    }
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

  test('makes exactly the checks of the rule, for any number of invalid claims', () => {
    for (const every of [2, 3, 5, 9, 17, 40])
      fc.assert(
        fc.property(fc.array(fc.nat(every - 1), { maxLength: 200 }), (drawn) => {
          const claims = drawn.map((one) => one > 0);
          expect(judged(claims).sizes).toEqual(sizesByTheRule(claims));
        }),
        // In both examples, one claim is found to be invalid without a check.
        {
          seed: 1998,
          numRuns: 300,
          examples: ['101111010', '111110111110000010'].map((bits) => [[...bits].map(Number)]),
        },
      );
  });
});
