import { geoInterpolate } from 'd3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { alongGreatCircle, mapLayout, unitVectors } from './mapLayout.ts';
import { placesOf } from './places.ts';

it('equals the shortest path of d3', () => {
  const anywhere = fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -179, max: 179, noNaN: true }),
  });
  fc.assert(
    fc.property(anywhere, anywhere, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      const apart = Math.abs(a.longitude - b.longitude);
      // Between antipodes, all paths around the globe have the same length. Longitude is undefined at a pole.
      fc.pre(Math.abs(apart - 180) > 2 && (apart > 0.01 || Math.abs(a.latitude - b.latitude) > 0.01));
      const point: [number, number] = [0, 0];
      alongGreatCircle(unitVectors([a, b]), 0, 1, share, point);
      const [longitude, latitude] = geoInterpolate([a.longitude, a.latitude], [b.longitude, b.latitude])(share);
      expect(point[1]).toBeCloseTo(latitude, 5);
      expect(Math.cos(((point[0] - longitude) * Math.PI) / 180)).toBeCloseTo(1, 6);
    }),
  );
});

it.each([390, 1100])('places are separate on a map of width %i, and all nodes are on the map', (width) => {
  const places = placesOf(recordedRun({ nodes: 256, network: 'aws' }))!;
  const layout = mapLayout(places, 256, width);
  layout.places.forEach((a, at) => {
    for (const b of layout.places.slice(at + 1))
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.85 * (a.radius + b.radius));
  });
  for (const [id, x] of layout.x.entries()) {
    expect(x).toBeGreaterThan(-layout.half);
    expect(x).toBeLessThan(width + layout.half);
    expect(layout.y[id]).toBeGreaterThan(-layout.half);
    expect(layout.y[id]).toBeLessThan(layout.height + layout.half);
    expect(places[layout.placeOf[id]!]!.nodes).toContain(id);
    const { x: middleX, y: middleY, radius } = layout.places[layout.placeOf[id]!]!;
    expect(Math.hypot(x - middleX, layout.y[id]! - middleY)).toBeLessThan(radius);
  }
  // The nodes form a spiral whose turns are the width of one square apart.
  for (const { nodes } of places)
    nodes.forEach((a, at) => {
      for (const b of nodes.slice(at + 1))
        expect(Math.hypot(layout.x[a]! - layout.x[b]!, layout.y[a]! - layout.y[b]!)).toBeGreaterThan(2 * layout.half);
    });
});

it('the map extends to the southernmost node', () => {
  const places = placesOf(recordedRun({ nodes: 64, network: 'distance' }))!;
  const { height, x, y } = mapLayout(places, 64, 1100);
  expect(Math.max(...y)).toBeLessThanOrEqual(height + 1);
  expect(Math.min(...y)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...x)).toBeLessThanOrEqual(1100);
});
