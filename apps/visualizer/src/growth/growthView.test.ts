import { defaultScenario, type RunResult } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { growthWords, lawWords, publishedLaw, publishedTimes, runPoint, unlikePublished } from './growthView.ts';

describe('the published points (v1.03 section 7) and the law (section 4.1)', () => {
  it('are the tables of Handel without failures, from 100 to 4,000 nodes', () => {
    expect(publishedTimes.map(({ x }) => x)).toEqual([100, 500, 1000, 2000, 4000]);
    expect(publishedTimes[0]).toEqual({ x: 100, min: 158.2, mean: 271.7, max: 375 });
  });

  it('a straight line against log N explains nine tenths of their variance', () => {
    expect(publishedLaw.slope).toBeGreaterThan(0);
    expect(publishedLaw.r2).toBeGreaterThan(0.9);
    expect(publishedLaw.r2).toBeLessThan(1);
    for (const { x, min, max } of publishedTimes) {
      expect(publishedLaw.at(Math.log2(x))).toBeGreaterThan(min);
      expect(publishedLaw.at(Math.log2(x))).toBeLessThan(max);
    }
  });

  it('is written with its sign', () => {
    const fit = { slope: 116.4, intercept: -541.2, r2: 0.934, at: () => 0 };
    expect(lawWords(fit)).toBe('\u2212541 + 116 log\u2082 N ms, R\u00b2 0.93');
    expect(lawWords({ ...fit, intercept: 3 })).toMatch(/^3 \+ 116/);
  });
});

describe('the displayed run', () => {
  const { result } = recordedRun({ nodes: 64 });

  it('is drawn at its size, with the spread of its times', () => {
    const { min, mean, max } = result.timeToThresholdMs;
    expect(runPoint(result)).toEqual({ x: result.nodes, min, mean, max });
    expect(runPoint({ ...result, reached: 0 } as RunResult)).toBeUndefined();
  });

  it('is described, with its differences from the published ones', () => {
    expect(growthWords(defaultScenario, undefined)).toContain('when it has finished');
    expect(growthWords(defaultScenario, { ...result, reached: 0 } as RunResult)).toContain('no node reached');
    expect(growthWords(defaultScenario, result)).toContain(`The mark “this run” shows ${result.nodes} nodes`);
    expect(unlikePublished({ ...defaultScenario, network: 'aws', dead: 0, threshold: 0.99, periodMs: 10 })).toEqual([]);
    expect(unlikePublished({ ...defaultScenario, network: 'cities', dead: 0.2 })).toEqual(
      expect.arrayContaining(['another network, cities', '20\u00a0% dead']),
    );
  });
});
