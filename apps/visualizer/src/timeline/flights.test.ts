import { LineKind } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { eachInFlight, flights, inFlightAt } from './flights.ts';
import { faceOf, faces } from './messageFace.ts';

describe('flights', () => {
  it.each(sizes)('contain exactly the messages in transit, of %i nodes', (nodes) => {
    const recording = recordedRun({ nodes, seed: nodes + 1, dead: nodes > 12 ? 0.2 : 0 });
    const all = flights(recording);
    expect(all.oneIn).toBe(1);
    expect(Array.from(all.drawn.face, (face) => faces[face])).toEqual(
      Array.from(all.drawn.line, (line) => faceOf(recording, line)),
    );
    const messages = upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
    fc.assert(
      fc.property(anyMoment(recording), (atUs) => {
        const expected = messages.filter((line) => recording.timeUs[line]! <= atUs && recording.untilUs[line]! > atUs);
        const visited: number[] = [];
        eachInFlight(all.drawn, atUs, (flight) => visited.push(all.drawn.line[flight]!));
        expect(visited).toEqual(expected);
        expect(inFlightAt(all, atUs)).toBe(expected.length);
      }),
      { numRuns: 40 },
    );
  });

  it('are drawn in part if there are too many, and all are counted', () => {
    const recording = recordedRun({ nodes: 64, seed: 8 });
    const all = flights(recording);
    const some = flights(recording, 100);
    const moments = upTo(40).map((at) => at * 10_000);
    const shown = moments.map((atUs) => {
      let count = 0;
      eachInFlight(some.drawn, atUs, () => count++);
      return count;
    });
    expect(some.oneIn).toBeGreaterThan(10);
    expect(Math.max(...shown)).toBeGreaterThan(50);
    expect(Math.max(...shown)).toBeLessThan(150);
    expect(moments.map((atUs) => inFlightAt(some, atUs))).toEqual(moments.map((atUs) => inFlightAt(all, atUs)));
  });

  it('contain the invalid contributions that are being verified', () => {
    const recording = recordedRun({ nodes: 64, attacks: [{ name: 'invalid', share: 0.3 }] });
    const { lies } = flights(recording);
    const { kind, value, timeUs, untilUs } = recording;
    const checks = upTo(recording.length).filter((line) => kind[line] === LineKind.check && value[line]! < 0);
    expect(checks.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(anyMoment(recording), (atUs) => {
        const visited: number[] = [];
        eachInFlight(lies, atUs, (lie) => visited.push(lies.line[lie]!));
        expect(visited).toEqual(checks.filter((line) => timeUs[line]! <= atUs && untilUs[line]! > atUs));
      }),
      { numRuns: 40 },
    );
  });
});
