import { defaultHornParameters, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { createSlot, hornAttacks } from '@tutti/ethereum';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotLimits, validatorChoices } from './slotChoice.ts';
import {
  desyncChoices,
  firstSlotState,
  isSlotLink,
  readSlotLink,
  type SlotState,
  sameSlot,
  slotCommand,
  slotLink,
} from './slotState.ts';

const anyState: fc.Arbitrary<SlotState> = fc
  .record({
    system: fc.constantFrom(...hornSystems),
    validators: fc.constantFrom(...validatorChoices),
    network: fc.constantFrom('aws', 'cities', 'distance'),
    deadPercent: fc.integer({ min: 0, max: 50 }),
    desyncMs: fc.constantFrom(...desyncChoices),
    attack: fc.option(
      fc.record({
        name: fc.constantFrom(...hornAttacks.map(({ name }) => name)),
        share: fc.integer({ min: 1, max: 40 }),
      }),
      { nil: undefined },
    ),
    seed: fc.integer(slotLimits.seed),
    place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    timeUs: fc.option(fc.nat(30_000_000), { nil: undefined }),
  })
  .map(({ system, validators, network, deadPercent, desyncMs, attack, seed, place, timeUs }) => {
    const parameters = scaledHornParameters(validators, defaultHornParameters);
    return {
      scenario: {
        ...firstSlotState.scenario,
        system,
        parameters,
        network,
        dead: deadPercent / 100,
        desyncMs,
        seed,
        attacks: attack ? [{ name: attack.name, share: attack.share / 100 }] : [],
      },
      committee: Math.floor(place * parameters.committees),
      subcommittee: Math.floor(place * parameters.subcommittees),
      timeUs,
    };
  });

describe('readSlotLink', () => {
  it('decodes the output of slotLink, which is recognised as a link to a slot', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(readSlotLink(`#${slotLink(state)}`)).toEqual({ values: state, notices: [] });
        expect(isSlotLink(`#${slotLink(state)}`)).toBe(true);
      }),
    );
  });

  it('returns a valid slot for any input', () => {
    const names = ['protocol', 'n', 'network', 'dead', 'desync', 'seed', 'attack', 'committee', 'subcommittee', 't'];
    const value = fc.oneof(fc.string(), fc.constantFrom('horn', '16384', '-1', '1e9', 'late:0.9', 'griefing:'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), value)), (fields) => {
        const { scenario, committee, subcommittee } = readSlotLink(new URLSearchParams(fields).toString()).values;
        const small = { ...scenario, parameters: scaledHornParameters(1024, defaultHornParameters) };
        expect(() => createSlot(small)).not.toThrow();
        expect(validatorChoices).toContain(scenario.parameters.validators);
        expect(committee).toBeLessThan(scenario.parameters.committees);
        expect(subcommittee).toBeLessThan(scenario.parameters.subcommittees);
      }),
      { numRuns: 30 },
    );
  });

  it('on a first visit, returns Horn at the post’s size', () => {
    expect(readSlotLink('').values).toEqual(firstSlotState);
  });
});

it('isSlotLink is false for a link to a run of another protocol, or to none', () => {
  expect(isSlotLink('#n=64&seed=1')).toBe(false);
  expect(isSlotLink('#protocol=handel')).toBe(false);
  expect(isSlotLink('')).toBe(false);
});

it('sameSlot is true for any system, but not for another seed', () => {
  const { scenario } = firstSlotState;
  expect(sameSlot(scenario, { ...scenario, system: 'strawman' })).toBe(true);
  expect(sameSlot(scenario, { ...scenario, seed: 2 })).toBe(false);
});

it('slotCommand names every choice', () => {
  const { scenario } = firstSlotState;
  const attacks = [{ name: 'griefing', share: 0.2 }];
  expect(slotCommand({ ...scenario, system: 'status-quo', dead: 0.1, desyncMs: 500, seed: 7, attacks })).toBe(
    'npx tutti simulate --protocol horn-status-quo --nodes 1048576 --threshold 0.99 --network aws --dead 0.1 --desync 500 --seed 7 --attack griefing:0.2',
  );
});
