import { writeUint } from '@tutti/core/input';
import { insecureSeed } from '@tutti/wasm-bls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import {
  type Answer,
  Channel,
  type ChannelOptions,
  channelOverheadBytes,
  isBoundToIncarnation,
  maxIncarnations,
  sessionId,
} from './channel.ts';
import { networkKey } from './networkKey.ts';

const keys = Array.from({ length: 4 }, (_, i) => networkKey(nodeCrypto, insecureSeed('network', 1, i + 1)));
const publicKeys = keys.map((key) => key.publicKey);
const session = new Uint8Array(32).fill(9);

function channel(self: number, options: Partial<ChannelOptions> = {}): Channel {
  const { secret } = keys[self]!;
  return new Channel({ crypto: nodeCrypto, session, self, secret, publicKeys, ...options });
}

const payload = Uint8Array.of(1, 2, 3, 4, 5);

/** Returns a suite whose random bytes repeat, as those of a copied machine do. */
const frozen = (crypto: CryptoSuite): CryptoSuite => ({ ...crypto, randomBytes: (n) => new Uint8Array(n).fill(7) });

const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, at) => byte ^ b[at]!);

const altered = (packet: Uint8Array, offset: number, mask = 1) => packet.with(offset, packet[offset]! ^ mask);

describe('an authenticated channel (v1.03 section 2.3)', () => {
  it('accepts and returns plain byte arrays, whose slice is a copy', () => {
    const packet = channel(0).seal(1, payload);
    const opened = channel(1).open(Buffer.from(packet));
    for (const bytes of [packet, opened.ok ? opened.payload : Buffer.of(0)]) {
      const copy = bytes.slice();
      copy[0]! ^= 0xff;
      expect(bytes[0]).not.toBe(copy[0]);
    }
  });

  it('seals and opens every length from 0 to its limit', () => {
    const [a, b] = [channel(0, { maxPacketBytes: 100 }), channel(1, { maxPacketBytes: 100 })];
    expect(a.maxPayloadBytes).toBe(100 - channelOverheadBytes);
    for (let length = 0; length <= a.maxPayloadBytes; length++) {
      const packet = a.seal(1, new Uint8Array(length).fill(length));
      expect(packet.length).toBe(length + channelOverheadBytes);
      const opened = b.open(packet);
      expect(opened.ok && opened.payload.length).toBe(length);
    }
  });
});

describe('a refusal returns a code and changes no state', () => {
  const sealed = () => channel(0).seal(1, payload);
  const expectForged = (to: Channel, packet: Uint8Array) =>
    expect(to.open(packet)).toEqual({ ok: false, code: 'forged' });

  it.each([
    ['too-short', () => sealed().slice(0, channelOverheadBytes - 1)],
    ['too-short', () => new Uint8Array(0)],
    ['too-long', () => new Uint8Array(1201)],
    ['wrong-version', () => altered(sealed(), 0)],
    ['wrong-session', () => altered(sealed(), 4)],
    ['unknown-sender', () => altered(sealed(), 5, 0x80)],
    ['unknown-sender', () => altered(sealed(), 7, 1)],
    ['misaddressed', () => channel(0).seal(2, payload)],
    ['forged', () => altered(sealed(), 7, 2)],
    // The transports' tests change each byte in turn.
    ['forged', () => sealed().slice(0, -1)],
    ['forged', () => Buffer.concat([sealed(), Buffer.of(0)])],
  ])('%s', (code, make) => {
    const b = channel(1);
    expect(b.open(make())).toEqual({ ok: false, code });
    expect(b.open(sealed()).ok).toBe(true);
  });

  it('forged: a packet of a session that differs in one of the 28 bytes that the header omits', () => {
    for (let at = 4; at < 32; at++)
      expectForged(channel(1), channel(0, { session: altered(session, at) }).seal(1, payload));
  });

  it('forged packets with high counters do not move the replay window', () => {
    const b = channel(1);
    const forged = Buffer.from(channel(0).seal(1, payload));
    forged.writeUIntBE(2 ** 32 - 1, 23, 4);
    expectForged(b, forged);
    expect(b.open(channel(0).seal(1, payload)).ok).toBe(true);
  });

  it('forged: any packet from a key of low order; sealing to such a key fails', () => {
    const a = channel(0, { publicKeys: [publicKeys[0]!, new Uint8Array(32)] });
    expectForged(a, channel(1).seal(0, payload));
    expect(() => a.seal(1, payload)).toThrow(RangeError);
  });
});

