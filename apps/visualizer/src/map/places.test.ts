import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { placesOf } from './places.ts';

it.each(['aws', 'aws-blocks', 'cities', 'cities-by-distance', 'distance'])('each node of %s has a place', (network) => {
  const recording = recordedRun({ nodes: 256, network, seed: 3 });
  const places = placesOf(recording)!;
  expect(places.flatMap(({ nodes }) => nodes).sort((a, b) => a - b)).toEqual(upTo(256));
  for (const { latitude, longitude, name, nodes } of places) {
    expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
    expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    if (name !== '')
      for (const id of nodes) expect(recording.world.regionNames[recording.world.region[id]!]).toBe(name);
  }
});

it('the map contains all 218 measured cities (v1.03 appendix A.1)', () => {
  const recording = recordedRun({ nodes: 8, network: 'cities' });
  const region = Uint8Array.from({ length: 218 }, (_, place) => place);
  const world = { ...recording.world, nodes: 218, region };
  expect(placesOf({ ...recording, world })).toHaveLength(218);
});

it('placesOf is undefined for a network without places, and for an unknown place in a file', () => {
  expect(placesOf(recordedRun({ nodes: 8, network: 'constant:50' }))).toBeUndefined();
  const recording = recordedRun({ nodes: 8, network: 'aws' });
  const world = { ...recording.world, regionNames: recording.world.regionNames.map(() => 'toString') };
  expect(placesOf({ ...recording, world })).toBeUndefined();
});
