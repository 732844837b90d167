import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { shrink } from './shrink.ts';

it.each([-900, -3, -2, -1, -0.5, 0.5, 1, 2, 3, 900])(
  'a clock error of %d ms keeps its sign, and at least 1 ms',
  (byMs) => {
    const sizes: number[] = [];
    const faults: readonly Fault[] = [{ kind: 'skew', nodes: [0], byMs }];
    shrink({ ...defaultScenario, nodes: 8, faults }, ({ faults: [fault] }) => {
      if (fault?.kind === 'skew') sizes.push(fault.byMs);
      return fault !== undefined;
    });
    for (const size of sizes) expect(Math.sign(size)).toBe(Math.sign(byMs));
    expect(Math.min(...sizes.map(Math.abs))).toBe(Math.min(1, Math.abs(byMs)));
  },
);

it('accepts 1 to 2^31 - 1 trials', () => {
  const scenario = { ...defaultScenario, nodes: 2 };
  const pins = [0, 1, 2 ** 31 - 1, 2 ** 31].map((tries) => outcomeOf(() => shrink(scenario, () => false, { tries })));
  expect(pins).toMatchInlineSnapshot(`
    [
      "RangeError: tries: expected an integer from 1 to 2147483647, got 0",
      "RangeError: scenario: expected a scenario that fails, got one that succeeds",
      "RangeError: scenario: expected a scenario that fails, got one that succeeds",
      "RangeError: tries: expected an integer from 1 to 2147483647, got 2147483648",
    ]
  `);
});