/** Returns the sealed bytes of a packet, without header and tag. */
const sealedBytes = (packet: Uint8Array) => packet.slice(channelOverheadBytes - 16, -16);

/** Returns whether two packets have the same key stream, which reveals the difference of their plaintexts. */
function shareKeyStream(one: Uint8Array, other: Uint8Array, texts: readonly [Uint8Array, Uint8Array]): boolean {
  return Buffer.from(xor(sealedBytes(one), sealedBytes(other))).equals(xor(...texts));
}

describe('no pair of key and nonce occurs twice', () => {
  const texts = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)] as const;

  it.each([nodeCrypto, nobleCrypto])('$name: a node restarts while the clock does not advance', (crypto) => {
    vi.useFakeTimers({ now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const [before, after] = texts.map((text) => channel(0, { crypto }).seal(1, text)) as [Uint8Array, Uint8Array];
    expect(shareKeyStream(before, after, texts)).toBe(false);
  });

  it.each([nodeCrypto, nobleCrypto])('$name: two copies of one machine with the same random state', (crypto) => {
    const copies = texts.map(() => channel(0, { crypto: frozen(crypto) }));
    const [one, other] = copies.map((copy, i) => copy.seal(1, texts[i]!)) as [Uint8Array, Uint8Array];
    expect(shareKeyStream(one, other, texts)).toBe(false);
    expect(Buffer.from(one.subarray(27, 35))).not.toEqual(Buffer.from(other.subarray(27, 35)));
    // An identical packet reveals nothing new.
    expect(copies[0]!.seal(2, texts[0])).toEqual(copies[1]!.seal(2, texts[0]));
  });

  it('a node removes its keys and derives them again', () => {
    const a = channel(0);
    const one = a.seal(1, texts[0]);
    a.forgetKeys();
    const other = a.seal(1, texts[1]);
    expect(shareKeyStream(one, other, texts)).toBe(false);
    expect(Buffer.from(other).readUInt32BE(23)).toBe(1);
  });
});

