import { describe, expect, test } from 'vitest';
import { committeeKeys, groups, settingOf } from '../../test/proof-fixtures.ts';
import { GENERATOR_DOMAIN, hashGenerators } from './generators.ts';
import { compressed, infinities, slicePoints } from './group.ts';
import { proofSetting } from './setting.ts';

describe.each(groups)('on $name', (group) => {
  test('generators are distinct points of the subgroup, the same for any count, and others under another domain', () => {
    const { points } = hashGenerators(group, 6);
    const each = Array.from({ length: 6 }, (_, i) => slicePoints(points, i, i + 1));
    expect(new Set(each.map(String)).size).toBe(6);
    for (const point of each) expect(group.decode(compressed(point))).toEqual(point);
    expect(hashGenerators(group, 2).points).toEqual(slicePoints(points, 0, 2));
    expect(hashGenerators(group, 2, GENERATOR_DOMAIN).points).toEqual(slicePoints(points, 0, 2));
    expect(hashGenerators(group, 1, 'another').points).not.toEqual(each[0]);
  });

  test('a count that is none is refused', () => {
    for (const count of [0, -1, 1.5])
      expect(() => hashGenerators(group, count)).toThrow(`count: expected an integer of 1 or more, got ${count}`);
  });

  test('a setting has as many generators as keys, however many were hashed', () => {
    const keys = committeeKeys(3);
    const setting = proofSetting(group, keys, hashGenerators(group, 5));
    expect(setting).toMatchObject({ keyCount: 3, rounds: 2 });
    expect(setting).toEqual(proofSetting(group, keys, hashGenerators(group, 3)));
  });

  test('no keys, invalid ones, infinity, and too few generators are refused', () => {
    const generators = hashGenerators(group, 2);
    const [key] = committeeKeys(1) as [Uint8Array];
    expect(() => proofSetting(group, [], generators)).toThrow('publicKeys: expected at least one item');
    for (const bad of [new Uint8Array(48), compressed(infinities(1)), key.subarray(1)])
      expect(() => proofSetting(group, [key, bad], generators)).toThrow(
        'publicKeys[1]: expected a valid public key, got none',
      );
    expect(() => proofSetting(group, committeeKeys(3), generators)).toThrow('generators: expected 3 or more');
  });

  test('both libraries make the same setting', () => {
    const { keys, generators, digest } = settingOf(group, 3);
    expect(settingOf(groups[0]!, 3)).toMatchObject({ keys, generators, digest });
  });
});
