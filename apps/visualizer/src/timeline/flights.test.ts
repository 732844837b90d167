import { defaultScenario, LineKind, NodeRole, type Recording } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { forked } from '../branches/lab.ts';
import { eachInFlight, faceOf, faces, faultyAt, flights, hasInvalid, inFlightAt } from './flights.ts';

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

function sends(recording: Recording): number[] {
  return upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
}

describe('faceOf', () => {
  it('distinguishes exactly the messages of Byzantine nodes from the others', () => {
    const recording = recordedRun({ nodes: 64, attacks: [{ name: 'equivocate', share: 0.3 }] });
    expect(hasInvalid(recording)).toBe(true);
    const lines = sends(recording);
    const lies = lines.filter((line) => faceOf(recording, line) === 'lie');
    expect(lies).toEqual(lines.filter((line) => recording.world.alive[recording.node[line]!] === NodeRole.byzantine));
    expect(lies.length).toBeGreaterThan(100);
  });

  it('distinguishes the messages of a node after a fault makes it Byzantine', () => {
    const recording = recordedRun(forked({ ...defaultScenario, nodes: 64 }, 'lie', [3, 9], 120_000, 0));
    expect(hasInvalid(recording)).toBe(true);
    const lies = sends(recording).filter((line) => faceOf(recording, line) === 'lie');
    const { node, timeUs } = recording;
    expect(lies).toEqual(sends(recording).filter((line) => [3, 9].includes(node[line]!) && timeUs[line]! >= 120_000));
    expect(lies.length).toBeGreaterThan(10);
  });

  it('distinguishes a complete side from a partial one without Byzantine nodes', () => {
    const recording = recordedRun({ nodes: 16, dead: 0.2 });
    expect(hasInvalid(recording)).toBe(false);
    expect(new Set(sends(recording).map((line) => faceOf(recording, line)))).toEqual(new Set(['part', 'all']));
  });
});

it('names the nodes affected by a fault, from its beginning to its end', () => {
  const faults = [
    { kind: 'partition', nodes: [1, 2], atMs: 100, forMs: 50 },
    { kind: 'crash', nodes: [5], atMs: 120 },
    { kind: 'loss', share: 0.5 },
  ] as const;
  const at = (ms: number) => [...faultyAt(faults, 1000 * ms)];
  expect([99, 100, 130, 149.9, 150, 9000].map(at)).toEqual([[], [1, 2], [1, 2, 5], [1, 2, 5], [5], [5]]);
  expect([...faultyAt([{ kind: 'corruption', share: 1, of: 'signature', from: [3] }], 0)]).toEqual([3]);
  expect([...faultyAt([{ kind: 'pause', nodes: { share: 0.1 }, atMs: 0, forMs: 9 }], 0)]).toEqual([]);
});
