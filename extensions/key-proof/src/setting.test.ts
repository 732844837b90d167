import { compressed, infinities, slicePoints } from '@tutti/wasm-bls/kernel';
import { describe, expect, test } from 'vitest';
import { committeeKeys, groups } from '../tests/fixtures.ts';
import { generatorDomain, hashGenerators } from './generators.ts';
import { proofSetting } from './setting.ts';

describe.each(groups)('on $name', (group) => {
  test('generators are distinct points of the subgroup, the same for any count, and different in another domain', () => {
    const { points, inverses, product, count } = hashGenerators(group, 6);
    expect(count).toBe(8);
    const each = [points, inverses].flatMap((all) => Array.from({ length: 8 }, (_, i) => slicePoints(all, i, i + 1)));
    expect(new Set([...each, product].map(String)).size).toBe(17);
    for (const point of [...each, product]) expect(group.decode(compressed(point))).toEqual(point);
    const two = { count: 2, points: slicePoints(points, 0, 2), inverses: slicePoints(inverses, 0, 2), product };
    expect(hashGenerators(group, 2)).toMatchObject(two);
    expect(hashGenerators(group, 2, generatorDomain)).toMatchObject(two);
    const other = hashGenerators(group, 1, 'another');
    expect([other.points, other.inverses, other.product].map(String)).not.toContain(String(each[0]));
  });

  test('refuses an invalid count', () => {
    for (const count of [0, -1, 1.5])
      expect(() => hashGenerators(group, count)).toThrow(`keys: expected an integer of 1 or more, got ${count}`);
  });

  test('a setting has the same digest for any number of hashed generators', () => {
    const keys = committeeKeys(3);
    const [many, few] = [5, 3].map((count) => proofSetting(group, keys, hashGenerators(group, count)));
    expect(many).toMatchObject({ keyCount: 3, keys: few!.keys, digest: few!.digest });
  });

  test('refuses missing or invalid keys, infinity, and too few generators', () => {
    const generators = hashGenerators(group, 2);
    const [key] = committeeKeys(1) as [Uint8Array];
    expect(() => proofSetting(group, [], generators)).toThrow('publicKeys: expected at least one item');
    for (const bad of [new Uint8Array(48), compressed(infinities(1)), key.subarray(1)])
      expect(() => proofSetting(group, [key, bad], generators)).toThrow(
        'publicKeys[1]: expected a valid public key, got an invalid one',
      );
    expect(() => proofSetting(group, committeeKeys(3), generators)).toThrow('generators: expected 3 or more');
    expect(() => proofSetting(group, [key], {} as typeof generators)).toThrow('generators: expected 1 or more');
  });
});
