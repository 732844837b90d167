import { afterEach, describe, expect, test, vi } from 'vitest';
import { coefficientBytes, drawCoefficients } from './batchCoefficients.ts';

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
