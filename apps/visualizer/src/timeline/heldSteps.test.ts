import { LineKind, type Recording } from '@tutti/simulation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { HeldCursor, heldAt, heldSinceUs, heldSteps, upperBound } from './heldSteps.ts';

/** Returns the number of contributions that a node holds, computed line by line. */
function heldByReading(recording: Recording, id: number, atUs: number): number {
  let own = 0;
  const inLevel = new Map<number, number>();
  for (let line = 0; line < recording.length && recording.timeUs[line]! <= atUs; line++) {
    if (recording.node[line] !== id) continue;
    if (recording.kind[line] === LineKind.start) own = 1;
    if (recording.kind[line] === LineKind.improve) inLevel.set(recording.level[line]!, recording.value[line]!);
  }
  return own + [...inLevel.values()].reduce((sum, weight) => sum + weight, 0);
}

it.each(sizes)('a node of %i holds the sum of its lines up to a time, also with a cursor', (nodes) => {
  const recording = recordedRun({ nodes, seed: nodes, dead: nodes > 12 ? 0.2 : 0 });
  const steps = heldSteps(recording);
  const cursor = new HeldCursor(steps);
  fc.assert(
    fc.property(anyMoment(recording), fc.nat(nodes - 1), (atUs, id) => {
      const held = heldByReading(recording, id, atUs);
      expect(heldAt(steps, id, atUs)).toBe(held);
      expect(cursor.at(id, atUs)).toBe(held);
    }),
    { numRuns: 40 },
  );
});

it('upperBound counts the times up to and including a time', () => {
  const times = Int32Array.of(1, 3, 3, 7);
  expect([0, 1, 2, 3, 6, 7, 8].map((us) => upperBound(times, us))).toEqual([0, 1, 1, 3, 3, 4, 4]);
});

it('the first and the last node at the threshold are those of the result; a weight beyond N is never reached', () => {
  const recording = recordedRun({ nodes: 100, seed: 5 });
  const steps = heldSteps(recording);
  const times = upTo(100).map((id) => heldSinceUs(steps, id, recording.world.threshold)! / 1000);
  expect(Math.min(...times)).toBeCloseTo(recording.result.timeToThresholdMs.min, 6);
  expect(Math.max(...times)).toBeCloseTo(recording.result.timeToThresholdMs.max, 6);
  expect(heldSinceUs(steps, 0, 101)).toBeUndefined();
});
