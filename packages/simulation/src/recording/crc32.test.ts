import { expect, it } from 'vitest';
import { crc32 } from './recordingFile.ts';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['', 0],
  ['a', 0xe8b7be43],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('equals the standard value for %j', (text, crc) => {
  expect(crc32(ascii(text))).toBe(crc);
});

it('changes with any one bit', () => {
  const bytes = ascii('Tutti');
  const before = crc32(bytes);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const changed = bytes.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(crc32(changed)).not.toBe(before);
  }
});
