import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { decodeCard, encodeCard, type IdentityKernel, isLabel, makeIdentity, maxLabelCharacters } from './card.ts';
import {
  decodeBeat,
  decodeLeaderMessage,
  encodeBeat,
  encodeLeaderMessage,
  isMessage,
  isShare,
  maxMessageCharacters,
} from './messages.ts';
import { Room } from './room.ts';
import { shownText } from './shownText.ts';

/** A kernel whose points are lengths: who checks cards here is told what holds. */
const kernel: IdentityKernel = {
  keyGen: (ikm) => ikm,
  publicKey: (secretKey) => new Uint8Array(48).fill(secretKey[0]!),
  provePossession: (secretKey) => new Uint8Array(96).fill(secretKey[1]!),
  sign: (secretKey, message) => new Uint8Array(96).fill(secretKey[2]! ^ message.length),
};

function drawIdentity(draw: Draw, index: number) {
  const crypto = { ...nodeCrypto, randomBytes: (length: number) => draw.bytes(length) };
  return makeIdentity(crypto, kernel, { label: `person ${index}`, mayLead: draw.chance(0.7) });
}

const progress = (draw: Draw) => ({
  ...{
    round: draw.integer(0, 2),
    weight: draw.integer(0, 9),
    levels: [
      [1, 1],
      [0, 2],
    ] as [number, number][],
  },
  ...{ sent: draw.integer(0, 9), received: 3, checked: 2, reachedMs: draw.one([null, 5]) },
});

it('a room in which anybody says anything at any time shows, tells and begins what it did', () => {
  const pins = drawn(14, (draw) => {
    const people = draw.list(5, drawIdentity);
    const [self] = people as [(typeof people)[0]];
    const told: unknown[] = [];
    let beacons = 0;
    const room = new Room({
      self,
      ...(draw.chance(0.3) && { proposal: { message: 'mine', share: 0.4 } }),
      port: {
        announce: (text) => told.push(['announce', text]),
        tell: (to, text) => told.push(['tell', to, text]),
        isGenuine: (entry) => entry.publicKey[0]! % 7 !== 0,
        beacon: () => `${++beacons}`.padStart(64, '0'),
        begin: (round) => told.push(['begin', round]),
        changed: () => told.push('changed'),
      },
    });
    let nowMs = 0;
    const names = people.map(({ name }) => name).sort();
    for (let step = 0; step < 90; step++) {
      nowMs += draw.one([0, 100, 400, 3000, 11_000]);
      const one = draw.one(people);
      const what = step === 0 ? 0 : draw.integer(0, 14);
      const said = step === 0 ? self : one;
      told.push(
        outcomeOf(() => {
          if (what < 3)
            return room.onCame(
              said.name,
              draw.chance(0.9) ? said.card : draw.one(['{}', draw.one(people).card]),
              nowMs,
            );
          if (what === 3) return room.onWent(one.name, nowMs);
          if (what === 4 && draw.chance(0.2)) return room.onBack(nowMs);
          if (what < 7)
            return room.onAnnouncement(
              one.name,
              draw.chance(0.9)
                ? encodeBeat({ awake: draw.chance(0.7), progress: draw.chance(0.5) ? progress(draw) : null })
                : 'x',
              nowMs,
            );
          if (what < 9) {
            const proposal = { message: `say ${step}`, share: draw.one([0.5, 1, 0.66]) };
            const start = {
              type: 'start' as const,
              number: draw.integer(0, 4),
              members: draw.some(names, 0.7),
              beacon: '7'.repeat(64),
              ...proposal,
            };
            const text = draw.chance(0.1)
              ? 'x'
              : encodeLeaderMessage(draw.chance(0.5) ? start : { type: 'propose', ...proposal });
            return room.onTold(draw.chance(0.6) ? (room.leader ?? one.name) : one.name, text, nowMs);
          }
          if (what === 9) return room.tick(nowMs);
          if (what === 10)
            return room.propose({ message: draw.one(['yes', '', 'a\nb']), share: draw.one([0.5, 0, 1.5]) });
          if (what === 11) return room.start();
          if (what === 12) return room.setAwake(draw.chance(0.5));
          if (what === 13) return room.setProgress(progress(draw));
          room.onRefused(one.name, 'forged');
          return room.onLie(draw.chance(0.8) ? one.name : 'nobody');
        }),
        room.leader,
        room.isLeader,
        room.view(),
      );
    }
    return digestOf(told);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "9f3ca54ad118",
      "d8314179ca4e",
      "aae632ae8a29",
      "ec61a4f3607c",
      "764ceac23bd2",
      "c9e96e83717e",
      "e733701c6a60",
      "c2dd4a771cf5",
      "abc61eefa61a",
      "9d9954e26c45",
      "4d7a65bff6f9",
      "822af1f390b5",
      "5d664673fa49",
      "f78525f6419c",
    ]
  `);
});

it('rooms hold as many as they did', () => {
  const pins = drawn(1, (draw) => {
    const people = draw.list(258, drawIdentity);
    const room = new Room({
      self: people[0]!,
      port: {
        announce: () => {},
        tell: () => {},
        isGenuine: () => true,
        beacon: () => '',
        begin: () => {},
        changed: () => {},
      },
    });
    for (const { name, card } of people) room.onCame(name, card, 0);
    return room.view().members.length;
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      256,
    ]
  `);
});

