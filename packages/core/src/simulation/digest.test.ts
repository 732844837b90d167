import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Digest } from './digest.ts';

function digestOf(values: readonly number[]): string {
  const digest = new Digest();
  for (const value of values) digest.add(value);
  return digest.toString();
}

it('is 16 hexadecimal digits, and does not change by being looked at', () => {
  const digest = new Digest();
  for (let value = 0; value < 100; value++) {
    digest.add(value);
    expect(digest.toString()).toMatch(/^[0-9a-f]{16}$/);
    expect(digest.toString()).toBe(digest.toString());
  }
});

it('tells apart what differs in any value, in order or in number', () => {
  const values = fc.array(fc.integer(), { maxLength: 20 });
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(digestOf(a) === digestOf(b)).toBe(a.join() === b.join());
    }),
    { numRuns: 1000 },
  );
  const seen = new Set([digestOf([])]);
  for (let length = 1; length <= 1000; length++) seen.add(digestOf(new Array<number>(length).fill(0)));
  for (let bit = 0; bit < 32; bit++) seen.add(digestOf([0, 1 << bit, 0, 0]));
  expect(seen.size).toBe(1033);
});
