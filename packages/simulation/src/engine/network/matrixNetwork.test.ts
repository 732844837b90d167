import { expect, it } from 'vitest';
import { matrixNetwork } from './matrixNetwork.ts';
import { createNetwork, registerNetwork, unregisterNetwork } from './network.ts';

const oneWayMs = [
  [1, 40],
  [90, 2],
];

it('nodes are assigned to the places in turn, and a message has its direction’s latency and jitter', () => {
  const network = matrixNetwork({ places: ['here', 'there'], oneWayMs }, 5, 1);
  expect([...network.region]).toEqual([0, 1, 0, 1, 0]);
  for (const [from, to, base] of [
    [0, 2, 1000],
    [0, 1, 40_000],
    [1, 4, 90_000],
    [3, 1, 2000],
  ] as const) {
    const delays = Array.from({ length: 50 }, () => network.oneWayUs(from, to));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(base);
    expect(Math.min(...delays)).toBeLessThan(base + 500);
  }
});

it('refuses a matrix that is not square, and names the first invalid row', () => {
  const make = (matrix: readonly ArrayLike<number>[]) => () =>
    matrixNetwork({ places: ['here', 'there'], oneWayMs: matrix }, 4, 1);
  expect(make([[1, 2]])).toThrow(new RangeError('oneWayMs: expected 2 rows, got 1'));
  expect(make([[1, 2], Float64Array.of(1, 2, 3)])).toThrow(new RangeError('oneWayMs[1]: expected 2 latencies, got 3'));
  expect(make([[1], [2]])).toThrow(new RangeError('oneWayMs[0]: expected 2 latencies, got 1'));
  expect(make([[1, 2], null!])).toThrow(new TypeError('oneWayMs[1]: expected an array, got null'));
  expect(
    make([
      [1, 2],
      [3, Number.NaN],
    ]),
  ).toThrow('oneWayMs[1][1]: expected milliseconds from 0 to 60000, got NaN');
  expect(() => matrixNetwork({ places: [], oneWayMs: [] }, 4, 1)).toThrow(
    'number of places: expected an integer from 1 to 4096, got 0',
  );
});

it('without jitter, a message has exactly the latency of its path, also over Tor', () => {
  registerNetwork('file:two.csv', (nodes, seed) => matrixNetwork({ places: ['here', 'there'], oneWayMs }, nodes, seed));
  const network = createNetwork('file:two.csv', 4, 1, 0, false);
  expect(Array.from({ length: 20 }, () => network.oneWayUs(0, 1))).toEqual(Array(20).fill(40_000));
  expect(createNetwork('file:two.csv', 4, 1, 1, false).oneWayUs(0, 1)).toBe(1_040_000);
  unregisterNetwork('file:two.csv');
  expect(() => createNetwork('file:two.csv', 4, 1)).toThrow('network: expected aws, ');
});

it('a network with an unloaded table names the function to call', async () => {
  // The query creates a second instance of the module, because other test files load the tables of the first.
  const path = './network.ts?unloaded';
  const second: typeof import('./network.ts') = await import(path);
  expect(() => second.createNetwork('cities', 4, 1)).toThrow(
    "network: expected the table of cities, got none; call await loadNetwork('cities') first",
  );
});

it('a matrix has 1 to 2^20 nodes', () => {
  const make = (nodes: number) => () => matrixNetwork({ places: ['one'], oneWayMs: [[1]] }, nodes, 1).region.length;
  for (const nodes of [1, 2 ** 20]) expect(make(nodes)()).toBe(nodes);
  for (const nodes of [0, 2 ** 20 + 1]) expect(make(nodes)).toThrow('nodes: expected an integer from 1 to 1048576');
});
