import { expect, it } from 'vitest';
import { drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawFault, drawRun, toldBy } from '../../test/drawnRuns.ts';
import { referenceQuirks } from './referenceQuirks.ts';

it('runs with the quirks of the reference, one or some, are what they were', () => {
  const pins = drawn(24, (draw, seed) => {
    const quirks =
      seed <= 2 * referenceQuirks.length ? [referenceQuirks[(seed - 1) >>> 1]!] : draw.some(referenceQuirks);
    const given = { referenceQuirks: quirks, branching: 2, batch: 1, weights: 'equal' } as const;
    const attacks = draw.chance(0.3) ? [{ name: draw.one(['invalid', 'worthless']), share: 0.2 }] : [];
    const scenario = drawRun(draw, seed, { ...given, attacks, dead: 0, fastPath: draw.integer(0, 4) });
    const faults = draw.chance(0.3) ? [drawFault(draw, scenario.nodes)] : [];
    return outcomeOf(() => toldBy({ ...scenario, faults }));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "9838e6d765a8",
      "9df2993a409b",
      "1abd619a0486",
      "00b211e4a892",
      "370412fc2338",
      "b2b5310791a3",
      "09e27f8cf7de",
      "a64f6ce3e7a5",
      "e9dc705311df",
      "0980728be815",
      "c2427c1f4061",
      "c6c4a46fd1e2",
      "939e074084cd",
      "e2077f64063c",
      "b8f9c2fafa28",
      "d2d8f00924df",
      "20d2e3755ac0",
      "34a32080b4c7",
      "5afdaa826cad",
      "f4a0e01b78b1",
      "1595992d7ddc",
      "11c79536e292",
      "375bacf93eb9",
      "d7fa6c069297",
    ]
  `);
});
