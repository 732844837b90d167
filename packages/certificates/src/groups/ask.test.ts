import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/raw';
import { expect, it } from 'vitest';
import { announcementHeaderBytes, decodeAnnouncement, encodeAnnouncement, signAsk, verifyAsk } from './ask.ts';
import { FinishedAsks } from './requests.ts';

const secret = new Uint8Array(32).fill(7);
const { publicKey } = networkKey(nodeCrypto, secret);
const subject = { digest: new Uint8Array(32).fill(1), message: new Uint8Array(32).fill(2) };
const ask = signAsk(nodeCrypto, secret, subject, { origin: 3, sequence: 1_800_000_000_000 });
const announcement = { turn: 9, ask, bytes: Uint8Array.of(1, 2, 3) };

it('an announcement decodes to the encoded one in a group that has its origin', () => {
  const encoded = encodeAnnouncement(announcement);
  expect(decodeAnnouncement(encoded, 4)).toEqual(announcement);
  expect(decodeAnnouncement(encoded, 3)).toBeUndefined();
  expect(decodeAnnouncement(encoded.subarray(0, announcementHeaderBytes), 4)?.bytes).toHaveLength(0);
  for (let length = 0; length < announcementHeaderBytes; length++)
    expect(decodeAnnouncement(encoded.subarray(0, length), 4)).toBeUndefined();
});

it('the signature of a request binds registry, message, origin and number', () => {
  expect(verifyAsk(publicKey, subject, ask)).toBe(true);
  const other = new Uint8Array(32).fill(3);
  expect(verifyAsk(publicKey, { ...subject, digest: other }, ask)).toBe(false);
  expect(verifyAsk(publicKey, { ...subject, message: other }, ask)).toBe(false);
  expect(verifyAsk(publicKey, subject, { ...ask, origin: 4 })).toBe(false);
  expect(verifyAsk(publicKey, subject, { ...ask, sequence: ask.sequence + 1 })).toBe(false);
  expect(verifyAsk(networkKey(nodeCrypto, other).publicKey, subject, ask)).toBe(false);
});

it('the signature of a request binds the named height, or the absence of one', () => {
  const all = [undefined, 0n, 9n].map((height) => signAsk(nodeCrypto, secret, subject, { ...ask, height }));
  for (const one of all)
    for (const { height } of all) {
      const isSame = height === one.height;
      expect(verifyAsk(publicKey, subject, { ...one, height })).toBe(isSame);
    }
  expect(decodeAnnouncement(encodeAnnouncement({ ...announcement, ask: all[2]! }), 4, 9n)?.ask).toEqual(all[2]);
});

it('a finished request remains finished after any number of others, and requests of one member do not displace those of others', () => {
  const finished = new FinishedAsks(4);
  finished.add({ origin: 1, sequence: 10 });
  for (let sequence = 0; sequence < 100; sequence += 2) finished.add({ origin: 2, sequence });
  expect(finished.has({ origin: 1, sequence: 10 })).toBe(true);
  expect(finished.has({ origin: 1, sequence: 9 })).toBe(false);
  for (let sequence = 0; sequence < 100; sequence += 2) expect(finished.has({ origin: 2, sequence })).toBe(true);
  // Four requests are stored, 92 to 98. All requests with smaller numbers count as finished.
  expect([89, 91, 93, 95].map((sequence) => finished.has({ origin: 2, sequence }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
