import { defaultScenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { growthWords, publishedLaw, publishedTimes, runPoint, unlikePublished } from './growthView.ts';

it('a line against log N explains nine tenths of the variance of the published times (v1.03 sections 4.1 and 7)', () => {
  expect(publishedTimes.map(({ x }) => x)).toEqual([100, 500, 1000, 2000, 4000]);
  expect(publishedTimes[0]).toEqual({ x: 100, min: 158.2, mean: 271.7, max: 375 });
  expect(publishedLaw.slope).toBeGreaterThan(0);
  expect(publishedLaw.r2 > 0.9 && publishedLaw.r2 < 1).toBe(true);
  for (const { x, min, max } of publishedTimes) {
    const expected = publishedLaw.at(Math.log2(x));
    expect(expected > min && expected < max).toBe(true);
  }
});

it('the shown run is drawn with the spread of its times, and described with its differences from the published ones', () => {
  const { result } = recordedRun({ nodes: 64 });
  const { min, mean, max } = result.timeToThresholdMs;
  expect(runPoint(result)).toEqual({ x: result.nodes, min, mean, max });
  expect(runPoint({ ...result, reached: 0 })).toBeUndefined();
  expect(growthWords(defaultScenario, result)).toContain(`ms over ${result.nodes} nodes`);
  const published = { ...defaultScenario, network: 'aws', dead: 0, threshold: 0.99, periodMs: 10 };
  expect(unlikePublished(published)).toEqual([]);
  expect(unlikePublished({ ...published, network: 'cities', dead: 0.2 })).toEqual([
    'another network, cities',
    '20\u00a0% dead',
  ]);
  const other = { ...published, tor: 0.1, weights: 'pareto:1.2', branching: 4, levelStartMs: 20, absent: 3 } as const;
  expect(unlikePublished(other)).toEqual([
    ...['10\u00a0% of the nodes behind Tor', 'nodes that start late', 'nodes with different weights'],
    ...['a branching factor of 4', '20\u00a0ms between the starts of two levels (paper: 50\u00a0ms)'],
  ]);
  const graph = unlikePublished({ ...other, protocol: 'complete-graph', periodMs: 20 });
  expect(graph, 'settings of Handel alone').toEqual(['10\u00a0% of the nodes behind Tor', 'nodes that start late']);
  expect(unlikePublished({ ...published, protocol: 'gossip' })).toEqual(['a threshold of 99\u00a0%']);
  expect(unlikePublished({ ...published, protocol: 'gossip', threshold: 0.51 })).toEqual([]);
  expect(unlikePublished({ ...published, without: ['score'] })).toEqual([
    'some of the paper’s mechanisms switched off',
  ]);
  expect(unlikePublished({ ...published, without: ['start-timers'] }), 'not in the paper').toEqual([]);
});
