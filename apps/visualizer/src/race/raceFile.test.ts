import { doublings } from '@tutti/lab';
import { NodeRole } from '@tutti/simulation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment, recordedRun } from '../../test/recordedRun.ts';
import { heldSteps, upperBound } from '../timeline/heldSteps.ts';
import { comparedNumbers, doneAt, laneOf, liveRace, marksPassed, never, type RaceLane } from './raceFile.ts';

const lane: RaceLane = {
  protocol: 'handel',
  digest: '',
  perNode: 2,
  marks: Int32Array.of(10, 20, 5, 65_535, never, never),
  role: Uint8Array.of(1, 1, 0),
};

it('counts the marks that a node has passed, and the honest nodes at the threshold, never a dead or Byzantine one', () => {
  expect([0, 10, 19, 20].map((at) => marksPassed(lane, 0, at))).toEqual([0, 1, 1, 2]);
  expect([19, 20, 65_535, never - 1].map((at) => doneAt(lane, at))).toEqual([0, 1, 2, 2]);
  expect(doneAt({ ...lane, role: Uint8Array.of(1, 2, 0) }, 30)).toBe(1);
});

it('a simulated race ends with every honest node finished, and counts no Byzantine node', () => {
  const { lane, outcome } = liveRace({ protocol: 'handel', nodes: 64, dead: 0, byzantine: 3, unitUs: 250 });
  expect([outcome.live, doneAt(lane, (outcome.lastMs * 1000) / 250)]).toEqual([61, 61]);
});

it.each(['handel', 'san-fermin', 'complete-graph', 'gossip'] as const)(
  'fills the cells of %s with the contributions of its nodes',
  (protocol) => {
    const recording = recordedRun({ protocol, nodes: 33, dead: 0.2, seed: 4 });
    const steps = heldSteps(recording);
    const lane = laneOf({ recording, steps });
    const { threshold, role: roles } = recording.world;
    const { reached, live, timeToThresholdMs } = recording.result;
    expect(doneAt(lane, recording.timeUs.at(-1)!)).toBe(reached);
    const [, ...lines] = comparedNumbers([{ lane, endUs: 0, reached: 0, live: 0 }]);
    expect(lines).toHaveLength(live);
    expect(Math.max(...lines.map(([, , ms]) => Number(ms)))).toBeCloseTo(timeToThresholdMs.max, 3);
    fc.assert(
      fc.property(anyMoment(recording), fc.nat(32), (atUs, id) => {
        const first = steps.offset[id]!;
        const after = upperBound(steps.timeUs, atUs, first, steps.offset[id + 1]!);
        const max = Math.max(0, ...steps.held.subarray(first, after));
        const passed = doublings(threshold).filter((weight) => max >= weight);
        expect(marksPassed(lane, id, atUs)).toBe(roles[id] === NodeRole.honest ? passed.length : 0);
      }),
      { numRuns: 40 },
    );
  },
);
