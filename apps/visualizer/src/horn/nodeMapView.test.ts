import { expect, it } from 'vitest';
import { nodeGrid } from './nodeMapView.ts';

it('nodeGrid has the nodes of its class, largest first, with areas proportional to their validators', () => {
  const validators = Int32Array.of(4, 100, 25, 0, 7);
  const { nodes, sides, columns, rows } = nodeGrid(validators, Uint8Array.of(0, 0, 0, 0, 1), 0, 33, 11);
  expect([...nodes]).toEqual([1, 2, 0, 3]);
  expect([...sides]).toEqual([10, 5, 2, 0]);
  expect({ columns, rows }).toEqual({ columns: 3, rows: 2 });
});
