import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Transcript } from '../src/transcript.ts';

const ascii = (text: string) => Buffer.from(text, 'ascii');
const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const put = (bytes: Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

it('a digest and a challenge of the transcript equal those of the README', () => {
  const key = new Uint8Array(32).fill(0xbe);
  const protocol = put(ascii('tutti succinct proof of an aggregated key, v2'));
  const begun = Buffer.concat([protocol, put(ascii('key')), put(key), put(ascii('first'))]);
  const transcript = new Transcript();
  transcript.append('key', key);
  const first = sha256(begun);
  expect(Buffer.from(transcript.digest('first'))).toEqual(first);
  const next = sha256(begun, put(first), put(ascii('second')));
  const challenge = BigInt(`0x${next.subarray(0, 16).toString('hex')}`) + 1n;
  expect(transcript.challenge('second')).toBe(challenge);
});