describe('incarnations of a node in one session', () => {
  /** Creates two channels that have received packets from each other, and a later incarnation of the second one. */
  function acquainted() {
    const [a, b, later] = [channel(0), channel(1), channel(1)];
    const first = a.seal(1, payload);
    expect(b.open(first).ok).toBe(true);
    expect(a.open(b.seal(0, payload)).ok).toBe(true);
    return { a, b, later, first };
  }

  it('a later incarnation refuses every replay of a packet that was sealed after the first received packet', () => {
    const { a, later } = acquainted();
    const recorded = a.seal(1, payload);
    for (const _ of [1, 2]) expect(later.open(recorded)).toMatchObject({ ok: false, code: 'stale-incarnation' });
  });

  it('a later incarnation opens a replayed packet once if it was sealed before the first received packet', () => {
    const { first, later } = acquainted();
    expect(isBoundToIncarnation(first)).toBe(false);
    expect(later.open(first).ok).toBe(true);
    expect(later.open(first)).toEqual({ ok: false, code: 'replayed' });
  });

  it('an incarnation of all zero bytes differs from no incarnation', () => {
    const crypto: CryptoSuite = { ...nodeCrypto, randomBytes: (length) => new Uint8Array(length) };
    const [a, b] = [channel(0), channel(1, { crypto })];
    expect(a.open(b.seal(0, payload)).ok).toBe(true);
    const packet = a.seal(1, payload);
    expect(isBoundToIncarnation(packet)).toBe(true);
    expect(b.open(packet)).toEqual({ ok: true, from: 0, payload });
  });

  it('a packet that names a new incarnation is accepted at once, and the replies address this incarnation', () => {
    const { a, later } = acquainted();
    expect(a.open(later.seal(0, payload))).toEqual({ ok: true, from: 1, payload });
    const packet = a.seal(1, payload);
    expect(isBoundToIncarnation(packet)).toBe(true);
    expect(later.open(packet)).toEqual({ ok: true, from: 0, payload });
  });

  it('a new incarnation answers a packet for an earlier incarnation with its name, in at most as many bytes', () => {
    const { a, later } = acquainted();
    const belated = a.seal(1, new Uint8Array(0));
    const { answer } = later.open(belated) as { answer: Answer };
    expect(answer.to).toBe(0);
    expect(answer.packet.length).toBeLessThanOrEqual(belated.length);
    expect(a.open(answer.packet)).toEqual({ ok: true, from: 1, payload: new Uint8Array(0) });
    expect(later.open(a.seal(1, payload))).toEqual({ ok: true, from: 0, payload });
  });

  it('replayed packets for an earlier incarnation get few answers, and a peer that sends a new packet gets another one', () => {
    const { a, later, first } = acquainted();
    const belated = a.seal(1, payload);
    const answers = () => Array.from({ length: 100 }, () => later.open(belated)).filter((opened) => 'answer' in opened);
    // The channel answers the first, second and fourth packet, and twelve later ones (every eighth).
    expect(answers()).toHaveLength(15);
    // A packet sealed before its sender knew the receiver's incarnation may be a recording. Such a packet does not
    // reset the number of answers: as before, only every eighth packet is answered.
    expect(later.open(first).ok).toBe(true);
    expect(answers()).toHaveLength(13);
    expect(a.open(later.seal(0, payload)).ok).toBe(true);
    expect(later.open(a.seal(1, payload)).ok).toBe(true);
    expect(answers()).toHaveLength(15);
  });

  it('a third party with a copied header cannot exhaust the answers of a restarted node', () => {
    const { a, later } = acquainted();
    const overheard = a.seal(1, payload);
    let answers = 0;
    for (let count = 0; count < 1 << 17; count++) {
      // The third party writes a new counter into each packet, without knowing the key.
      writeUint(overheard, 23, 27, count);
      if ('answer' in later.open(overheard)) answers++;
    }
    expect(answers).toBe(3 + (1 << 14));
    // All answers to forged packets were lost. Genuine packets are nevertheless answered and accepted.
    let unheard = 0;
    for (let opened = later.open(a.seal(1, payload)); !opened.ok; opened = later.open(a.seal(1, payload))) {
      expect(++unheard).toBeLessThanOrEqual(8);
      if (opened.answer !== undefined) a.open(opened.answer.packet);
    }
  });

  it('late packets of an earlier incarnation are accepted once and do not block the current incarnation', () => {
    const { a, b } = acquainted();
    const late = a.seal(1, payload);
    const again = channel(0);
    expect(b.open(again.seal(1, payload)).ok).toBe(true);
    expect(b.open(late).ok).toBe(true);
    expect(b.open(late)).toEqual({ ok: false, code: 'replayed' });
    // B treats the late packet's incarnation as the current one until the actual current incarnation corrects this.
    const { answer } = again.open(b.seal(0, payload)) as { answer: Answer };
    expect(b.open(answer.packet).ok).toBe(true);
    expect(again.open(b.seal(0, payload)).ok).toBe(true);
  });

  it('too-many-incarnations: the channel removes no known incarnation for a new one, and continues to accept the known ones', () => {
    const b = channel(1);
    // The peer restarts sixteen times within a session. More than sixteen restarts are more likely an attack on memory.
    expect(maxIncarnations).toBe(16);
    const incarnations = Array.from({ length: maxIncarnations }, () => channel(0));
    const first = incarnations.map((incarnation) => incarnation.seal(1, payload));
    for (const packet of first) expect(b.open(packet).ok).toBe(true);
    expect(b.open(channel(0).seal(1, payload))).toEqual({ ok: false, code: 'too-many-incarnations' });
    for (const packet of first) expect(b.open(packet)).toEqual({ ok: false, code: 'replayed' });
    for (const incarnation of incarnations) expect(b.open(incarnation.seal(1, payload)).ok).toBe(true);
  });

  it('a channel that removes incarnations accepts a peer after any number of restarts within the same memory limit', () => {
    const b = channel(1, { forgetsIncarnations: true });
    const incarnations = Array.from({ length: maxIncarnations + 4 }, () => channel(0));
    const packets = incarnations.map((incarnation) => incarnation.seal(1, payload));
    for (const packet of packets) expect(b.open(packet)).toEqual({ ok: true, from: 0, payload });
    // Only packets of tracked incarnations are recognised as replayed.
    for (const packet of packets.slice(4)) expect(b.open(packet)).toEqual({ ok: false, code: 'replayed' });
    expect(b.open(packets[3]!).ok).toBe(true);
    // A forged packet does not evict an incarnation.
    for (const incarnation of incarnations) b.open(altered(incarnation.seal(1, payload), 40));
    expect(b.open(packets.at(-1)!)).toEqual({ ok: false, code: 'replayed' });
  });

  it('removed keys are derived again, and accepted counters remain accepted', () => {
    const hkdfSha256 = vi.fn(nodeCrypto.hkdfSha256);
    const [a, b] = [channel(0), channel(1, { crypto: { ...nodeCrypto, hkdfSha256 } })];
    const packet = a.seal(1, payload);
    expect(b.open(packet).ok).toBe(true);
    const before = hkdfSha256.mock.calls.length;
    b.forgetKeys();
    expect(b.open(packet)).toEqual({ ok: false, code: 'replayed' });
    expect(hkdfSha256).toHaveBeenCalledTimes(before);
    expect(b.open(a.seal(1, payload)).ok).toBe(true);
    expect(hkdfSha256).toHaveBeenCalledTimes(before + 1);
  });

  it('forgetKeys also removes the sealing key, and the next seal derives it again', () => {
    const hmacSha256 = vi.fn(nodeCrypto.hmacSha256);
    const a = channel(0, { crypto: { ...nodeCrypto, hmacSha256 } });
    for (const [index, expected] of [1, 1, 2, 2].entries()) {
      if (index === 2) a.forgetKeys();
      a.seal(1, payload);
      expect(hmacSha256).toHaveBeenCalledTimes(expected);
    }
  });

  it('message numbers start at any value and increase by one', () => {
    const a = channel(0);
    const first = a.nextNumber(1);
    expect(a.nextNumber(1)).toBe(first);
    a.seal(1, payload);
    expect(a.nextNumber(1)).toBe((first + 1) >>> 0);
    expect(new Set(Array.from({ length: 8 }, () => channel(0).nextNumber(1))).size).toBeGreaterThan(1);
  });
});

