import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { mapLayout } from './mapLayout.ts';
import { placesOf } from './places.ts';

it.each([390, 1100])('places stand apart on a map %i wide, and all nodes on the map', (width) => {
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
  // In a spiral whose turns are one square apart.
  for (const { nodes } of places)
    nodes.forEach((a, at) => {
      for (const b of nodes.slice(at + 1))
        expect(Math.hypot(layout.x[a]! - layout.x[b]!, layout.y[a]! - layout.y[b]!)).toBeGreaterThan(2 * layout.half);
    });
});
