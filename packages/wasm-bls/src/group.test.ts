import { describe, expect, test } from 'vitest';
import { compressedX, groupOrder, negated, outsideG1X } from '../test/fixtures.ts';
import { joinBytes } from './arguments.ts';
import { compressed, infinities, slicePoints } from './group.ts';
import { loadBls } from './index.ts';
import { insecureSecretKey } from './insecureKeys.ts';
import { loadG1 } from './kernel.ts';
import { nobleG1 } from './nobleKernel.ts';

const bls = await loadBls();
const groups = [await loadG1(), await loadG1({ engine: 'noble' })];
const keys = Array.from({ length: 9 }, (_, i) => bls.publicKey(insecureSecretKey(bls, 1, i)));
const infinity = infinities(1);

describe.each(groups)('$name', (group) => {
  const points = joinBytes(keys.map((key) => group.decode(key)!));
  const point = (i: number): Uint8Array => slicePoints(points, i, i + 1);
  const minus = (of: Uint8Array): Uint8Array => group.decode(negated(compressed(of)))!;

  test('decodes the same as bls, and compresses to the input', () => {
    for (const [i, key] of keys.entries()) {
      expect(bls.decodePublicKey(key)).toEqual({ ok: true, point: point(i) });
      expect(compressed(point(i))).toEqual(key);
      expect(compressed(minus(point(i)))).toEqual(negated(key));
    }
    expect(group.decode(compressed(infinity))).toEqual(infinity);
  });

  test('refuses bytes that encode no point of the subgroup', () => {
    const outside = compressedX(48, outsideG1X);
    for (const bytes of [new Uint8Array(), new Uint8Array(48), keys[0]!.subarray(1), outside, point(0)])
      expect(group.decode(bytes)).toBeUndefined();
  });

  test('combine adds each point as often as its scalar', () => {
    const scalars = [0n, 1n, 2n, 15n, 5n, 0n, 1n, 255n, 256n];
    const repeated = keys.flatMap((key, i) => new Array<Uint8Array>(Number(scalars[i])).fill(key));
    expect(compressed(group.combine(points, scalars))).toEqual(bls.aggregatePublicKeys(repeated));
  });

  test('combine accepts scalars modulo r, equal points, inverse ones, infinity, and none', () => {
    const two = joinBytes([point(0), point(1)]);
    expect(group.combine(two, [groupOrder - 1n, 0n])).toEqual(minus(point(0)));
    expect(group.combine(joinBytes([point(0), minus(point(0)), point(1)]), [7n, 7n, 1n])).toEqual(point(1));
    expect(group.combine(joinBytes([point(0), point(0)]), [1n, groupOrder - 1n])).toEqual(infinity);
    expect(group.combine(joinBytes([infinity, point(2), infinity]), [5n, 1n, groupOrder - 1n])).toEqual(point(2));
    expect(group.combine(two, [0n, 0n])).toEqual(infinity);
    expect(group.combine(infinity, [3n])).toEqual(infinity);
    expect(group.combine(new Uint8Array(), [])).toEqual(infinity);
  });

  test('fold adds the multiplied upper half to the lower one', () => {
    const scalar = 2n ** 128n;
    const folded = group.fold(slicePoints(points, 0, 8), scalar);
    expect(folded).toHaveLength(4 * 96);
    for (let i = 0; i < 4; i++)
      expect(slicePoints(folded, i, i + 1)).toEqual(group.combine(joinBytes([point(i), point(i + 4)]), [1n, scalar]));
  });

  test('fold accepts infinity on either side, equal points and inverse ones', () => {
    const low = [point(0), infinity, infinity, point(1), point(1)];
    const high = [infinity, point(0), infinity, point(1), minus(point(1))];
    const sums = low.map((of, i) => group.combine(joinBytes([of, high[i]!]), [1n, 1n]));
    expect(group.fold(joinBytes([...low, ...high]), 1n)).toEqual(joinBytes(sums));
  });

  test('hashes to the same points as the others', () => {
    const message = Uint8Array.of(1, 2, 3);
    const [one, another] = [Uint8Array.of(1), Uint8Array.of(0xc3, 0xa4)];
    for (const domain of [one, another]) {
      const hashed = group.hash(message, domain);
      expect(hashed).toEqual(nobleG1.hash(message, domain));
      expect(group.decode(compressed(hashed))).toEqual(hashed);
    }
    expect(group.hash(message, another)).not.toEqual(group.hash(message, one));
    for (const domain of ['d', new Uint8Array(), new Uint8Array(256)])
      expect(() => group.hash(message, domain as Uint8Array)).toThrow(/^domain: expected/);
  });
});
