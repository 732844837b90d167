import { afterEach, describe, expect, test, vi } from 'vitest';
import { coefficientBytes, drawCoefficients } from './batchCoefficients.ts';

afterEach(() => vi.restoreAllMocks());

describe('drawCoefficients', () => {
  test('gives 8 bytes a claim, also for more than one call of the generator gives', () => {
    for (const claims of [0, 1, 3, 8192, 8193])
      expect(drawCoefficients(claims)).toHaveLength(claims * coefficientBytes);
  });

  test('gives others each time, up to the last byte', () => {
    const [a, b] = [drawCoefficients(10_000), drawCoefficients(10_000)];
    expect(a.subarray(-32)).not.toEqual(b.subarray(-32));
    expect(a.subarray(0, 32)).not.toEqual(b.subarray(0, 32));
  });

  test('is what the generator drew, but 1 for a zero', () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array)[15] = 7;
      return bytes;
    });
    expect([...drawCoefficients(3)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0]);
  });
});
