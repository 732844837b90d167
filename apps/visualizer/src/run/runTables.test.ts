import { NodeRole, type RecordedWorld } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { worldWords } from './runTables.ts';

const world = {
  alive: Uint8Array.of(NodeRole.honest, NodeRole.honest, NodeRole.byzantine, NodeRole.dead),
  cpuFactor: Float64Array.of(2, 0.5, 1, 1),
  region: Uint8Array.of(1, 0, 0, 0),
  regionNames: ['Ohio', 'Tokyo'],
} as unknown as RecordedWorld;

it("states a node's place and speed, or its fate", () => {
  expect([0, 1, 2, 3].map((id) => worldWords(world, id))).toEqual([
    'Tokyo, a machine 2.0 times slower than the standard one',
    'Ohio, a machine 2.0 times faster than the standard one',
    'Byzantine: it follows the attack',
    'dead from the start',
  ]);
  expect(worldWords({ ...world, regionNames: ['here'] }, 0)).toBe('A machine 2.0 times slower than the standard one');
});
