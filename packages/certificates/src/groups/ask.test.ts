import { toHex } from '@tutti/core/input';
import { MemoryNetwork, networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, runInVirtualTime, until, worldOf } from '../../test/certifyingWorld.ts';
import { memorySignedLog, type SignedLog } from '../log/signedLog.ts';
import { maxEntries } from '../registry/verifyRegistry.ts';
import { decodeCertificate, encodeCertificate, membersOf, messageHash } from '../verification/certificate.ts';
import { Announcer } from './announcer.ts';
import {
  announced,
  announcementHeaderBytes,
  decodeAnnouncement,
  encodeAnnouncement,
  readAnnounced,
  requireHeight,
  roundHash,
  roundName,
  roundNumber,
  signAsk,
  verifyAsk,
} from './ask.ts';
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

it('an announcement carries the certificate of a registry of the maximum size, with a height', async () => {
  const keys = [1, 2].map((seed) => networkKey(nodeCrypto, new Uint8Array(32).fill(seed)));
  const networkKeys = new Array<Uint8Array>(maxEntries).fill(keys[0]!.publicKey).with(1, keys[1]!.publicKey);
  const network = new MemoryNetwork();
  const transports = keys.map(() => network.open());
  const heard: Uint8Array[] = [];
  const [sender] = keys.map(({ secret: networkSecret }, index) => {
    const [session, endpoints] = [new Uint8Array(32), transports.map(({ local }) => local)];
    const own = { index, networkSecret, transport: transports[index]! };
    const onAnnounced = (_from: number, _kind: number, bytes: Uint8Array) => void heard.push(bytes);
    return new Announcer({ crypto: nodeCrypto, session, networkKeys, endpoints, onAnnounced, ...own });
  });
  const [bits, signature] = [new Uint8Array(maxEntries / 8), new Uint8Array(96)];
  const certificate = encodeCertificate({
    ...{ registry: subject.digest, message: subject.message, epoch: 0n, size: maxEntries, bits, signature },
  });
  const [kind, bytes] = announced('certificate', 9n, certificate);
  sender!.announce(1, kind, bytes);
  await until(() => heard.length === 1);
  expect(heard[0]).toEqual(bytes);
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
    for (const { height } of all) expect(verifyAsk(publicKey, subject, { ...one, height })).toBe(height === one.height);
  expect(decodeAnnouncement(encodeAnnouncement({ ...announcement, ask: all[2]! }), 4, 9n)?.ask).toEqual(all[2]);
});

it('a finished request remains finished after any number of other requests, and requests of one member do not displace requests of other members', () => {
  const finished = new FinishedAsks(4);
  finished.add({ origin: 1, sequence: 10 });
  for (let sequence = 0; sequence < 100; sequence += 2) finished.add({ origin: 2, sequence });
  expect(finished.has({ origin: 1, sequence: 10 })).toBe(true);
  expect(finished.has({ origin: 1, sequence: 9 })).toBe(false);
  for (let sequence = 0; sequence < 100; sequence += 2) expect(finished.has({ origin: 2, sequence })).toBe(true);
  // The four requests with numbers 92 to 98 are stored. All requests with smaller numbers count as finished.
  expect([89, 91, 93, 95].filter((sequence) => finished.has({ origin: 2, sequence }))).toEqual([89]);
});

runInVirtualTime();

const [a, b] = [bytesOf('a'), bytesOf('b')];
const heights = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined });
const signersOf = ({ certificate }: { readonly certificate: Uint8Array }) =>
  membersOf(decodeCertificate(certificate)!.bits);
const codeOf = (asked: Promise<unknown>) => asked.then(() => 'certified').catch(({ code }) => code);
/** Duration after which every member has announced to all others several times, ms. */
const longMs = 20_000;
const passed = (ms: number) => {
  const endMs = performance.now() + ms;
  return until(() => performance.now() >= endMs);
};

describe('a round of a height', () => {
  it('sends its height with the message and the certificate, and no other message decodes with a height', () => {
    fc.assert(
      fc.property(fc.constantFrom('message', 'certificate'), heights, fc.uint8Array(), (what, height, bytes) => {
        expect(readAnnounced(...announced(what, height, bytes))).toEqual({ what, height, bytes });
      }),
    );
    for (const kind of [0, 5, 255]) expect(readAnnounced(kind, new Uint8Array(9))).toBeUndefined();
    for (const kind of [3, 4]) expect(readAnnounced(kind, new Uint8Array(7))).toBeUndefined();
  });

  it('has a name, a hash and a number that differ from those of other heights', () => {
    const hash = messageHash(a);
    const of = (height: bigint | undefined) => [
      roundName(toHex(hash), height),
      toHex(roundHash(hash, height)),
      roundNumber(hash, height),
    ];
    const all = [undefined, 0n, 1n, 2n ** 64n - 1n].map(of);
    for (const index of [0, 1, 2]) expect(new Set(all.map((one) => one[index])).size).toBe(4);
    expect(of(undefined).slice(0, 2)).toEqual([toHex(hash), toHex(hash)]);
  });

  it('accepts heights of 64 bits', () => {
    for (const height of [undefined, 0n, 2n ** 64n - 1n]) expect(requireHeight(height)).toBeUndefined();
    for (const height of [-1n, 2n ** 64n, 7, '7', null])
      expect(() => requireHeight(height)).toThrow(/^height: expected /);
  });
});

