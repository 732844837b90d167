import {
  defaultNetworkScenario,
  hornAttacks,
  linkPresetNames,
  machineNames,
  proposalNames,
  validateNetworkScenario,
  votingSystemNames,
} from '@tutti/ethereum';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  distributions,
  firstNetworkChoice,
  type NetworkChoice,
  networkLink,
  networkScenario,
  readNetworkLink,
} from './networkState.ts';
import { slotLimits, validatorChoices } from './slotChoice.ts';

const anyChoice: fc.Arbitrary<NetworkChoice> = fc
  .record({
    system: fc.constantFrom(...votingSystemNames),
    validators: fc.constantFrom(...validatorChoices),
    network: fc.constantFrom('aws', 'cities', 'distance'),
    deadPercent: fc.integer({ min: 0, max: 50 }),
    attack: fc.constantFrom(undefined, ...hornAttacks.map(({ name }) => name)),
    sharePercent: fc.integer({ min: 1, max: 40 }),
    seed: fc.integer(slotLimits.seed),
    links: fc.constantFrom(...linkPresetNames),
    machine: fc.constantFrom(...machineNames),
    distribution: fc.constantFrom(...distributions),
    proposals: fc.uniqueArray(fc.constantFrom(...proposalNames), { maxLength: 2 }),
    slotSeconds: fc.constantFrom(undefined, 1, 6, 22),
  })
  .map(({ deadPercent, attack, sharePercent, ...choice }) => {
    const attacks = attack === undefined ? [] : [{ name: attack, share: sharePercent / 100 }];
    return { ...choice, dead: deadPercent / 100, attacks };
  });

describe('readNetworkLink', () => {
  it('decodes the output of networkLink, with the time', () => {
    fc.assert(
      fc.property(anyChoice, fc.option(fc.nat(30_000_000), { nil: undefined }), (choice, timeUs) => {
        expect(readNetworkLink(`#${networkLink(choice, timeUs)}`)).toEqual({ choice, timeUs, notices: [] });
      }),
    );
  });

  it('returns a valid slot for any input', () => {
    const names = ['system', 'n', 'network', 'dead', 'seed', 'attack', 'links', 'machine', 'distribution', 'proposal'];
    const value = fc.oneof(fc.string(), fc.constantFrom('horn', '16384', '-1', '1e9', 'late:0.9', 'cap', 'home'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names, 'slot', 't'), value)), (fields) => {
        const { choice } = readNetworkLink(new URLSearchParams(fields).toString());
        expect(() => validateNetworkScenario(networkScenario(choice))).not.toThrow();
      }),
    );
  });

  it('on a first visit and for an old link to network.html, returns Horn with its assumptions', () => {
    const { choice } = readNetworkLink('#model=network');
    expect(choice).toEqual(firstNetworkChoice);
    expect(networkScenario(choice)).toEqual(defaultNetworkScenario);
  });
});

it('networkScenario: every choice is a valid slot', () => {
  fc.assert(fc.property(anyChoice, (choice) => validateNetworkScenario(networkScenario(choice))));
});
