import { awsOneWayUs } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { createLatency, latencyFlag, latencyName } from './latency.ts';

describe('createLatency', () => {
  it("aws gives the k-th host the k-th region's latencies, and starts again after the eleventh", () => {
    const latency = createLatency('aws', false, 13, 1);
    for (let from = 0; from < 13; from++)
      for (let to = 0; to < 13; to++) expect(latency(from, to)).toBe(awsOneWayUs(from % 11, to % 11));
  });

  it("adds the internet's jitter, never negative, the same for the same seed", () => {
    const drawn = (seed: number) => {
      const latency = createLatency({ constantMs: 10 }, true, 2, seed);
      return Array.from({ length: 100 }, () => latency(0, 1));
    };
    expect(Math.min(...drawn(1))).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...drawn(1))).toBeGreaterThan(10_000);
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });
});

describe('--latency', () => {
  it.each(['aws', 'none', 'constant:12.5', 'constant:60000'])('%s is read, and printed as it was written', (text) => {
    expect(latencyName(latencyFlag(text))).toBe(text);
  });

  it.each(['', 'AWS', 'constant', 'constant:', 'constant:-1', 'constant:60001', 'constant:1e3', 'cities'])(
    'refuses %j',
    (text) => {
      expect(() => latencyFlag(text)).toThrow(/^--latency: expected aws, none or constant:MS/);
    },
  );
});
