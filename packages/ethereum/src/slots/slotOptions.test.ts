import { defaultHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { drawn, outcomeOf } from '../../../../tests/digests.ts';
import { createSlot } from './slot.ts';
import { defaultSlotScenario } from './slotScenario.ts';
import { VoteSets } from './voteSets.ts';

it('sets of votes are stored as they came, however many they are', () => {
  drawn(6, (draw) => {
    const members = draw.one([1, 31, 32, 33, 70]);
    const sets = new VoteSets(members);
    const added = draw.list(draw.integer(1, 700), (_, index) => {
      const bits = Int32Array.from(draw.list(sets.words, () => draw.integer(-(2 ** 31), 2 ** 31 - 1)));
      const set = [draw.integer(0, 400), draw.integer(0, 9e6), draw.integer(0, members)] as const;
      expect(sets.add(...set, bits)).toBe(index);
      return { set, bits };
    });
    expect(sets.count).toBe(added.length);
    for (const [index, { set, bits }] of added.entries()) {
      expect([sets.author(index), sets.sentUs(index), sets.weight(index)]).toEqual(set);
      expect(bits.map((_, word) => sets.word(index, word))).toEqual(bits);
      const has = draw.integer(0, members - 1);
      expect(sets.has(index, has)).toBe(((bits[has >>> 5]! >>> (has & 31)) & 1) === 1);
    }
  });
});

it('a slot that was made is at its beginning', () => {
  const parameters = { ...defaultHornParameters, committees: 1, subcommittees: 1, validators: 16 };
  expect(createSlot({ ...defaultSlotScenario, parameters }).progress).toBe(0);
});

it('options of a slot are taken up to their bounds, and refused beyond', () => {
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
