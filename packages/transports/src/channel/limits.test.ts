import { expect, it } from 'vitest';
import { drawn, outcomeOf } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { Channel, type ChannelOptions, channelOverheadBytes, maxLives } from './channel.ts';
import { Reassembly, splitMessage } from './fragments.ts';
import { networkKey } from './networkKey.ts';
import { ReplayWindow } from './replayWindow.ts';
import { vouchesFor } from './vouching.ts';

const session = new Uint8Array(32).fill(9);

it('packets of a peer’s further lives are refused once it has had as many as are told apart', () => {
  const keys = [1, 2].map((fill) => networkKey(nodeCrypto, new Uint8Array(32).fill(fill)));
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  const open = (self: number) =>
    new Channel({ crypto: nodeCrypto, session, self, secret: keys[self]!.secret, publicKeys });
  const hears = open(1);
  const lives = Array.from({ length: maxLives + 2 }, () => hears.open(open(0).seal(1, Uint8Array.of(1, 2, 3))));
  expect(lives.map((opened) => opened.ok || opened.code)).toEqual([
    ...Array(maxLives).fill(true),
    'too-many-lives',
    'too-many-lives',
  ]);
});

it('a payload fills a packet up to the overhead, and no more', () => {
  const { secret, publicKey } = networkKey(nodeCrypto, new Uint8Array(32).fill(1));
  const maxPacketBytes = channelOverheadBytes + 3;
  const channel = new Channel({
    crypto: nodeCrypto,
    session,
    self: 0,
    secret,
    publicKeys: [publicKey, publicKey],
    maxPacketBytes,
  });
  for (const length of [0, 3])
    expect(channel.seal(1, new Uint8Array(length))).toHaveLength(channelOverheadBytes + length);
  expect(() => channel.seal(1, new Uint8Array(4))).toThrow(RangeError);
});

it('a window of counters takes what a set of all counters would, for as long as it remembers', () => {
  const wrong = drawn(60, (draw) => {
    const window = new ReplayWindow();
    const seen = new Set<number>();
    let highest = -1;
    let base = draw.one([0, 2 ** 31, 2 ** 32 - 700]);
    return draw.list(200, () => {
      base += draw.one([0, 0, 1, 2, 31, 32, 33, 63, 64, 65, 200]) * (draw.chance(0.2) ? 1 : 0);
      const counter = Math.max(0, base + draw.integer(-70, 3));
      const fresh = counter > highest - 64 && !seen.has(counter);
      const told = window.isFresh(counter) === fresh ? [] : [`${counter} after ${highest}`];
      if (!fresh || draw.chance(0.2)) return told;
      window.accept(counter);
      seen.add(counter);
      highest = Math.max(highest, counter);
      return told;
    });
  });
  expect(wrong.flat(2)).toEqual([]);
});

it('messages are split into payloads of their length, and refused beyond', () => {
  const wrong = [
    [-1, 20],
    [2 ** 32, 20],
    [0.5, 20],
    [0, 9],
    [0, 10],
  ] as const;
  const long = new Uint8Array(65_536);
  expect([
    ...wrong.map(([number, most]) => outcomeOf(() => splitMessage(long, most, number).length)),
    outcomeOf(() => splitMessage(long.subarray(1), 10, 1).length),
    ...[9, 10, 11].map((most) => splitMessage(new Uint8Array(10), most + 8, 1).map((piece) => piece.length)),
    outcomeOf(() => new Reassembly({ maxMessageBytes: 9, onRefused: () => {} }).take(0, new Uint8Array(0))),
  ]).toMatchInlineSnapshot(`
    [
      "RangeError: number: expected an integer under 2^32, got -1",
      "RangeError: number: expected an integer under 2^32, got 4294967296",
      "RangeError: number: expected an integer under 2^32, got 0.5",
      "RangeError: message: expected at most 0 bytes in payloads of 9, got 65536",
      "RangeError: message: expected at most 65535 bytes in payloads of 10, got 65536",
      65535,
      [
        11,
      ],
      [
        11,
      ],
      [
        11,
      ],
      undefined,
    ]
  `);
});

it('an address is vouched for where one entry alone has it, in a packet for this life', () => {
  const endpoints = [1, 2, 2, 3].map((port) => ({ host: port === 3 ? 'b' : 'a', port }));
  const [bound, unbound] = [1, 0].map((byte) => new Uint8Array(60).fill(byte));
  const pins = endpoints.flatMap((_, from) =>
    [bound!, unbound!].map((packet) =>
      [...endpoints, { host: 'b', port: 1 }].map((at) => vouchesFor(endpoints, from, packet, at)),
    ),
  );
  expect(pins.map((row) => row.map(Number).join(''))).toMatchInlineSnapshot(`
    [
      "10000",
      "00000",
      "00000",
      "00000",
      "00000",
      "00000",
      "00010",
      "00000",
    ]
  `);
});

it('what is no channel is refused, and named', () => {
  const { secret, publicKey } = networkKey(nodeCrypto, new Uint8Array(32).fill(1));
  const right: ChannelOptions = { crypto: nodeCrypto, session, self: 0, secret, publicKeys: [publicKey] };
  const wrong = [
    ...[{}, { session: session.subarray(1) }, { self: 1 }, { self: -1 }, { self: 0.5 }, { firstCounter: -1 }],
    ...[
      { firstCounter: 2 ** 32 - 1 },
      { firstCounter: 2 ** 32 },
      { firstCounter: 0.5 },
      { crypto: {} },
      { secret: 'x' },
    ],
    ...[{ publicKeys: 5 }, { publicKeys: [] }, { session: undefined }],
  ];
  expect(
    wrong.map((fields) => outcomeOf(() => new Channel({ ...right, ...fields } as never).maxPayloadBytes)),
  ).toMatchInlineSnapshot(`
    [
      1149,
      "RangeError: session: expected 32 bytes, got 31",
      "RangeError: self: expected an index below 1, got 1",
      "RangeError: self: expected an index below 1, got -1",
      "RangeError: self: expected an index below 1, got 0.5",
      "RangeError: firstCounter: expected an integer under 2^32, got -1",
      1149,
      "RangeError: firstCounter: expected an integer under 2^32, got 4294967296",
      "RangeError: firstCounter: expected an integer under 2^32, got 0.5",
      "TypeError: crypto.randomBytes: expected a function, got undefined",
      "TypeError: secret: expected a Uint8Array, got a text of 1 characters",
      "TypeError: publicKeys: expected an array, got 5",
      "RangeError: self: expected an index below 0, got 0",
      "TypeError: session: expected a Uint8Array, got undefined",
    ]
  `);
});
