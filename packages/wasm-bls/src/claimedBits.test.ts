import { expect, test } from 'vitest';
import { claimedBits } from './claimedBits.ts';

test('bits within the registry are unchanged', () => {
  for (const bits of [Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(0xff), Uint8Array.of(0xff, 0x1f)])
    expect(claimedBits(bits, 0, 13)).toEqual(bits);
  expect(claimedBits(Uint8Array.of(0x1f), 8, 13)).toEqual(Uint8Array.of(0x1f));
});

test('zeros beyond the registry are removed', () => {
  expect(claimedBits(new Uint8Array(1000), 0, 13)).toEqual(new Uint8Array(2));
  expect(claimedBits(new Uint8Array(3), 13, 13)).toEqual(new Uint8Array());
  expect(claimedBits(new Uint8Array(3), 2 ** 40, 13)).toEqual(new Uint8Array());
});

test('refuses a bit beyond the registry, from the first on', () => {
  expect(claimedBits(Uint8Array.of(0, 0x20), 0, 13)).toBeUndefined();
  expect(claimedBits(Uint8Array.of(0x20), 8, 13)).toBeUndefined();
  expect(claimedBits(Uint8Array.of(0, 1), 0, 8)).toBeUndefined();
  expect(claimedBits(Uint8Array.of(0, 0, 1), 0, 13)).toBeUndefined();
  expect(claimedBits(Uint8Array.of(1), 13, 13)).toBeUndefined();
});
