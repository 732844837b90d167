import { mechanisms } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, outcomeOf } from '../../../../../tests/digests.ts';
import { checkModel } from '../../../test/checkModel.ts';

import type { ModelCheckerOptions } from './setting.ts';

it.each<ModelCheckerOptions>([
  { nodes: 2, timers: 1, losses: 1, repeats: 1 },
  { nodes: 2, timers: 2, losses: 1, depth: 9 },
  { nodes: 2, timers: 1, byzantine: 1, injections: 2 },
  { nodes: 3, timers: 1, losses: 1, depth: 5 },
  { nodes: 3, timers: 0, byzantine: 1, injections: 1, depth: 5, seed: 3 },
  { nodes: 3, timers: 1, levelStartPeriods: 3, batch: 4, depth: 6, branching: 4 },
  { nodes: 4, timers: 1, repeats: 1, depth: 4, backOff: false },
  { nodes: 3, timers: 1, maxStates: 150 },
])('%j: as many states, ways and steps as there were', (options) => {
  expect(outcomeOf(() => checkModel(options))).toMatchSnapshot();
});

it.each(mechanisms)('without %s: what breaks, and the way there, is what it was', (mechanism) => {
  const pins = [
    { byzantine: 1, injections: 2 },
    { losses: 1, repeats: 1 },
  ].map((world) =>
    outcomeOf(() => checkModel({ nodes: 3, timers: 1, maxStates: 300, without: [mechanism], ...world })),
  );
  expect(pins.map(digestOf)).toMatchSnapshot();
});

it('options are refused with the words they were', () => {
  const values = [-1, 0, 1, 2, 4, 5, 15, 16, 255, 256, 16_000_000, 16_000_001, 2 ** 32 - 1, 2 ** 32, 0.5, 'x'];
  const fields = [
    'losses',
    'repeats',
    'timers',
    'byzantine',
    'injections',
    'levelStartPeriods',
    'threshold',
    'seed',
    'batch',
  ];
  const pins = [...fields, 'depth', 'maxStates', 'branching', 'nodes', 'typo'].map((field) => {
    const outcomes = values.flatMap((value) =>
      [0, 1].map((byzantine) =>
        outcomeOf(() => checkModel({ nodes: 2, timers: 0, maxStates: 20, byzantine, [field]: value } as never)),
      ),
    );
    return `${field} ${digestOf(outcomes)}`;
  });
  expect(pins).toMatchSnapshot();
});
