import { defaultHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { createSlot } from './slot.ts';
import { defaultSlotScenario } from './slotScenario.ts';

it('a new slot is at its beginning', () => {
  const parameters = { ...defaultHornParameters, committees: 1, subcommittees: 1, validators: 16 };
  expect(createSlot({ ...defaultSlotScenario, parameters }).progress).toBe(0);
});

it('options of a slot are accepted up to their limits, and refused beyond', () => {
  const parameters = { ...defaultHornParameters, committees: 1, subcommittees: 1, validators: 16 };
  const pins = [0, 1, 2 ** 20, 2 ** 20 + 1].map((observers) =>
    outcomeOf(() => createSlot({ ...defaultSlotScenario, parameters }, { mode: 'statistical', observers }).progress),
  );
  const many = { ...parameters, validators: 2 ** 15 + 1 };
  pins.push(outcomeOf(() => createSlot({ ...defaultSlotScenario, parameters: many }, { mode: 'messages' }).progress));
  expect(pins).toMatchInlineSnapshot(`
    [
      "RangeError: options.observers: expected an integer from 1 to 1048576, got 0",
      0,
      0,
      "RangeError: options.observers: expected an integer from 1 to 1048576, got 1048577",
      "RangeError: validators: expected an integer from 1 to 32768, got 32769",
    ]
  `);
});
