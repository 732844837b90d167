import { resultTable } from '@tutti/lab/results';
import { expect, it } from 'vitest';
import { compareTables } from './compareTables.ts';

/** Creates runs of two sizes with five seeds each; `shift` is added to the times of the larger size. */
const runs = (shift: number, digest: string) =>
  resultTable(
    [64, 128].flatMap((nodes) =>
      [1, 2, 3, 4, 5].map((seed) => ({
        scenario: { nodes, dead: 0, seed },
        seed,
        version: digest,
        digest: nodes === 64 ? `${seed}` : `${digest}${seed}`,
        timeMs: 100 + seed + (nodes === 128 ? shift : 0),
        reached: nodes,
      })),
    ),
  );

it('reports values with disjoint intervals, and the number of runs that are equal event by event', () => {
  const { figures, ...rest } = compareTables(runs(0, 'a'), runs(10, 'b'));
  expect(rest).toEqual({ shared: 10, equalDigests: 5, differing: [], onlyIn: { a: [], b: [] } });
  expect(figures.map(({ of, figure, moved }) => [of, figure, moved])).toEqual([
    ['scenario_nodes 64', 'time_ms', false],
    ['scenario_nodes 64', 'reached', false],
    ['scenario_nodes 128', 'time_ms', true],
    ['scenario_nodes 128', 'reached', false],
  ]);
  const [moved] = figures.filter((one) => one.moved);
  expect(moved!.a).toMatchObject({ mean: 103, runs: 5, interval: { low: expect.closeTo(101.04, 2) } });
  expect(moved!.change).toBeCloseTo(10 / 103);
});

/** Creates 20 runs with consecutive seeds from `first`. Times vary by 20 ms, plus `more` for each seed. */
const seeds = (first: number, more: (seed: number) => number) =>
  resultTable(
    Array.from({ length: 20 }, (_, index) => first + index).map((seed) => ({
      scenario: { nodes: 64, seed },
      seed,
      timeMs: 100 + (seed % 20) + more(seed),
    })),
  );

const same = seeds(1, () => 0);

it('compares runs of the same seeds in pairs, and detects a difference far smaller than their spread', () => {
  const compared = (one: number, other: number) => {
    const shifted = seeds(1, (seed) => (seed % 2 === 0 ? one : other));
    return compareTables(same, shifted).figures[0];
  };
  const figure = compared(-0.1, -0.3);
  expect(figure).toMatchObject({ figure: 'time_ms', moved: true, paired: { pairs: 20 } });
  // Mean of ten times -0.1 and ten times -0.3: -0.2. Quantile of Student's t, 19 degrees of freedom: 2.093.
  expect(figure!.paired!.difference).toBeCloseTo(-0.2);
  expect(figure!.paired!.interval.high).toBeCloseTo(-0.2 + (2.093 * 0.102598) / Math.sqrt(20), 4);
  expect(compared(-0.1, 0.1)).toMatchObject({ moved: false, paired: { pairs: 20 } });
});

it('does not report a difference within the spread of other seeds', () => {
  const others = seeds(101, () => -0.2);
  const [figure] = compareTables(same, others).figures;
  expect(figure).toMatchObject({ moved: false });
  expect(figure!.paired).toBeUndefined();
});

it('names the inputs that differ, and those of one side only', () => {
  const one = resultTable([{ scenario: { nodes: 64, dead: 0 }, timeMs: 1 }]);
  const other = resultTable([{ scenario: { nodes: 64, dead: 0.2 }, timeMs: 2 }]);
  const { differing, figures } = compareTables(one, other);
  expect(differing).toEqual([{ input: 'scenario_dead', a: 0, b: 0.2 }]);
  expect(figures).toEqual([
    { of: '', figure: 'time_ms', a: { mean: 1, runs: 1 }, b: { mean: 2, runs: 1 }, change: 1, moved: true },
  ]);
  const more = resultTable([64, 128].map((nodes) => ({ scenario: { nodes, dead: 0 }, timeMs: nodes })));
  expect(compareTables(one, more).onlyIn).toEqual({ a: [], b: ['scenario_nodes 128'] });
});

it('treats the columns of `by` as inputs', () => {
  const table = (ms: number) => resultTable([4, 6].map((slot) => ({ slot, timeMs: ms + slot })));
  expect(compareTables(table(0), table(1)).figures.map(({ figure }) => figure)).toEqual(['slot', 'time_ms']);
  expect(compareTables(table(0), table(1), ['slot']).figures.map(({ of }) => of)).toEqual(['slot 4', 'slot 6']);
});

it('treats a column with a text in only one of the files as an input', () => {
  const table = (limit: number | string) => ({ columns: ['limit', 'time_ms'], rows: [[limit, 1]] });
  const { differing, figures } = compareTables(table(2), table('none'));
  expect(differing).toEqual([{ input: 'limit', a: 2, b: 'none' }]);
  expect(figures.map(({ figure }) => figure)).toEqual(['time_ms']);
  expect(compareTables(table('none'), table(2)).differing).toHaveLength(1);
});
