import { peerSet } from '@tutti/core';
import { expect, it } from 'vitest';
import { recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { timeSpaceLayout } from './timeSpaceView.ts';

it.each(sizes.filter((nodes) => nodes > 1))('each peer has a line in the band of its level, of %i nodes', (nodes) => {
  const recording = recordedRun({ nodes });
  for (const id of [0, nodes >> 1, nodes - 1]) {
    const layout = timeSpaceLayout(recording, id, 900);
    for (const side of [-1, 1] as const) {
      const ys = new Set<number>();
      for (let level = 1; level <= recording.world.levels; level++) {
        const { start, end } = peerSet(id, level, nodes);
        for (const peer of upTo(nodes).slice(start, end)) {
          const y = layout.peerY(peer, level, side)!;
          const within = (y - layout.bandY(level, side)) * side;
          expect(within > 0 && within < layout.bandHeight && y >= 0 && y < layout.height).toBe(true);
          ys.add(y);
        }
      }
      expect(ys.size).toBe(nodes - 1);
    }
    expect(layout.peerY(id, 1, 1)).toBeUndefined();
  }
});

it('a protocol without levels has one band', () => {
  const layout = timeSpaceLayout(recordedRun({ nodes: 16, protocol: 'complete-graph' }), 3, 400);
  expect(layout.bands).toBe(1);
  expect(layout.peerY(0, 0, -1)).toBeGreaterThan(layout.peerY(15, 0, -1)!);
});
