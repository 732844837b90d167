import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANNEL_OVERHEAD_BYTES, Channel, type ChannelOptions } from './channel.ts';
import { nobleCrypto } from './crypto/noble.ts';
import { nodeCrypto } from './crypto/node.ts';
import { networkKey } from './networkKey.ts';

const keys = Array.from({ length: 4 }, (_, i) => networkKey(nodeCrypto, new Uint8Array(32).fill(i + 1)));
const publicKeys = keys.map((key) => key.publicKey);
const session = new Uint8Array(32).fill(9);

function channel(self: number, options: Partial<ChannelOptions> = {}): Channel {
  const { secret } = keys[self]!;
  return new Channel({ crypto: nodeCrypto, session, self, secret, publicKeys, firstCounter: 5, ...options });
}

const payload = Uint8Array.of(1, 2, 3, 4, 5);

function altered(packet: Uint8Array, offset: number, mask = 1): Uint8Array {
  const copy = packet.slice();
  copy[offset]! ^= mask;
  return copy;
}

describe.each([
  [nodeCrypto, nobleCrypto],
  [nobleCrypto, nodeCrypto],
])('between $name and the other suite', (ours, theirs) => {
  it('packets open in both directions', () => {
    const [a, b] = [channel(0, { crypto: ours }), channel(1, { crypto: theirs })];
    for (let count = 0; count < 3; count++) {
      expect(b.open(a.seal(1, payload))).toEqual({ ok: true, from: 0, payload });
      expect(a.open(b.seal(0, payload))).toEqual({ ok: true, from: 1, payload });
    }
  });

  it('the same packet is sealed, byte for byte', () => {
    expect(channel(0, { crypto: ours }).seal(1, payload)).toEqual(channel(0, { crypto: theirs }).seal(1, payload));
  });

  it('the same packets are refused, under the same codes', () => {
    const [a, b] = [channel(0, { crypto: ours }), channel(1, { crypto: theirs })];
    const sealed = a.seal(1, payload);
    expect(b.open(altered(sealed, sealed.length - 1))).toEqual({ ok: false, code: 'forged' });
    expect(b.open(sealed).ok).toBe(true);
    expect(b.open(sealed)).toEqual({ ok: false, code: 'replayed' });
  });
});

describe('an authenticated channel (v1.03 section 2.3)', () => {
  it('opens what the peer sealed, and says who it was', () => {
    const opened = channel(1).open(channel(0).seal(1, payload));
    expect(opened).toMatchObject({ ok: true, from: 0 });
    expect(opened.ok && [...opened.payload]).toEqual([...payload]);
  });

  it('gives and takes plain bytes, whose slice is a copy', () => {
    const packet = channel(0).seal(1, payload);
    const opened = channel(1).open(Buffer.from(packet));
    for (const bytes of [packet, opened.ok ? opened.payload : Buffer.of(0)]) {
      const copy = bytes.slice();
      copy[0]! ^= 0xff;
      expect(bytes[0]).not.toBe(copy[0]);
    }
  });

  it('carries every length from 0 to its limit', () => {
    const [a, b] = [channel(0, { maxPacketBytes: 100 }), channel(1, { maxPacketBytes: 100 })];
    expect(a.maxPayloadBytes).toBe(100 - CHANNEL_OVERHEAD_BYTES);
    for (let length = 0; length <= a.maxPayloadBytes; length++) {
      const packet = a.seal(1, new Uint8Array(length).fill(length));
      expect(packet.length).toBe(length + CHANNEL_OVERHEAD_BYTES);
      const opened = b.open(packet);
      expect(opened.ok && opened.payload.length).toBe(length);
    }
  });

  it('hides the payload', () => {
    const secret = new TextEncoder().encode('a payload that nobody else should read');
    expect(Buffer.from(channel(0).seal(1, secret)).includes(Buffer.from(secret))).toBe(false);
  });

  it('seals equal payloads differently each time and for each peer', () => {
    const a = channel(0);
    const packets = [a.seal(1, payload), a.seal(1, payload), a.seal(2, payload)].map((packet) =>
      Buffer.from(packet.subarray(17)).toString('hex'),
    );
    expect(new Set(packets).size).toBe(3);
  });

  it('accepts packets out of order, each once', () => {
    const [a, b] = [channel(0), channel(1)];
    const packets = Array.from({ length: 40 }, () => a.seal(1, payload)).reverse();
    for (const packet of packets) expect(b.open(packet).ok).toBe(true);
    for (const packet of packets) expect(b.open(packet)).toEqual({ ok: false, code: 'replayed' });
  });
});

