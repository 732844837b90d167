import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { DeskReplay } from './desk.ts';

it('what cannot be shown is refused, and named', () => {
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
