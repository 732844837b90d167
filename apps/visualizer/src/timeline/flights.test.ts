import { LineKind } from '@tutti/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { eachInFlight, flights } from './flights.ts';

describe('eachInFlight', () => {
  it.each(sizes)('visits the messages that have departed and not arrived, and no other, of %i nodes', (nodes) => {
    const recording = recordedRun({ nodes, seed: nodes + 1, dead: nodes > 12 ? 0.2 : 0 });
    const all = flights(recording);
    const messages = upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
    fc.assert(
      fc.property(anyMoment(recording), (atUs) => {
        const expected = messages.filter((line) => recording.timeUs[line]! <= atUs && recording.untilUs[line]! > atUs);
        const visited: number[] = [];
        const count = eachInFlight(all, atUs, (flight) => visited.push(all.line[flight]!));
        expect(visited).toEqual(expected);
        expect(count).toBe(expected.length);
      }),
      { numRuns: 40 },
    );
  });

  it('knows how many there are at once at most', () => {
    const all = flights(recordedRun({ nodes: 64, seed: 8 }));
    const counts = upTo(400).map((at) => eachInFlight(all, at * 1000, () => {}));
    expect(all.most).toBeGreaterThan(Math.max(...counts) * 0.9);
    expect(all.most).toBeLessThan(Math.max(...counts) * 1.1);
  });
});
