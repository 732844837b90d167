import { LineKind, type Recording } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { HeldCursor, heldAt, heldSinceUs, heldSteps, upperBound } from './heldSteps.ts';

it('equals heldAt for any sequence of times', () => {
  const recording = recordedRun({ nodes: 20, dead: 0.2, seed: 2 });
  const steps = heldSteps(recording);
  fc.assert(
    fc.property(fc.array(anyMoment(recording), { maxLength: 8 }), (moments) => {
      const cursor = new HeldCursor(steps);
      for (const atUs of moments)
        for (let id = 0; id < 20; id++) expect(cursor.at(id, atUs)).toBe(heldAt(steps, id, atUs));
    }),
  );
});

/** Returns the number of contributions that a node holds, computed from the lines one by one. */
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

describe('heldAt', () => {
  it.each(sizes)('is the sum of the lines up to that time, for every node of %i', (nodes) => {
    const recording = recordedRun({ nodes, seed: nodes, dead: nodes > 12 ? 0.2 : 0 });
    const steps = heldSteps(recording);
    fc.assert(
      fc.property(anyMoment(recording), fc.nat(nodes - 1), (atUs, id) => {
        expect(heldAt(steps, id, atUs)).toBe(heldByReading(recording, id, atUs));
      }),
      { numRuns: 40 },
    );
  });

  it('is 0 for a dead node at any time', () => {
    const recording = recordedRun({ nodes: 32, dead: 0.4, seed: 3 });
    const steps = heldSteps(recording);
    const endUs = recording.timeUs.at(-1)!;
    for (const id of upTo(32)) if (recording.world.alive[id] === 0) expect(heldAt(steps, id, endUs)).toBe(0);
  });
});

describe('heldSinceUs', () => {
  it('agrees with the result about the first and last node at the threshold', () => {
    const recording = recordedRun({ nodes: 100, seed: 5 });
    const steps = heldSteps(recording);
    const times = upTo(100).map((id) => heldSinceUs(steps, id, recording.world.threshold)! / 1000);
    expect(Math.min(...times)).toBeCloseTo(recording.result.timeToThresholdMs.min, 6);
    expect(Math.max(...times)).toBeCloseTo(recording.result.timeToThresholdMs.max, 6);
  });

  it('is undefined for a weight that is never reached', () => {
    const recording = recordedRun({ nodes: 8 });
    expect(heldSinceUs(heldSteps(recording), 0, 9)).toBeUndefined();
  });
});

describe('upperBound', () => {
  it('is the number of entries up to the key', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: -10, max: 10 }), (entries, key) => {
        const ascending = Int32Array.from(entries).sort();
        expect(upperBound(ascending, key)).toBe(entries.filter((entry) => entry <= key).length);
      }),
    );
  });
});
