import { describe, expect, test } from 'vitest';
import { COEFFICIENT_BYTES, coefficientsOf, randomCoefficients } from './batch-coefficients.ts';

describe('randomCoefficients', () => {
  test('gives 8 bytes a claim, also for more than one call of the generator gives', () => {
    for (const claims of [0, 1, 3, 8192, 8193])
      expect(randomCoefficients(claims)).toHaveLength(claims * COEFFICIENT_BYTES);
  });

  test('gives others each time, up to the last byte', () => {
    const [a, b] = [randomCoefficients(10_000), randomCoefficients(10_000)];
    expect(a.subarray(-32)).not.toEqual(b.subarray(-32));
    expect(a.subarray(0, 32)).not.toEqual(b.subarray(0, 32));
  });
});

describe('coefficientsOf', () => {
  test('is the randomness, but 1 for a zero', () => {
    const randomness = new Uint8Array(24);
    randomness[15] = 7;
    const coefficients = coefficientsOf(randomness, 3);
    expect([...coefficients]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(randomness[0]).toBe(0);
  });

  test('refuses another length', () => {
    expect(() => coefficientsOf(new Uint8Array(15), 2)).toThrow(/^randomness: expected 16 bytes, got 15 bytes/);
    expect(() => coefficientsOf(new Uint8Array(8), 0)).toThrow(RangeError);
  });
});
