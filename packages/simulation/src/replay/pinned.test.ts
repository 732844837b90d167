import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawAttacks, drawFault, drawRun } from '../../test/drawnRuns.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { DeskReplay } from './desk.ts';

it('a node’s desk is what it was, at moments back and forth', () => {
  const pins = drawn(12, (draw, seed) =>
    outcomeOf(() => {
      const run = drawRun(draw, seed, { nodes: draw.integer(6, 16), branching: 2 });
      const scenario = draw.chance(0.5) ? drawAttacks(draw, run) : run;
      const faults = draw.chance(0.6) ? [drawFault(draw, run.nodes)] : [];
      const replay = new DeskReplay({ ...scenario, faults }, draw.integer(0, 4));
      const moments = [0, 50_000, 120_000, 90_000, 150_000, 151_000, 151_500, 152_000, 260_000, 400_000, 30_000, 9e6];
      return digestOf([replay.digest, moments.map((us) => replay.at(us))]);
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "4f0dc9068331",
      "12a38c34e128",
      "76056e496059",
      "01fec4b90abc",
      "b613de25e489",
      "352d72b72552",
      "93f0e77d578e",
      "6b284c995ada",
      "1ca647288187",
      "747a85047e61",
      "fa422d4e964c",
      "9dc1e0dbd90c",
    ]
  `);
});

it('what cannot be shown is refused with the words it was', () => {
  const small = { ...defaultScenario, nodes: 4 };
  const asks = [
    [{ ...small, protocol: 'gossip' }, 0],
    [small, -1],
    [small, 4],
    [small, 0.5],
    [{}, 0],
    [undefined, 0],
  ] as const;
  expect(
    asks.map(([scenario, node]) => outcomeOf(() => new DeskReplay(scenario as never, node))),
  ).toMatchInlineSnapshot(`
    [
      "RangeError: protocol: expected handel, got "gossip"",
      "RangeError: node: expected an integer from 0 to 3, got -1",
      "RangeError: node: expected an integer from 0 to 3, got 4",
      "RangeError: node: expected an integer from 0 to 3, got 0.5",
      "TypeError: scenario.protocol: expected a value, got undefined",
      "TypeError: scenario: expected an object like that of defaultScenario, got undefined",
    ]
  `);
});
