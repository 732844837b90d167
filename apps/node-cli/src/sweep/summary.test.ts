import { readFileSync } from 'node:fs';
import { simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { parsePlan } from './plan.ts';
import { resultLine } from './resultFile.ts';
import { summarize, Tally } from './summary.ts';
import { SweepOutput } from './sweepOutput.ts';

const plan = parsePlan(JSON.stringify({ name: 'x', vary: { nodes: [1, 13] }, seeds: { count: 3 } }), 'x');
const results = plan.points.map(({ key, scenario }) => ({ key, ...simulate(scenario) }));

it('a tally counts a result once, and no result of another plan', () => {
  const tally = new Tally(plan);
  expect(tally.take(results[0]!)).toBe(true);
  expect(tally.take(results[0]!)).toBe(false);
  expect(tally.take({ ...results[0]!, key: 'another' })).toBe(false);
  expect([tally.done, tally.has(results[0]!.key), tally.has(results[1]!.key)]).toEqual([1, true, false]);
});

describe('summarize', () => {
  it('is the same for any order of results', () => {
    const [forth, back] = [results, results.toReversed()].map((some) => {
      const tally = new Tally(plan);
      for (const result of some) tally.take(result);
      return summarize(plan, tally);
    });
    expect(forth).toEqual(back);
    expect(forth!.map(({ scenario, seeds, reached }) => [scenario.nodes, seeds, reached.mean])).toEqual([
      [1, 3, 1],
      [13, 3, 13],
    ]);
    expect(forth![1]!.messagesSent.mean).toBeCloseTo(
      results.slice(3).reduce((sum, { messagesSent }) => sum + messagesSent.mean, 0) / 3,
    );
  });

  it('a run in which no node reached the threshold has no time, and does not count as fast', () => {
    const tally = new Tally(plan);
    const zero = { min: 0, mean: 0, max: 0 };
    tally.take({ ...results[3]!, reached: 0, timeToThresholdMs: zero });
    expect(summarize(plan, tally)).toMatchObject([
      { seeds: 1, reached: zero, timeToThresholdMs: null, slowestMs: null },
    ]);
    tally.take(results[4]!);
    expect(summarize(plan, tally)[0]!.timeToThresholdMs!.min).toBe(results[4]!.timeToThresholdMs.mean);
  });
});

const { at } = temporaryFiles();

it('refuses the output of a worker of another version, and writes nothing of it', () => {
  const path = at('out.jsonl');
  const output = new SweepOutput(plan, path);
  const [{ key, ...result }] = results as [(typeof results)[0]];
  const line = resultLine(key, result);
  const otherVersion = resultLine(key, { ...result, version: '0.2.0-dev+00000000' });
  expect(() => output.take([line, otherVersion])).toThrow('got one of 0.2.0-dev+00000000');
  expect(readFileSync(path, 'utf8')).toBe('');
  output.close();
});
