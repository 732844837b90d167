import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySize, sizes, upTo } from '../../test/sizes.ts';
import { createMesh, type Mesh, placeOf } from './mesh.ts';

function reachable(mesh: Mesh): number {
  const seen = new Set([0]);
  for (const id of seen) for (const neighbour of mesh[id]!) seen.add(neighbour);
  return seen.size;
}

describe('createMesh', () => {
  it('is symmetric, without loops and duplicate edges', () => {
    fc.assert(
      fc.property(anySize, fc.integer({ min: 1, max: 12 }), fc.nat(), (nodes, degree, seed) => {
        const mesh = createMesh(nodes, degree, seed);
        expect(mesh.length).toBe(nodes);
        for (const [id, neighbours] of mesh.entries()) {
          expect(new Set(neighbours).size).toBe(neighbours.length);
          expect(neighbours.length).toBeLessThanOrEqual(degree);
          const oneSided = [...neighbours].filter((other) => other === id || !mesh[other]!.includes(id));
          expect(oneSided, `beside node ${id}`).toEqual([]);
        }
      }),
    );
  });

  it('is connected for a degree of at least 2', () => {
    for (const nodes of sizes) {
      for (const degree of [2, 3, 8]) {
        for (const seed of upTo(10)) expect(reachable(createMesh(nodes, degree, seed))).toBe(nodes);
      }
    }
  });

  it('has the requested degree, except for the few common edges of two cycles', () => {
    for (const degree of [3, 6, 8]) {
      const mesh = createMesh(1000, degree, 5);
      const edges = mesh.reduce((sum, { length }) => sum + length, 0);
      expect(edges / 1000).toBeGreaterThan(degree - 0.1);
    }
  });

  it('refuses a wrong size or degree', () => {
    expect(() => createMesh(0, 8, 1)).toThrow(RangeError);
    expect(() => createMesh(10, 0, 1)).toThrow('degree: expected an integer from 1 to 1048576, got 0');
  });
});

it('placeOf finds the index of each neighbour, and of no other node', () => {
  for (const [id, neighbours] of createMesh(20, 5, 1).entries()) {
    for (const place of upTo(neighbours.length)) expect(placeOf(neighbours, neighbours[place]!)).toBe(place);
    for (const other of [id, -1, 20]) expect(placeOf(neighbours, other)).toBe(-1);
  }
});
