import { describe, expect, it } from 'vitest';
import { readProfile } from './profile.ts';
import { leanProfileNames, leanProfiles } from './profiles.ts';

describe('readProfile', () => {
  it.each(leanProfileNames)('accepts %s from a file', (name) => {
    expect(readProfile(JSON.parse(JSON.stringify(leanProfiles[name])))).toEqual(leanProfiles[name]);
  });

  const good = leanProfiles['lean-2026-09']!;
  it.each([
    [[], 'profile: expected an object, got an array of 0'],
    [{ ...good, subnet: 4 }, /^profile: expected no fields but name, .*, got "subnet" \(Did you mean subnets\?\)$/],
    [{ ...good, cores: 0 }, 'cores: expected an integer from 1 to 1024, got 0'],
    [
      { ...good, prover: { ...good.prover, floorMs: '300' } },
      'prover.floorMs: expected a number from 0 to 1000000, got "300"',
    ],
    // The number of intervals of a slot, and its length, determine the size of lists.
    [
      { ...good, times: { ...good.times, slotMs: 1e308 } },
      'times.slotMs: expected a number from 1 to 1000000, got 1e+308',
    ],
    [
      { ...good, times: { ...good.times, intervalMs: 5e-324 } },
      'times.intervalMs: expected a number from 1 to 1000000, got 5e-324',
    ],
    [{ ...good, subnets: 9, validators: 8 }, 'subnets: expected at most validators, 8, got 9'],
    [
      { ...good, times: { ...good.times, knownMs: 100 } },
      'times.knownMs: expected at least times.safeTargetMs, 2400, got 100',
    ],
    [{ ...good, block: undefined }, 'block: expected an object with fixedMs, perMessageMs, got undefined'],
  ])('refuses %j in one line', (value, message) => {
    expect(() => readProfile(value)).toThrow(message);
  });
});