it('cards, beats and messages are written, read and refused as they were, a field changed at a time', () => {
  const [card] = drawn(1, (draw) => JSON.parse(drawIdentity(draw, 1).card)) as [Record<string, unknown>];
  const names = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
  const whole = {
    card,
    propose: { type: 'propose', message: 'yes', share: 0.5 },
    start: { type: 'start', message: 'yes', share: 1, number: 3, members: names, beacon: '7'.repeat(64) },
    beat: { awake: true, progress: null },
    running: { round: 1, weight: 2, levels: [[0, 1]], sent: 1, received: 1, checked: 1, reachedMs: 5 },
  };
  const values = [
    ...[
      undefined,
      null,
      true,
      false,
      -1,
      0,
      0.5,
      1,
      1.5,
      2 ** 53,
      '',
      'x',
      'stop',
      [],
      {},
      [[0, 1]],
      [[1, 0]],
      [[1, 128]],
      [[1, 129]],
      [[1]],
    ],
    ...[
      [names[1], names[0]],
      [names[0], names[0]],
      [names[0]],
      Array(8).fill([0, 1]),
      Array(7).fill([0, 1]),
      [[0, 1, 2]],
      'a'.repeat(64),
    ],
    ...[
      'A'.repeat(64),
      'a'.repeat(63),
      'tutti identity v1\0',
      'x'.repeat(200),
      'x'.repeat(201),
      'x'.repeat(24),
      'x'.repeat(25),
      'a b',
      ' a',
    ],
    Array.from({ length: 129 }, (_, index) => index.toString(16).padStart(64, '0')),
    Array.from({ length: 128 }, (_, index) => index.toString(16).padStart(64, '0')),
  ];
  const pins = Object.entries(whole).flatMap(([name, of]) =>
    Object.keys(of).map((field) => {
      const outcomes = values.map((value) => {
        const changed = { ...of, [field]: value };
        const text = JSON.stringify(name === 'running' ? { awake: true, progress: changed } : changed);
        return [decodeCard(text), decodeLeaderMessage(text), decodeBeat(text)];
      });
      return `${name} ${field} ${digestOf(outcomes)}`;
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "card publicKey d41b42689fad",
      "card proofOfPossession d41b42689fad",
      "card networkKey f603c8054d9c",
      "card networkKeyProof d41b42689fad",
      "card label cba6b7b28ed4",
      "card mayHost 384b2bfe5977",
      "propose type d41b42689fad",
      "propose message 8ba9532f39c3",
      "propose share bb3d41891575",
      "start type d41b42689fad",
      "start message 96b93fb59aea",
      "start share f40ad9c5d16c",
      "start number 8a8e36ec9bc4",
      "start members 69a643ee315b",
      "start beacon d57c2d71664a",
      "beat awake d5f637f03495",
      "beat progress 09379b7fdcc5",
      "running round c31fd1427d91",
      "running weight a71a84388ade",
      "running levels 34d34aebdf58",
      "running sent 81e8a4f06b95",
      "running received 3aa9b6f97319",
      "running checked aa26d88aa4e0",
      "running reachedMs 3a97a3bc5870",
    ]
  `);
  const read = decodeCard(JSON.stringify(card))!;
  expect(JSON.parse(encodeCard(read))).toEqual(card);
  const texts = ['{', '5', 'null', '[]', '{}'];
  expect(texts.map((text) => [decodeCard(text), decodeLeaderMessage(text), decodeBeat(text)])).toEqual(
    texts.map(() => [undefined, undefined, undefined]),
  );
  expect(
    values.map((value) => [isLabel(value), isMessage(value), isShare(value)].map(Number).join('')).join(' '),
  ).toMatchInlineSnapshot(
    `"000 000 000 000 000 000 001 001 000 000 000 110 110 000 000 000 000 000 000 000 000 000 000 000 000 000 010 010 010 000 010 000 110 010 110 010 000 000"`,
  );
  expect([maxLabelCharacters, maxMessageCharacters]).toEqual([24, 200]);
});

it('texts of strangers are shown as they were', () => {
  const parts = [
    'a',
    'é',
    ' ',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\u200d',
    '\ufe0f',
    '👩',
    '💻',
    '🏽',
    '\u2028',
    '\n',
    '\u2800',
    '\ud800',
    '\u00ad',
    '⟨',
  ];
  const pins = drawn(300, (draw) => shownText(draw.list(draw.integer(0, 6), () => draw.one(parts)).join('')));
  expect(digestOf(pins)).toMatchInlineSnapshot(`"6b381dd7110f"`);
});
