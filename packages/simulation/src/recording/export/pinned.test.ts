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
        Array.from(perfettoTrace(recording, options), (part) => Buffer.from(part).toString('latin1')),
      );
      const log = outcomeOf(() => [...shivizLog(recording, { maxNodes: draw.one([11, 12, 20]) })].join(''));
      return `${digestOf(traces)} ${digestOf(log)}`;
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "1e22d7f6500a e56bbef5e2a5",
      "6c71f3093232 1819807dd86d",
      "42375c16312e 253c5a625fe0",
      "5e685a7bcd9b d5d2dde98a8d",
      "c59ca2bc0eae b1b00f4e298a",
      "c442a00294ec 0e551fafaa34",
      "f5c179de6d27 dc7184833bec",
      "031dd48091b0 c5a39f99d7bf",
      "5af8066b346d 129c09d70c22",
      "42ff06c0262f dc7184833bec",
    ]
  `);
});
