import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/digests.ts';
import { decodeRecording } from './recordingFile.ts';

it('refuses a header of over 2^16 bytes or longer than the file', () => {
  const lengths = [0, 2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1, 2 ** 17, 2 ** 17 + 1];
  const pins = lengths.flatMap((length) =>
    [2 ** 16, 2 ** 18].map((room) => {
      const file = new Uint8Array(16 + room).fill(0x20);
      file.set([...'TUTTIREC'].map((letter) => letter.charCodeAt(0)));
      new DataView(file.buffer).setUint32(8, 2, true);
      new DataView(file.buffer).setUint32(12, length, true);
      return refusedBy(() => decodeRecording(file));
    }),
  );
  expect(pins).toEqual([...Array(6).fill('header'), ...Array(6).fill('recording')]);
});
