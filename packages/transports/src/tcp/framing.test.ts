import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  claimedHost,
  decodeHello,
  encodeHello,
  type Frame,
  FrameDecoder,
  maxFramedBytes,
  packetHeader,
  pingFrame,
  plainAddress,
  pongFrame,
  streamPreface,
} from './framing.ts';

function encode(frame: Frame): Uint8Array[] {
  if (frame === 'ping') return [pingFrame];
  if (frame === 'pong') return [pongFrame];
  return [packetHeader(frame.length), frame];
}

function stream(frames: readonly Frame[]): Uint8Array {
  return Uint8Array.from([streamPreface, ...frames.flatMap(encode)].flatMap((part) => [...part]));
}

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...cuts.map((where) => where % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

function decode(pieces: readonly Uint8Array[], decoder = new FrameDecoder()): Frame[] {
  return pieces.flatMap((piece) => {
    const decoded = decoder.push(piece);
    if (!decoded.ok) throw new Error('expected frames');
    return decoded.frames;
  });
}

const frames = fc.array(
  fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.constantFrom<Frame>('ping', 'pong')),
);

it('returns the written frames for any division of the stream', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat()), (frames, cuts) => {
      expect(decode(cut(stream(frames), cuts))).toEqual(frames);
    }),
  );
});

it('returns the longest packet from single bytes, and stores nothing afterwards', () => {
  const longest = new Uint8Array(maxFramedBytes).map((_, i) => i % 251);
  const bytes = stream([longest]);
  const decoder = new FrameDecoder();
  const pieces = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  expect(decode(pieces.slice(0, -1), decoder)).toEqual([]);
  expect(decoder.heldBytes).toBe(maxFramedBytes + 1);
  expect(decode(pieces.slice(-1), decoder)).toEqual([longest]);
  expect(decoder.heldBytes).toBe(0);
});

it('stores the received bytes only, not the announced length', () => {
  const decoder = new FrameDecoder();
  decode([streamPreface, Uint8Array.of(0xff, 0xfe, 1)], decoder);
  expect(decoder.heldBytes).toBe(3);
});

it('refuses a first packet over the limit at its announcement, and stores nothing of it', () => {
  const announce = (length: number) => Uint8Array.of(...streamPreface, ...packetHeader(length));
  const most = 265;
  expect(new FrameDecoder(most).push(announce(most + 1))).toEqual({ ok: false });
  const decoder = new FrameDecoder(most);
  expect(decode([announce(most), new Uint8Array(most).fill(1)], decoder)).toHaveLength(1);
  // Packets after the first packet may be longer.
  expect(decode([packetHeader(maxFramedBytes), new Uint8Array(maxFramedBytes)], decoder)).toHaveLength(1);
});

it('returns copies: a later change of a chunk does not change the packet', () => {
  const bytes = stream([Uint8Array.of(5)]);
  const [frame] = decode([bytes]);
  bytes.fill(0);
  expect(frame).toEqual(Uint8Array.of(5));
});

it('refuses a stream at the first byte that differs from the preface', () => {
  fc.assert(
    fc.property(fc.nat(streamPreface.length - 1), fc.integer({ min: 1, max: 255 }), (at, wrong) => {
      const bytes = streamPreface.slice(0, at + 1);
      bytes[at]! ^= wrong;
      const decoder = new FrameDecoder();
      expect(decoder.push(bytes)).toEqual({ ok: false });
      expect(decoder.begun).toBe(false);
    }),
  );
});

it('writes no header for an empty packet or for one over the limit', () => {
  expect(() => packetHeader(0)).toThrow(new RangeError('frame: expected 1 to 65534 bytes, got 0'));
  expect(() => packetHeader(65535)).toThrow(new RangeError('frame: expected 1 to 65534 bytes, got 65535'));
});

const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.constant(''), fc.constant(`${'a'.repeat(56)}.onion`));

it('decodes an encoded hello', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 1, max: 65535 }),
      host,
      (nonce, port, host) => {
        expect(decodeHello(encodeHello({ nonce, port, host }))).toEqual({ nonce, port, host });
      },
    ),
  );
});

it('refuses a hello with an invalid host', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const hello = decodeHello(bytes);
      if (hello !== undefined) expect(hello.host).toMatch(/^[\w.:%-]*$/);
    }),
  );
  for (const host of ['a b', '-a', 'a-', 'a'.repeat(256), '1.2.3.4\n', '[::1]'])
    expect(decodeHello(encodeHello({ nonce: 1n, port: 1, host })), host).toBeUndefined();
  expect(decodeHello(encodeHello({ nonce: 1n, port: 0, host: 'a' }))).toBeUndefined();
  expect(decodeHello(new Uint8Array(9))).toBeUndefined();
});

it('omits the host if the listener is bound to every address', () => {
  const hosts = ['0.0.0.0', '::', '127.0.0.1', '::1'].map((host) => claimedHost({ host, port: 1 }));
  expect(hosts).toEqual(['', '', '127.0.0.1', '::1']);
});

it('writes an IPv4 address as IPv4 on any socket', () => {
  const addresses = ['::ffff:10.0.0.1', '::ffff:a00:1', '::1', '10.0.0.1'].map(plainAddress);
  expect(addresses).toEqual(['10.0.0.1', '::ffff:a00:1', '::1', '10.0.0.1']);
});
