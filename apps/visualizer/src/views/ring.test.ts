import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { Lasso, nearestOnRing, ringLayout, turn } from './ring.ts';

const { world } = recordedRun({ nodes: 100, seed: 8 });

it('the ring places nodes in tree order at equal distances', () => {
  const { angle, arcs } = ringLayout(world, 'tree');
  expect(arcs).toEqual([]);
  for (const id of upTo(99)) expect(angle[id + 1]! - angle[id]!).toBeCloseTo((2 * Math.PI) / 100);
});

it('the ring places the nodes of a region within its arc, and separates the arcs', () => {
  const { angle, arcs } = ringLayout(world, 'region');
  expect(arcs.map((arc) => arc.name)).toEqual(world.regionNames);
  for (const id of upTo(100)) {
    const arc = arcs.find(({ name }) => name === world.regionNames[world.region[id]!])!;
    expect(angle[id]).toBeGreaterThan(arc.from);
    expect(angle[id]).toBeLessThan(arc.to);
  }
  for (const place of upTo(arcs.length - 1)) expect(arcs[place + 1]!.from).toBeGreaterThan(arcs[place]!.to);
  expect(arcs.at(-1)!.to).toBeLessThan(2 * Math.PI);
  const { world: oneRegion } = recordedRun({ nodes: 16, network: 'constant:20' });
  expect(ringLayout(oneRegion, 'region').arcs).toHaveLength(1);
});

it.each(['tree', 'region'] as const)('the node nearest to the direction of a node is that node, with %s', (order) => {
  const { angle } = ringLayout(world, order);
  for (const id of upTo(100)) expect(nearestOnRing(angle, turn(angle[id]!))).toBe(id);
});

it('a line whose drawing the browser cancels is removed from the picture', () => {
  const canvas = Object.assign(new EventTarget(), { setPointerCapture: () => {} });
  let moves = 0;
  new Lasso(canvas as unknown as HTMLCanvasElement, { moved: () => moves++, closed: () => expect.unreachable() });
  for (const [type, drawn] of [
    ['pointercancel', 0],
    ['pointerdown', 0],
    ['pointermove', 1],
    ['pointercancel', 2],
    ['pointermove', 2],
  ] as const) {
    canvas.dispatchEvent(Object.assign(new Event(type), { button: 0 }));
    expect(moves, type).toBe(drawn);
  }
});