describe('a named height', () => {
  it('each signer records the height, and no signer signs another message for this height', async () => {
    const members = await worldOf(4).all();
    const certified = await members[0]!.certify(a, { height: 9n });
    expect([certified.height, members[0]!.certificate(certified.name)?.height]).toEqual([9n, 9n]);
    await until(() => signersOf(members[0]!.certificate(certified.name)!).length === 4);
    for (const member of members) expect(await codeOf(member.certify(b, { height: 9n }))).toBe('already-signed');
    expect((await members[1]!.certify(b, { height: 10n })).height).toBe(10n);
    expect(await members[2]!.certify(a, { height: 9n })).toMatchObject({ name: certified.name, height: 9n });
  });

  it('is the height that the waiting member chose, not the height that another member sends', async () => {
    const members = await worldOf(4, { of: () => ({ approve: () => false }) }).all();
    const liar = members[3]!.certify(a, { height: 10n });
    const asked = [0, 1, 2].map((index) => members[index]!.certify(a, { height: 9n }));
    for (const certified of await Promise.all(asked)) expect(signersOf(certified)).toEqual([0, 1, 2]);
    for (const index of [0, 1, 2])
      expect(await codeOf(members[index]!.certify(b, { height: 9n }))).toBe('already-signed');
    expect(await Promise.race([codeOf(liar), passed(longMs).then(() => 'waits')])).toBe('waits');
  });

  it('a height that only one member names does not protect the other members, which run a different round', async () => {
    const members = await worldOf(4, { of: () => ({ approve: () => false }) }).all();
    const asked = members.map((member, index) => member.certify(a, index < 2 ? { height: 9n } : {}));
    for (const one of asked) one.catch(() => {});
    await passed(longMs);
    expect(members.map(({ counts }) => counts)).toEqual(members.map(() => ({ open: 1, waiting: 0, stored: 0 })));
  });

  it('is the height in the message if the members read it there', async () => {
    const heightOf = (bytes: Uint8Array) => BigInt(bytes[0]!);
    const [reader, other] = await worldOf(2, { of: (index) => (index === 0 ? { heightOf } : {}) }).all();
    const nine = Uint8Array.of(9, 1);
    expect(() => reader!.certify(nine, { height: 8n })).toThrow('height: expected 9, which the message has, got 8');
    other!.certify(nine, { height: 8n }).catch(() => {});
    await until(() => (reader!.totals().refused['forbidden-message'] ?? 0) > 0);
    expect(reader!.counts.open).toBe(0);
    expect(() => reader!.certify(a, { height: 2n ** 64n })).toThrow('height: expected a bigint from 0 to 2^64 - 1');
  });

  it('is stored with a certificate over a restart, and the certificate is returned while the log contains its message', async () => {
    const first = await worldOf(1).join(0);
    const stored = [await first.certify(a, { height: 9n })];
    await first.close();
    const signedLog = memorySignedLog();
    const again = await worldOf(1, { of: () => ({ stored, signedLog }) }).join(0);
    expect(again.certificate(stored[0]!.name)).toMatchObject({ height: 9n });
    signedLog.record({ message: messageHash(b), height: 9n });
    expect(await codeOf(again.certify(a, { height: 9n }))).toBe('already-signed');
    expect(await codeOf(again.certify(a))).toBe('certified');
    await again.close();
    const outOfRange = [-1n, 2n ** 64n].map((height) => ({ ...stored[0]!, height }));
    expect((await worldOf(1, { of: () => ({ stored: outOfRange }) }).join(0)).counts.stored).toBe(0);
  });
});

/** Creates a log that fails as if the disk were full while `isFull` is set. */
function fullDisk(): SignedLog & { isFull: boolean; readonly recorded: string[] } {
  const recorded: string[] = [];
  return {
    isFull: true,
    recorded,
    record({ message }) {
      if (this.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      recorded.push(toHex(message));
    },
    close() {},
  };
}

describe('a signed log that cannot be written', () => {
  it('the member refuses its own requests with a code, counts requests from other members, and signs both once the log is writable', async () => {
    const log = fullDisk();
    // Without the first member, the remaining members are not a quorum.
    const members = await worldOf(3, { of: (index) => (index === 0 ? { signedLog: log } : {}) }).all();
    await expect(members[0]!.certify(a)).rejects.toMatchObject({
      code: 'signed-log-failed',
      message: 'signed log: cannot be written (ENOSPC); nothing is signed',
    });
    const asked = members[1]!.certify(b);
    await until(() => (members[0]!.totals().refused['signed-log-failed'] ?? 0) > 2);
    expect([members[0]!.counts.open, log.recorded]).toEqual([0, []]);
    log.isFull = false;
    expect(signersOf(await asked)).toContain(0);
    expect(signersOf(await members[0]!.certify(a))).toContain(0);
    expect(log.recorded.toSorted()).toEqual([a, b].map((one) => toHex(messageHash(one))).toSorted());
  });
});
