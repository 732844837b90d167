import { version } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../../tests/digests.ts';
import { drawAnyRun, drawAttacks, drawFault } from '../../../test/drawnRuns.ts';
import { createSimulation } from '../../run/simulation.ts';
import { perfettoTrace } from './perfetto.ts';
import { shivizLog } from './shiviz.ts';

it('traces and logs of drawn runs are what they were', () => {
  const pins = drawn(10, (draw, seed) =>
    outcomeOf(() => {
      const run = drawAnyRun(draw, seed);
      const attacked = draw.chance(0.5) ? drawAttacks(draw, run) : run;
      const faults = draw.list(draw.integer(0, 2), () => drawFault(draw, run.nodes));
      const simulation = createSimulation(
        { ...attacked, nodes: Math.min(12, run.nodes), weights: 'equal', faults },
        {
          record: draw.one([true, true, true, { sends: false }]),
          giveUpAfterMs: 400,
        },
      );
      while (simulation.advance(1 << 16));
      const recording = simulation.recording();
      const traces = [{}, { messages: false }].map((options) =>
        Array.from(perfettoTrace(recording, options), (part) =>
          Buffer.from(part).toString('latin1').replaceAll(version, 'a version'),
        ),
      );
      const log = outcomeOf(() => [...shivizLog(recording, { maxNodes: draw.one([11, 12, 20]) })].join(''));
      return `${digestOf(traces)} ${digestOf(log)}`;
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "7530bdf52c65 e56bbef5e2a5",
      "2cb3fa802586 1819807dd86d",
      "693e6fad4e5d 253c5a625fe0",
      "de89bc3f8fba d5d2dde98a8d",
      "aacc8cdb63cd b1b00f4e298a",
      "423bc57533fd 0e551fafaa34",
      "91eba60ce41f dc7184833bec",
      "c0ebfe10fe51 c5a39f99d7bf",
      "ba0fdb6836a5 129c09d70c22",
      "976e7cac4558 dc7184833bec",
    ]
  `);
});
