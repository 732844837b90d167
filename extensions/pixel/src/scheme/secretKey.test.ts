import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSecretKey, type SecretKeyParts, secretKeyBytes } from './secretKey.ts';
import { heldPaths, lastTime, pathTime, timeTreeDepth } from './timeTree.ts';

/** Returns the bytes of a secret key for a time, with invalid points. */
function keyAt(time: number): Uint8Array {
  const subkeys = heldPaths(time).map((path, i) => ({
    time: pathTime(path),
    path,
    points: new Uint8Array(144 + 96 * (timeTreeDepth - path.length)).fill(i + 1),
  }));
  return secretKeyBytes(0, new Uint8Array(64).fill(0xaa), subkeys);
}

describe('a secret key', () => {
  test("has the paper's quadratic size: 3287 bytes at first, at most 52,546", () => {
    expect(keyAt(1)).toHaveLength(3287);
    expect(keyAt(32)).toHaveLength(52_546);
    expect(keyAt(lastTime)).toHaveLength(66 + 149 + 96);
    fc.assert(fc.property(fc.integer({ min: 1, max: lastTime }), (time) => keyAt(time).length <= 52_546));
  });

  test('decodes to the encoded key', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: lastTime }), (time) => {
        const bytes = keyAt(time);
        const parts = readSecretKey(bytes, 0) as SecretKeyParts;
        expect(parts.time).toBe(time);
        expect(Buffer.compare(secretKeyBytes(0, parts.state, parts.subkeys), bytes)).toBe(0);
      }),
    );
  });

  test('is refused by code with another length, suite, time or set of sub-keys', () => {
    const bytes = keyAt(5);
    const changed = (at: number, value: number): Uint8Array => Uint8Array.from(bytes, (b, i) => (i === at ? value : b));
    for (let length = 0; length < bytes.length; length += 97)
      expect(readSecretKey(bytes.subarray(0, length), 0)).toBe('length');
    expect(readSecretKey(Uint8Array.from([...bytes, 0]), 0)).toBe('length');
    expect(readSecretKey(bytes, 1)).toBe('wrong-suite');
    // The length of a key's header plus a sub-key's header, which suffices to read the suite.
    expect(readSecretKey(bytes.subarray(0, 71), 1)).toBe('wrong-suite');
    expect(readSecretKey(bytes.subarray(0, 70), 1)).toBe('length');
    expect(readSecretKey(changed(69, 0), 0)).toBe('time-out-of-range');
    expect(readSecretKey(changed(1, 4), 0)).toBe('sub-keys');
    expect(readSecretKey(changed(69, 6), 0)).toBe('sub-keys');
    expect(readSecretKey(changed(70, 27), 0)).toBe('sub-keys');
    // The second sub-key's time is changed.
    expect(readSecretKey(changed(66 + 149 + 96 * 28 + 3, 7), 0)).toBe('sub-keys');
  });
});
