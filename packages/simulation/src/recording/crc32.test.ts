import { expect, it } from 'vitest';
import { crc32 } from './crc32.ts';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['', 0],
  ['a', 0xe8b7be43],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('equals the standard value for %j', (text, crc) => {
  expect(crc32(ascii(text))).toBe(crc);
});
