import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, lengthsRefused, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import {
  Channel,
  type ChannelOptions,
  channelOverheadBytes,
  isBoundToLife,
  mostLives,
  screenPacket,
} from './channel.ts';
import { Reassembly, splitMessage } from './fragments.ts';
import * as identity from './identity.ts';
import { canonicalNetworkKey, isWeakNetworkKey, networkKey } from './networkKey.ts';
import { signWithNetworkKey, verifyNetworkKey } from './networkSignature.ts';
import { ReplayWindow } from './replayWindow.ts';
import { sessionId } from './session.ts';
import { vouchesFor } from './vouching.ts';

/** A suite that draws what is random, so that packets are the same each time. */
function drawnCrypto(draw: Draw): CryptoSuite {
  return { ...nodeCrypto, randomBytes: (length) => draw.bytes(length) };
}

const session = new Uint8Array(32).fill(9);

it('channels that restart, on a network that repeats, reorders and alters, open and refuse what they did', () => {
  const pins = drawn(12, (draw) => {
    const crypto = drawnCrypto(draw);
    const keys = draw.list(3, () => networkKey(crypto));
    const publicKeys = [...keys.map(({ publicKey }) => publicKey), new Uint8Array(32)];
    const firstCounter = draw.one([0, 5, 2 ** 32 - 30]);
    const open = (self: number) =>
      new Channel({ crypto, session, self, secret: keys[self]!.secret, publicKeys, maxPacketBytes: 300, firstCounter });
    const channels = keys.map((_, self) => open(self));
    const packets: Uint8Array[] = [];
    return draw.list(160, () => {
      const self = draw.integer(0, 2);
      const what = draw.integer(0, 29);
      if (what === 0) channels[self] = open(self);
      if (what === 1) channels[self]!.forgetKeys();
      if (what < 14 || packets.length === 0)
        return outcomeOf(() => {
          const to = draw.chance(0.95) ? (self + draw.integer(1, 2)) % 3 : draw.integer(-1, 5);
          const packet = channels[self]!.seal(to, draw.bytes(draw.integer(0, 9)));
          packets.push(packet);
          return [packet, channels[self]!.nextNumber(to), isBoundToLife(packet), channels[self]!.maxPayloadBytes];
        });
      const packet = draw.one(packets.slice(draw.chance(0.7) ? -6 : 0)).slice();
      if (draw.chance(0.15)) packet[draw.integer(0, packet.length - 1)]! ^= 1 << draw.integer(0, 7);
      const cut = draw.chance(0.05) ? packet.subarray(0, draw.integer(0, packet.length)) : packet;
      return [channels[draw.integer(0, 2)]!.open(cut), screenPacket(cut, session, draw.one([300, 70]))];
    });
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "a1e0f95e8099",
      "3c5421454c35",
      "88899c782559",
      "cbf394087e6a",
      "fe58d6792211",
      "051be7887600",
      "cbc63c891d7d",
      "ca9540fed93b",
      "c6039d19bd9e",
      "acc669ae820e",
      "29b5d48901af",
      "6db733315d3d",
    ]
  `);
});

it('more lives of a peer than are told apart are refused, and lengths at their edges', () => {
  const pins = drawn(1, (draw) => {
    const crypto = drawnCrypto(draw);
    const keys = draw.list(2, () => networkKey(crypto));
    const publicKeys = keys.map(({ publicKey }) => publicKey);
    const open = (self: number) =>
      new Channel({
        crypto,
        session,
        self,
        secret: keys[self]!.secret,
        publicKeys,
        maxPacketBytes: channelOverheadBytes + 3,
      });
    const hears = open(1);
    const lives = draw.list(mostLives + 2, () => hears.open(open(0).seal(1, Uint8Array.of(1, 2, 3))));
    return [lives, [0, 3, 4].map((length) => outcomeOf(() => open(0).seal(1, new Uint8Array(length)).length))];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"b7488810ef81"`);
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

it('messages are split, put together, held and refused as they were', () => {
  const pins = drawn(40, (draw) => {
    const refused: string[] = [];
    const reassembly = new Reassembly({
      maxMessageBytes: draw.one([40, 100]),
      onRefused: (code) => refused.push(code),
    });
    const pieces: Uint8Array[] = [];
    const taken = draw.list(120, () => {
      if (draw.chance(0.2) || pieces.length === 0) {
        const number = draw.one([0, 1, 2, 3, draw.integer(0, 20), 2 ** 32 - 1]);
        pieces.push(...splitMessage(draw.bytes(draw.integer(0, 110)), draw.integer(11, 40), number));
      }
      const piece = draw.one(pieces.slice(draw.chance(0.7) ? -8 : 0)).slice();
      if (draw.chance(0.1)) piece[draw.integer(0, Math.min(9, piece.length - 1))]! ^= 1 << draw.integer(0, 7);
      const from = draw.integer(0, 1);
      return [reassembly.take(from, piece), reassembly.heldBytes(from)];
    });
    return digestOf([taken, refused, reassembly.maxHeldBytes]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "98818798c16f",
      "a2ec1e9cb414",
      "0ae898cbc9da",
      "1fdc55fa90fe",
      "c9dbec2b4039",
      "e69b10e9b86b",
      "9630c7b8fa39",
      "41e6a31f641f",
      "5b3093cf1c7a",
      "80f2f28c22b1",
      "f13f2a192e0c",
      "418b6c29ed2b",
      "f0aa0dee30ee",
      "d728e77ebeb1",
      "763423d497fd",
      "b4f15e2a0aea",
      "58345a1c3f00",
      "bb6f52a2d035",
      "26cea8b569ff",
      "1787ddf1ba6e",
      "f2283d574cb2",
      "2b143f33e5fe",
      "3ab4f0768ac8",
      "ce01da9628bf",
      "d446bb50bd3c",
      "96824552baf9",
      "2d15911bbd38",
      "2063b4ff8919",
      "e0f521e642ef",
      "00b97883d7ed",
      "c8589400d2f3",
      "cc3b4363e7a9",
      "28e9eea4070a",
      "6fe1926c04b2",
      "a4aada65d81b",
      "a56f8fc90572",
      "07e6263755bc",
      "8b1e0865290f",
      "3a1de1a4b6ce",
      "58917f7b5606",
    ]
  `);
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

it('statements, names of sessions, keys and signatures are what they were', () => {
  const pins = drawn(4, (draw) => {
    const crypto = drawnCrypto(draw);
    const [bls, key] = [draw.bytes(48), draw.bytes(32)];
    const own = networkKey(crypto, draw.bytes(32));
    const message = draw.bytes(draw.integer(0, 40));
    const signature = signWithNetworkKey(crypto, own.secret, message);
    const spoilt = signature.slice();
    spoilt[draw.integer(0, 63)]! ^= 1 << draw.integer(0, 7);
    const other = draw.one([key, key.fill(draw.one([0, 1, 255])), own.publicKey]);
    const statements = [
      identity.identityStatement(bls, key),
      identity.registrationStatement(key),
      identity.ringKeyStatement(key),
      identity.registryBeaconStatement(key),
    ];
    return [
      [statements, statements.map(identity.looksLikeIdentity), identity.looksLikeIdentity(message)],
      [own, signature, sessionId(crypto, key, 'round'), canonicalNetworkKey(other), isWeakNetworkKey(crypto, other)],
      [verifyNetworkKey(own.publicKey, message, signature), verifyNetworkKey(own.publicKey, message, spoilt)],
      [verifyNetworkKey(other, message, signature), verifyNetworkKey(own.publicKey, message, signature.subarray(1))],
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "018302501f69",
      "1ca9edbee9a4",
      "481128c530cd",
      "53b6822d2c15",
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

it('what is no channel is refused with the words it was', () => {
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

it('arguments of another kind are refused with the words they were', () => {
  const [one, two] = [1, 2].map((fill) => networkKey(nodeCrypto, new Uint8Array(32).fill(fill)));
  const options = {
    crypto: nodeCrypto,
    session,
    self: 0,
    secret: one!.secret,
    publicKeys: [one!.publicKey, two!.publicKey],
  };
  const channel = new Channel(options);
  const signature = new Uint8Array(64);
  const ofChannel = (field: keyof ChannelOptions) =>
    [(value: unknown) => new Channel({ ...options, [field]: value } as ChannelOptions), undefined] as const;
  const calls = {
    ...Object.fromEntries(
      [...Object.keys(options), 'firstCounter'].map((field) => [field, ofChannel(field as keyof ChannelOptions)]),
    ),
    channel: [(given: ChannelOptions) => new Channel(given), options],
    seal: [channel.seal.bind(channel), 1, Uint8Array.of(1)],
    nextNumber: [channel.nextNumber.bind(channel), 1],
    splitMessage: [splitMessage, Uint8Array.of(1), 100, 0],
    screenPacket: [screenPacket, new Uint8Array(99), session, 300],
    sessionId: [sessionId, nodeCrypto, session, '1'],
    networkKey: [networkKey, nodeCrypto, one!.secret],
    isWeakNetworkKey: [isWeakNetworkKey, nodeCrypto, one!.publicKey],
    canonicalNetworkKey: [canonicalNetworkKey, one!.publicKey],
    signWithNetworkKey: [signWithNetworkKey, nodeCrypto, one!.secret, Uint8Array.of(1)],
    verifyNetworkKey: [verifyNetworkKey, one!.publicKey, Uint8Array.of(1), signature],
    identityStatement: [identity.identityStatement, new Uint8Array(48), one!.publicKey],
    looksLikeIdentity: [identity.looksLikeIdentity, new Uint8Array(48)],
    registrationStatement: [identity.registrationStatement, session],
    ringKeyStatement: [identity.ringKeyStatement, one!.publicKey],
    registryBeaconStatement: [identity.registryBeaconStatement, session],
  } as unknown as Parameters<typeof refusalsOf>[0];
  const words = refusalsOf(calls);
  expect(digestOf(lengthsRefused(calls))).toMatchInlineSnapshot(`"a8cbf7900bbb"`);
  expect([words.length, digestOf(words)]).toMatchInlineSnapshot(`
    [
      197,
      "1af62faf9a9c",
    ]
  `);
});
