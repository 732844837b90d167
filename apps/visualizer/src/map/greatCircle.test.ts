import { geoInterpolate } from 'd3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alongGreatCircle, unitVectors } from './greatCircle.ts';

it('is on the shortest way, as d3 has it', () => {
  const anywhere = fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -179, max: 179, noNaN: true }),
  });
  fc.assert(
    fc.property(anywhere, anywhere, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
      const apart = Math.abs(a.longitude - b.longitude);
      // Every way round the globe is as short between antipodes, and at a pole there is no longitude.
      fc.pre(Math.abs(apart - 180) > 2 && (apart > 0.01 || Math.abs(a.latitude - b.latitude) > 0.01));
      const point: [number, number] = [0, 0];
      alongGreatCircle(unitVectors([a, b]), 0, 1, share, point);
      const [longitude, latitude] = geoInterpolate([a.longitude, a.latitude], [b.longitude, b.latitude])(share);
      expect(point[1]).toBeCloseTo(latitude, 5);
      expect(Math.cos(((point[0] - longitude) * Math.PI) / 180)).toBeCloseTo(1, 6);
    }),
  );
});
