import { doublings } from '@tutti/lab';
import { NodeRole } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment, recordedRun, upTo } from '../../test/recordedRun.ts';
import { heldAt, heldSteps } from '../timeline/heldSteps.ts';
import { comparedNumbers, doneAt, laneOf, marksPassed, never, type RaceLane } from './raceFile.ts';

const lane: RaceLane = {
  protocol: 'handel',
  digest: '',
  perNode: 2,
  marks: Uint16Array.of(10, 20, 5, 30, never, never),
  alive: Uint8Array.of(1, 1, 0),
};

describe('marksPassed', () => {
  it('counts the marks that a node has passed', () => {
    expect([0, 10, 19, 20].map((at) => marksPassed(lane, 0, at))).toEqual([0, 1, 1, 2]);
  });
});

describe('doneAt', () => {
  it('counts the nodes at the threshold, and never a dead one', () => {
    expect([19, 20, 30, never].map((at) => doneAt(lane, at))).toEqual([0, 1, 2, 2]);
  });

  it('counts no Byzantine node', () => {
    expect(doneAt({ ...lane, alive: Uint8Array.of(1, 2, 0) }, 30)).toBe(1);
  });
});

describe('laneOf', () => {
  it.each(['handel', 'san-fermin', 'complete-graph', 'gossip'] as const)(
    'fills %s’s cells with the contributions of its nodes',
    (protocol) => {
      const recording = recordedRun({ protocol, nodes: 33, dead: 0.2, seed: 4 });
      const steps = heldSteps(recording);
      const lane = laneOf({ recording, steps });
      const { threshold, alive } = recording.world;
      expect(doneAt(lane, recording.timeUs.at(-1)!)).toBe(recording.result.reached);
      fc.assert(
        fc.property(anyMoment(recording), fc.nat(32), (atUs, id) => {
          const most = Math.max(
            ...upTo(steps.offset[id + 1]! - steps.offset[id]!).map((step) => {
              const at = steps.offset[id]! + step;
              return steps.timeUs[at]! <= atUs ? steps.held[at]! : 0;
            }),
            0,
          );
          const expected =
            alive[id] === NodeRole.honest ? doublings(threshold).filter((weight) => most >= weight).length : 0;
          expect(marksPassed(lane, id, atUs)).toBe(expected);
          expect(heldAt(steps, id, atUs)).toBeLessThanOrEqual(Math.max(most, 0));
        }),
        { numRuns: 40 },
      );
    },
  );
});

it('comparedNumbers has a line for each honest node, with its finishing time', () => {
  const recording = recordedRun({ nodes: 33, dead: 0.2, seed: 4 });
  const lane = laneOf({ recording, steps: heldSteps(recording) });
  const [names, ...lines] = [...comparedNumbers([{ lane, endUs: 0, reached: 0, live: 0 }])];
  expect(names).toEqual(['protocol', 'node', 'threshold_ms']);
  expect(lines).toHaveLength(recording.result.live);
  expect(Math.max(...lines.map(([, , ms]) => Number(ms)))).toBeCloseTo(recording.result.timeToThresholdMs.max, 3);
});
