import { defaultNetworkScenario, hornAttacks, proposalNames, validateNetworkScenario } from '@tutti/ethereum';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fields, seeds } from '../links/fields.ts';
import { networkFields, networkLink, networkScenario, readNetworkLink } from './networkState.ts';
import type { SlotChoice } from './slotChoice.ts';
import {
  firstSlotState,
  isSlotLink,
  postFields,
  readSlotLink,
  sameSlot,
  slotCommand,
  slotLink,
  slotOf,
} from './slotState.ts';

const percent = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100);
const anyAttack = fc.record({ name: fc.constantFrom(...hornAttacks.map(({ name }) => name)), share: percent(1, 40) });

/** Generates any settings that a form offers. @param others generators for the fields that only one model has. */
function anyOf<Choice extends SlotChoice>(fields: Fields<Choice>, others: Record<string, fc.Arbitrary<unknown>> = {}) {
  const offered = fields.entries.flatMap(([key, { choices }]) =>
    choices === undefined ? [] : [[key, fc.constantFrom(...choices)]],
  );
  const attacks = fc.array(anyAttack, { maxLength: 1 });
  const both = { ...Object.fromEntries(offered), dead: percent(0, 50), seed: fc.integer(seeds), attacks };
  return fc.record({ ...both, ...others }) as unknown as fc.Arbitrary<Choice>;
}

const anyPost = anyOf(postFields);
const anyNetwork = anyOf(networkFields, {
  proposals: fc.uniqueArray(fc.constantFrom(...proposalNames), { maxLength: 2 }),
  slotSeconds: fc.constantFrom(undefined, 1, 6, 22),
});
const anyTimeUs = fc.option(fc.nat(30_000_000), { nil: undefined });

it('a link to a slot decodes to its state, and is recognised', () => {
  fc.assert(
    fc.property(anyPost, fc.double({ min: 0, max: 0.999, noNaN: true }), anyTimeUs, (choice, share, timeUs) => {
      const scenario = slotOf(choice);
      const [committee, subcommittee] = [scenario.parameters.committees, scenario.parameters.subcommittees].map(
        (count) => Math.floor(share * count),
      ) as [number, number];
      const state = { scenario, committee, subcommittee, timeUs };
      expect(readSlotLink(`#${slotLink(state)}`)).toEqual({ values: state, notices: [] });
      expect(isSlotLink(`#${slotLink(state)}`)).toBe(true);
    }),
  );
  expect(readSlotLink('').values).toEqual(firstSlotState);
});

it('a link to a slot on a network decodes to its choice, which is a valid slot', () => {
  fc.assert(
    fc.property(anyNetwork, anyTimeUs, (choice, timeUs) => {
      expect(readNetworkLink(`#${networkLink(choice, timeUs)}`)).toEqual({ choice, timeUs, notices: [] });
      validateNetworkScenario(networkScenario(choice));
    }),
  );
  expect(networkScenario(readNetworkLink('#model=network').choice)).toEqual(defaultNetworkScenario);
});

it.each(['#n=64&seed=1', '#protocol=handel', ''])('"%s" is not a link to a slot', (link) => {
  expect(isSlotLink(link)).toBe(false);
});

it('sameSlot is true for any system, but not for another seed', () => {
  const { scenario } = firstSlotState;
  expect(sameSlot(scenario, { ...scenario, system: 'strawman' })).toBe(true);
  expect(sameSlot(scenario, { ...scenario, seed: 2 })).toBe(false);
});

it('slotCommand names every choice', () => {
  const attacks = [{ name: 'griefing', share: 0.2 }];
  const changes = { system: 'status-quo', dead: 0.1, desyncMs: 500, seed: 7, attacks } as const;
  expect(slotCommand({ ...firstSlotState.scenario, ...changes })).toBe(
    'npx tutti simulate --protocol horn-status-quo --nodes 1048576 --threshold 0.99 --network aws --dead 0.1 --desync 500 --seed 7 --attack griefing:0.2',
  );
});