describe('a refusal has a code and changes nothing', () => {
  const sealed = () => channel(0).seal(1, payload);

  it.each([
    ['too-short', () => sealed().slice(0, CHANNEL_OVERHEAD_BYTES - 1)],
    ['too-short', () => new Uint8Array(0)],
    ['too-long', () => new Uint8Array(1201)],
    ['wrong-version', () => altered(sealed(), 0)],
    ['wrong-session', () => altered(sealed(), 4)],
    ['unknown-sender', () => altered(sealed(), 5, 0x80)],
    ['unknown-sender', () => altered(sealed(), 7, 1)],
    ['misaddressed', () => channel(0).seal(2, payload)],
    ['forged', () => altered(sealed(), 7, 2)],
    ['forged', () => altered(sealed(), 16)],
    ['forged', () => altered(sealed(), 17)],
    ['forged', () => altered(sealed(), sealed().length - 1)],
    ['forged', () => sealed().slice(0, -1)],
    ['forged', () => Buffer.concat([sealed(), Buffer.of(0)])],
  ])('%s', (code, make) => {
    const b = channel(1);
    expect(b.open(make())).toEqual({ ok: false, code });
    expect(b.open(sealed()).ok).toBe(true);
  });

  it('forged: a packet sealed by one peer in the name of another', () => {
    const packet = Buffer.from(channel(2).seal(1, payload));
    packet.writeUIntBE(0, 5, 3);
    expect(channel(1).open(packet)).toEqual({ ok: false, code: 'forged' });
  });

  it('forged: a packet turned back at its sender', () => {
    const packet = Buffer.from(channel(0).seal(1, payload));
    packet.writeUIntBE(1, 5, 3);
    packet.writeUIntBE(0, 8, 3);
    expect(channel(0).open(packet)).toEqual({ ok: false, code: 'forged' });
  });

  it('wrong-session, and forged when the session is claimed: a packet of another round', () => {
    const other = channel(0, { session: new Uint8Array(32).fill(8) }).seal(1, payload);
    expect(channel(1).open(other)).toEqual({ ok: false, code: 'wrong-session' });
    other.set(session.subarray(0, 4), 1);
    expect(channel(1).open(other)).toEqual({ ok: false, code: 'forged' });
  });

  it('forged packets with high counters do not close the window on genuine ones', () => {
    const b = channel(1);
    const forged = Buffer.from(channel(0).seal(1, payload));
    forged.writeUIntBE(2 ** 48 - 1, 11, 6);
    expect(b.open(forged)).toEqual({ ok: false, code: 'forged' });
    expect(b.open(channel(0).seal(1, payload)).ok).toBe(true);
  });

  it('forged: whatever comes in the name of a key of low order, and nothing can be sent to it', () => {
    const weak = [publicKeys[0]!, new Uint8Array(32)];
    const a = channel(0, { publicKeys: weak });
    const packet = Buffer.from(channel(1).seal(0, payload));
    expect(a.open(packet)).toEqual({ ok: false, code: 'forged' });
    expect(() => a.seal(1, payload)).toThrow(RangeError);
  });

  it('never throws and never opens, whatever the bytes', () => {
    const b = channel(1);
    const genuine = channel(0).seal(1, payload);
    const header = fc
      .tuple(fc.constant(genuine.slice(0, 11)), fc.uint8Array({ maxLength: 60 }))
      .map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 1300 }), header), (bytes) => {
        expect(b.open(bytes).ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('misuse is told to the caller', () => {
  it.each([
    [() => channel(0).seal(0, payload), 'to: 0 is no peer of 0 in this registry'],
    [() => channel(0).seal(4, payload), 'to: 4 is no peer of 0 in this registry'],
    [() => channel(0).seal(1, new Uint8Array(1200)), 'payload: expected at most 1167 bytes, got 1200'],
    [() => channel(0, { session: new Uint8Array(31) }), 'session: expected 32 bytes, got 31'],
    [() => channel(0, { self: 4 }), 'self: expected an index below 4, got 4'],
    [() => channel(0, { firstCounter: -1 }), 'firstCounter: expected an integer under 2^48, got -1'],
  ])('%#', (call, message) => {
    expect(call).toThrow(new RangeError(message));
  });

  it('a counter is never used twice: after the last one sealing ends', () => {
    const a = channel(0, { firstCounter: 2 ** 48 - 1 });
    expect(channel(1).open(a.seal(1, payload)).ok).toBe(true);
    expect(() => a.seal(1, payload)).toThrow(new RangeError('counter: 2^48 packets were sent in one session'));
  });
});
