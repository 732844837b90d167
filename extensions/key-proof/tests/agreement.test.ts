import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Transcript } from '../src/transcript.ts';

/**
 * Values on which all versions must agree, computed here from the README only. If these values change, the protocol has
 * changed and needs another name.
 */
const vectors = {
  digest: 'c7757ac916a29aee1b0ff8b1610a9ae07422bb0cb4a05db0ffbf769b9873e83b',
  challenge: '59da6b0adcb40bc900a1cfc2ce7a28fe',
};

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
  expect(first.toString('hex')).toBe(vectors.digest);
  expect(Buffer.from(transcript.digest('first')).toString('hex')).toBe(vectors.digest);
  const next = sha256(begun, put(first), put(ascii('second')));
  const challenge = BigInt(`0x${next.subarray(0, 16).toString('hex')}`) + 1n;
  expect(challenge.toString(16)).toBe(vectors.challenge);
  expect(transcript.challenge('second').toString(16)).toBe(vectors.challenge);
});
