import { expect, it } from 'vitest';
import { Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawAttacks, drawFault, drawRun } from '../../test/drawnRuns.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { judge } from './judge.ts';
import { shrink } from './shrink.ts';

it('scenarios are made smaller in the steps they were', () => {
  const pins = drawn(30, (draw, seed) => {
    const run = drawAttacks(draw, drawRun(draw, seed, { weights: 'equal' }));
    const scenario = { ...run, faults: draw.list(draw.integer(0, 4), () => drawFault(draw, run.nodes)) };
    const asked: unknown[] = [];
    const least = draw.integer(1, 8);
    const kind = scenario.faults[0]?.kind;
    const result = outcomeOf(() =>
      shrink(
        scenario,
        (smaller) => {
          asked.push([smaller.nodes, smaller.dead, smaller.attacks, smaller.faults]);
          return smaller.nodes >= least && (seed % 3 === 0 || smaller.faults.some((fault) => fault.kind === kind));
        },
        draw.chance(0.3) ? { tries: draw.integer(1, 20) } : {},
      ),
    );
    return digestOf([asked, result]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "74dc9d590f95",
      "9fbf7b0be366",
      "bbc5ff39f250",
      "3eeeb2b15ad8",
      "617ee0bd5f6a",
      "e3da062e3331",
      "8fdb46fc52d2",
      "82494366b473",
      "5728dcf90ccb",
      "e46de619d264",
      "d3c9ad747605",
      "5d3469452ca1",
      "35ec559189b5",
      "4206f228beab",
      "474a214561aa",
      "bfa5c848bf66",
      "fdb78a471a02",
      "9640432c5a4d",
      "1df4153c7b5d",
      "e086f8a538bd",
      "e1e95497b127",
      "073aaaf2655d",
      "8f2b302927f8",
      "78d9052331f7",
      "38fc3521c0c9",
      "6e11f6e7bc3f",
      "897295141ac9",
      "766c3348ff3c",
      "fc8e410c8a31",
      "ede29cc96f65",
    ]
  `);
});

it('runs are judged as they were', () => {
  const pins = drawn(30, (draw, seed) => {
    const run = drawRun(draw, seed, { nodes: draw.integer(3, 9), without: [], desyncMs: 40 });
    const faults = draw.list(draw.integer(0, 2), () => drawFault(draw, run.nodes));
    return outcomeOf(() => {
      const options = { until: draw.one(['fairness', 'threshold'] as const), giveUpAfterMs: draw.one([60, 200, 3000]) };
      const simulation = createSimulation({ ...run, faults }, options);
      while (simulation.advance(1 << 16));
      return judge(simulation);
    });
  });
  expect(pins).toMatchSnapshot();
});

it('a fault that is made smaller keeps its sign, and is never less than its least', () => {
  const values = [-9, -3, -2, -1, -0.5, 0.5, 1, 2, 3, 9];
  const pins = (['skew', 'drift', 'slow-links', 'reordering'] as const).flatMap((kind) =>
    values.map((value) => {
      const asked: unknown[] = [];
      const fault = { kind, nodes: [0], byMs: value, rate: Math.abs(value), share: 0.5 } as never;
      outcomeOf(() =>
        shrink({ ...drawRun(new Draw(1), 1), nodes: 8, dead: 0, faults: [fault] }, ({ faults }) => {
          asked.push(faults);
          return faults.length > 0;
        }),
      );
      return asked;
    }),
  );
  expect(digestOf(pins)).toMatchInlineSnapshot(`"424c3ccd7255"`);
});

it('so many tries are taken and refused as they were', () => {
  const scenario = { ...defaultScenario, nodes: 2 };
  const pins = [0, 1, 2 ** 31 - 1, 2 ** 31].map((tries) => outcomeOf(() => shrink(scenario, () => false, { tries })));
  expect(pins).toMatchSnapshot();
});
