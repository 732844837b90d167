import { expect, it } from 'vitest';
import { barShares } from './raceBars.ts';
import type { RaceOutcome } from './raceFile.ts';
import { raceMeasures } from './raceText.ts';

it('a protocol with unfinished nodes has no bar for the time and does not change the bars of the others', () => {
  const time = raceMeasures.find(({ name }) => name === 'time')!;
  const outcome = (lastMs: number, reached: number) => ({ lastMs, reached, live: 64 }) as RaceOutcome;
  const shares = (...outcomes: readonly RaceOutcome[]) => barShares(outcomes.map(time.of));
  const [fast, middle, slow] = [outcome(100, 64), outcome(1000, 64), outcome(10_000, 64)];
  expect(shares(fast, outcome(0, 0), middle, outcome(60_000, 63), slow)).toEqual([
    expect.closeTo(0.1),
    undefined,
    expect.closeTo(0.55),
    undefined,
    1,
  ]);
  expect(time.words(outcome(60_000, 63))).toBe('1 never');
  expect(shares(outcome(0, 0), outcome(0, 0))).toEqual([undefined, undefined]);
  expect(shares(fast, fast)).toEqual([1, 1]);
});
