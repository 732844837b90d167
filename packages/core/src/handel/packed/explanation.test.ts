import { expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { explainState } from './explanation.ts';

it('with nothing to choose no rule decides, and all of a window that has grown counts', () => {
  const bench = new StateBench({ nodes: 512 });
  const { levels, window } = bench.state;
  levels.setWindow(9, 2 * window.initial);
  const { rule, next, levelTies, levels: explained } = explainState(bench.state);
  expect({ rule, next, levelTies }).toEqual({ rule: undefined, next: [], levelTies: [] });
  expect(explained.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(explained[8]).toMatchObject({ window: 2 * window.initial, entries: [] });
  expect(explained[8]!.counted).toBeGreaterThan(explained[7]!.counted);
});