describe('misuse throws an error at the caller', () => {
  it.each([
    [() => channel(0).seal(0, payload), 'to: 0 is not a peer of 0 in this registry'],
    [() => channel(0).seal(4, payload), 'to: 4 is not a peer of 0 in this registry'],
    [() => channel(0).seal(1, new Uint8Array(1200)), 'payload: expected at most 1149 bytes, got 1200'],
    [() => channel(0, { session: new Uint8Array(31) }), 'session: expected 32 bytes, got 31'],
    [() => channel(0, { publicKeys: new Array(2 ** 24 + 1) }), 'publicKeys: expected at most 16777216, got 16777217'],
    ...(
      [
        ['self', '0 to 3', [-1, 0.5, 4]],
        ['firstCounter', '0 to 4294967295', [-1, 0.5, 2 ** 32]],
        ['maxPacketBytes', '51 to 1048576', [50, 2 ** 20 + 1]],
      ] as const
    ).flatMap(([option, range, values]) =>
      values.map((value): [() => unknown, string] => [
        () => channel(0, { [option]: value }),
        `${option}: expected an integer from ${range}, got ${value}`,
      ]),
    ),
  ])('%#', (call, message) => expect(call).toThrow(new RangeError(message)));

  it('accepts a registry of 2^24 members', () => {
    expect(() => channel(0, { publicKeys: new Array(2 ** 24) })).not.toThrow();
  });

  it('uses each counter once, and sealing fails after the last counter', () => {
    const a = channel(0, { firstCounter: 2 ** 32 - 1 });
    const [b, former] = [channel(1), channel(0)];
    expect(b.open(former.seal(1, payload)).ok).toBe(true);
    const stale = b.seal(0, payload);
    expect(channel(1).open(a.seal(1, payload)).ok).toBe(true);
    // No counter is left for an answer.
    expect(a.open(stale)).toEqual({ ok: false, code: 'stale-incarnation' });
    expect(() => a.seal(1, payload)).toThrow(
      new RangeError('counter: expected fewer than 2^32 packets per peer and session, got 2^32'),
    );
  });
});

const digest = new Uint8Array(32).fill(1);

it('refuses invalid suites, digests and texts', () => {
  expect(() => sessionId({} as never, digest, 'round')).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, 'digest' as never, 'round')).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, digest, 1 as never)).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, digest.subarray(1), 'round')).toThrow(RangeError);
});
