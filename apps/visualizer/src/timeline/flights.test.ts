import { defaultScenario, LineKind, NodeRole, type Recording, type Scenario } from '@tutti/simulation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { forked } from '../branches/breakPanel.ts';
import { eachInFlight, faceOf, faces, faultyAt, flights, hasInvalid, inFlightAt } from './flights.ts';

function linesAt(spans: ReturnType<typeof flights>['invalid'], atUs: number): number[] {
  const lines: number[] = [];
  eachInFlight(spans, atUs, (flight) => lines.push(spans.line[flight]!));
  return lines;
}

it.each(sizes)('exactly the messages in transit, and invalid contributions in verification, of %i nodes', (nodes) => {
  const attacks = nodes > 31 ? [{ name: 'invalid', share: 0.3 }] : [];
  const recording = recordedRun({ nodes, seed: nodes + 1, dead: nodes > 12 ? 0.2 : 0, attacks });
  const all = flights(recording);
  expect(all.oneIn).toBe(1);
  expect(Array.from(all.drawn.face, (face) => faces[face])).toEqual(
    Array.from(all.drawn.line, (line) => faceOf(recording, line)),
  );
  const { kind, value, timeUs, untilUs } = recording;
  const checks = upTo(recording.length).filter((line) => kind[line] === LineKind.check && value[line]! < 0);
  expect(checks.length > 0).toBe(attacks.length > 0);
  fc.assert(
    fc.property(anyMoment(recording), (atUs) => {
      const isNow = (line: number) => timeUs[line]! <= atUs && untilUs[line]! > atUs;
      const inTransit = sends(recording).filter(isNow);
      expect(linesAt(all.drawn, atUs)).toEqual(inTransit);
      expect(inFlightAt(all, atUs)).toBe(inTransit.length);
      expect(linesAt(all.invalid, atUs)).toEqual(checks.filter(isNow));
    }),
    { numRuns: 40 },
  );
});

it('messages are drawn in part if there are too many, and all are counted', () => {
  const recording = recordedRun({ nodes: 64, seed: 8 });
  const [some, all] = [flights(recording, 100), flights(recording)];
  const moments = upTo(40).map((at) => at * 10_000);
  const shown = moments.map((atUs) => linesAt(some.drawn, atUs).length);
  expect(some.oneIn).toBeGreaterThan(10);
  expect(Math.max(...shown)).toBeGreaterThan(50);
  expect(Math.max(...shown)).toBeLessThan(150);
  for (const atUs of moments) expect(inFlightAt(some, atUs)).toBe(inFlightAt(all, atUs));
});

function sends(recording: Recording): number[] {
  return upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
}

it.each<[string, Partial<Scenario>, (recording: Recording, line: number) => boolean]>([
  [
    'of Byzantine nodes',
    { nodes: 64, attacks: [{ name: 'equivocate', share: 0.3 }] },
    ({ world, node }, line) => world.role[node[line]!] === NodeRole.byzantine,
  ],
  [
    'of a node after a fault makes it Byzantine',
    forked({ ...defaultScenario, nodes: 64 }, 'invalid', [3, 9], 120_000, 0),
    ({ node, timeUs }, line) => [3, 9].includes(node[line]!) && timeUs[line]! >= 120_000,
  ],
])('the appearance of a message distinguishes exactly the messages %s from the others', (_, chosen, isInvalid) => {
  const recording = recordedRun(chosen);
  expect(hasInvalid(recording)).toBe(true);
  const invalid = sends(recording).filter((line) => faceOf(recording, line) === 'invalid');
  expect(invalid).toEqual(sends(recording).filter((line) => isInvalid(recording, line)));
  expect(invalid.length).toBeGreaterThan(10);
});

it('the appearance of a message distinguishes a complete side from a partial one without Byzantine nodes', () => {
  const recording = recordedRun({ nodes: 16, dead: 0.2 });
  expect(hasInvalid(recording)).toBe(false);
  expect(new Set(sends(recording).map((line) => faceOf(recording, line)))).toEqual(new Set(['part', 'all']));
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
