import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Digest } from './metrics.ts';

function digestOf(values: readonly number[]): string {
  const digest = new Digest();
  for (let at = 0; at < values.length; at += 2) digest.add(values[at]!, values[at + 1]!);
  return digest.toString();
}

it('distinguishes differences in any value, in order and in number of pairs', () => {
  const values = fc.array(fc.tuple(fc.integer(), fc.integer()), { maxLength: 10 }).map((pairs) => pairs.flat());
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(digestOf(a) === digestOf(b)).toBe(a.join() === b.join());
    }),
    { numRuns: 1000 },
  );
  const seen = new Set([digestOf([])]);
  for (let pairs = 1; pairs <= 1000; pairs++) seen.add(digestOf(new Array<number>(2 * pairs).fill(0)));
  for (let bit = 0; bit < 32; bit++) seen.add(digestOf([0, 1 << bit, 0, 0]));
  expect(seen.size).toBe(1033);
});
