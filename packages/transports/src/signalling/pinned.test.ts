import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { rememberedSecrets } from '../rounds/rememberedSecrets.ts';
import { admissionRefusal, clientAddress } from './admission.ts';
import { type HubLimits, SignallingHub } from './hub.ts';
import { NameCheck, proveName } from './joinProof.ts';
import {
  decodeNotice,
  decodeRequest,
  type JoinChallenge,
  refusal,
  requireRoomName,
  signallingRefusals,
} from './messages.ts';
import { invitedRooms, placesOfAddress } from './places.ts';

const members = Array.from({ length: 5 }, (_, index) => networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)));
/** Each world has one server's key, and the same members: what they agree on is made once. */
const remembered = rememberedSecrets(nodeCrypto);
const names = members.map(({ publicKey }) => toHex(publicKey));
const invitations = ['a', 'b', 'c'].map((letter) => letter.repeat(22));

function drawLimits(draw: Draw): Partial<HubLimits> {
  return {
    ...{ connections: draw.integer(3, 9), connectionsPerAddress: draw.integer(2, 5), rooms: draw.integer(1, 3) },
    ...{ roomsPerAddress: draw.integer(1, 2), membersPerAddress: draw.integer(1, 4), members: draw.integer(2, 4) },
    ...{
      shareOfRoomPerAddress: draw.one([0.5, 0.9, 1]),
      messagesPerSecond: draw.one([0.5, 20]),
      joinsPerSecond: draw.one([0.1, 5]),
    },
    ...{
      charactersPerSecond: draw.one([40, 2000]),
      refusals: draw.integer(1, 5),
      quietMs: 5000,
      joinMs: 4000,
      idleRoomMs: 9000,
    },
  };
}

it('a hub to which anybody says anything at any time sends, closes and counts what it did', () => {
  const pins = drawn(30, (draw) => {
    const crypto = { ...remembered, randomBytes: (length: number) => draw.bytes(length) };
    const told: unknown[] = [];
    const challenges = new Map<number, JoinChallenge>();
    const port = {
      send: (id: number, text: string) => {
        told.push(['send', id, text]);
        const notice = JSON.parse(text);
        if (notice.type === 'challenge') challenges.set(id, notice);
      },
      ping: (id: number) => told.push(['ping', id]),
      close: (id: number, reason: string) => told.push(['close', id, reason]),
    };
    const hub = new SignallingHub(crypto, port, drawLimits(draw), { invited: invitations.slice(0, 2) });
    let nowMs = 0;
    let next = 0;
    for (let step = 0; step < 140; step++) {
      nowMs += draw.one([0, 0, 10, 200, 1000, 2600]);
      const id = draw.integer(Math.max(0, next - 6), next);
      const address = draw.one(['here', 'there', 'there']);
      const room = draw.one(['room', 'room', 'hall', 'attic', 'invited', 'no room']);
      const place = draw.integer(0, 4);
      const what = draw.integer(0, 13);
      const admitted = hub.admits(address);
      if (what < 3 && admitted) hub.opened(next++, address, nowMs);
      else if (what < 7) {
        const challenge = challenges.get(id) ?? { key: names[0]!, nonce: '0'.repeat(32) };
        const proof = draw.chance(0.9) ? proveName(remembered, members[place]!.secret, challenge, room) : names[0];
        const invitation =
          room === 'invited' || draw.chance(0.05) ? draw.one([...invitations, undefined, 'x']) : undefined;
        hub.message(
          id,
          JSON.stringify({ type: 'join', room, member: names[place], card: `card ${place}`, proof, invitation }),
          nowMs,
        );
      } else if (what < 9)
        hub.message(
          id,
          JSON.stringify({ type: 'signal', to: names[place], text: 'x'.repeat(draw.integer(0, 30)) }),
          nowMs,
        );
      else if (what === 9) hub.message(id, JSON.stringify({ type: 'announce', text: 'hear' }), nowMs);
      else if (what === 10) hub.message(id, draw.one([undefined, '', '[]', '{"type":"x"}']), nowMs);
      else if (what === 11) hub.closed(id);
      else if (what === 12) hub.tick(nowMs);
      else if (draw.chance(0.5)) hub.heard(id, nowMs);
      else hub.turnedAway('foreign-origin');
      told.push([admitted, hub.counts]);
    }
    return digestOf(told);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "8c5af8f413b0",
      "bbe59fde0b84",
      "0806dd21714e",
      "7106f506e9bc",
      "08bea1b122c8",
      "c22f8cbe5ac5",
      "4751927ff0ff",
      "a57eb9a94f8f",
      "1dbbed2331a4",
      "dde403ab5b83",
      "7f95174808e6",
      "dd07b2f5015f",
      "b30f9d05b067",
      "cebda7ff5c7b",
      "82faee06252e",
      "80e6d8e9550e",
      "262660f8e20c",
      "957bd3a454dc",
      "51e4e3e48cb1",
      "cbed4ffce02b",
      "22985ab8eac5",
      "81eda3ff515e",
      "f6042920d4df",
      "0cc0a37b8874",
      "f5a7cbd06cd0",
      "b5c2fcb0711d",
      "aeff4bdf09a5",
      "63c69a60d67a",
      "4af14bfe6c9a",
      "d2341e3f5c2f",
    ]
  `);
});

it('requests and notices are read and refused as they were, a field changed at a time', () => {
  const whole = [
    { type: 'join', room: 'room', member: names[0], card: 'card', proof: names[1] },
    { type: 'join', room: 'room', member: names[0], card: 'card', proof: names[1], invitation: invitations[0] },
    { type: 'signal', to: names[0], text: 'text' },
    { type: 'announce', text: 'text' },
    { type: 'challenge', key: names[0], nonce: '0'.repeat(32) },
    { type: 'joined', members: [{ member: names[0], card: 'card' }] },
    { type: 'came', member: names[0], card: 'card' },
    { type: 'went', member: names[0] },
    { type: 'signal', from: names[0], text: 'text' },
    { type: 'announcement', from: names[0], text: 'text' },
    { type: 'refused', code: 'malformed', line: 'theirs' },
  ];
  const present = { member: names[0], card: '' };
  const values = [
    ...[
      undefined,
      null,
      0,
      true,
      '',
      'x',
      'room-full',
      'toString',
      'a'.repeat(64),
      'a'.repeat(65),
      'A'.repeat(64),
      'a b',
      '0'.repeat(32),
    ],
    ...[
      'x'.repeat(22),
      'x'.repeat(2048),
      'x'.repeat(2049),
      'x'.repeat(24 * 1024),
      'x'.repeat(24 * 1024 + 1),
      [],
      [present],
      [{}],
      [5],
      {},
    ],
    ...[Array(128).fill(present), Array(129).fill(present), 'x'.repeat(25 * 1024)],
  ];
  const pins = whole.flatMap((of) =>
    Object.keys(of).map((field) => {
      const outcomes = values.map((value) => {
        const text = JSON.stringify({ ...of, [field]: value });
        return [decodeRequest(text), decodeNotice(text)];
      });
      return `${of.type} ${field} ${digestOf(outcomes)}`;
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "join type 04fedd767da1",
      "join room 76f7d4edd225",
      "join member ae3d7403f418",
      "join card 9924b741f599",
      "join proof edac22c9627d",
      "join type 04fedd767da1",
      "join room 2ce40f961ad4",
      "join member 8104b495b7e1",
      "join card 7d4eb6f998d5",
      "join proof 4d131949a193",
      "join invitation 6c71b9025ddb",
      "signal type 04fedd767da1",
      "signal to 6a8d182735e5",
      "signal text 3f955f597533",
      "announce type 04fedd767da1",
      "announce text 6ecdc55d6715",
      "challenge type 04fedd767da1",
      "challenge key 7cd1380149ba",
      "challenge nonce 1ddd01f7f687",
      "joined type 04fedd767da1",
      "joined members 416cb922b628",
      "came type 04fedd767da1",
      "came member 6a729d5b7aeb",
      "came card d246f2afe9e0",
      "went type 04fedd767da1",
      "went member 210626ef3e1a",
      "signal type 04fedd767da1",
      "signal from 2f9e7ac98e52",
      "signal text 67066364ed39",
      "announcement type 04fedd767da1",
      "announcement from a1bb43960175",
      "announcement text 1b8f992091be",
      "refused type 04fedd767da1",
      "refused code 3815f791dd89",
      "refused line bc8c1705b104",
    ]
  `);
  const padded = JSON.stringify(whole[3]);
  expect([25 * 1024, 25 * 1024 + 1].map((length) => decodeRequest(padded.padEnd(length)) !== undefined)).toEqual([
    true,
    false,
  ]);
  const codes = Object.keys(signallingRefusals) as (keyof typeof signallingRefusals)[];
  expect(codes.map((code) => refusal(code).line)).toMatchInlineSnapshot(`
    [
      "malformed: expected one JSON object that is a request of this protocol",
      "not-joined: expected a join before anything else",
      "already-joined: expected one join a connection",
      "not-your-name: expected the proof that this member has the secret of the key that it is named by",
      "too-many-rooms: this server keeps as many rooms as it will; try again when one is empty",
      "too-many-rooms-of-address: this address keeps as many rooms open as one may; try again when one is empty",
      "too-many-members-of-address: this address has as many members in rooms as one may",
      "too-many-in-room-of-address: this address has as many places of this room as one may; the rest is for others",
      "room-full: this room has as many members as it will hold",
      "not-invited: expected an invitation that this server gave for this room, and nothing else opens it",
      "invitation-taken: a member with this invitation is in the room; each is for one",
      "name-taken: a member of this name is in the room; join with a name of its own",
      "unknown-member: nobody of that name is in the room",
      "too-fast: more was sent than this server carries for one member; slow down",
    ]
  `);
  expect(
    ['a', '', 'a b', 'x'.repeat(65), 5].map((text) => outcomeOf(() => requireRoomName(text as string))),
  ).toMatchInlineSnapshot(`
    [
      undefined,
      "WorldError: room: expected 1 to 64 letters, digits, hyphens and underscores, got """,
      "WorldError: room: expected 1 to 64 letters, digits, hyphens and underscores, got "a b"",
      "WorldError: room: expected 1 to 64 letters, digits, hyphens and underscores, got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"",
      "TypeError: room: expected a text, got 5",
    ]
  `);
});

it('pages, hosts and addresses are admitted and told apart as they were', () => {
  const hosts = [
    undefined,
    '',
    'a b',
    '192.0.2.1',
    '192.0.2.1:80',
    '[::1]:8',
    'localhost',
    'LOCALHOST:9',
    'rooms.example',
    'other.example:8',
    'xlocalhost',
  ];
  const origins = [
    undefined,
    'null',
    'file://',
    'http://192.0.2.1',
    'http://192.0.2.1:80',
    'https://localhost',
    'https://rooms.example',
    'https://page.example',
    'http://page.example',
    'https://page.example:444',
  ];
  const rules = [
    { origins: ['https://page.example', 'bad'], names: ['Rooms.example'] },
    { origins: ['*'], names: [] },
  ];
  const admitted = rules.flatMap((rule) =>
    hosts.flatMap((host) => origins.map((origin) => admissionRefusal({ host, origin }, rule))),
  );
  const addresses = [
    undefined,
    '',
    'x',
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '2001:db8:1:2:3:4:5:6',
    '::1',
    'fe80::1%eth0',
  ];
  const forwarded = [
    undefined,
    '',
    '198.51.100.1',
    '10.0.0.1, 198.51.100.2',
    ['10.0.0.1', '198.51.100.3 '],
    'x',
    '2001:db8::5',
  ];
  const clients = addresses.flatMap((remoteAddress) =>
    forwarded.flatMap((one) =>
      [true, false].map((behind) =>
        clientAddress({ headers: { 'x-forwarded-for': one }, socket: { remoteAddress } }, behind),
      ),
    ),
  );
  expect([digestOf(admitted), digestOf(clients), [...new Set(clients)]]).toMatchInlineSnapshot(`
    [
      "9f1f0d8c9f49",
      "d4d2695b21a4",
      [
        "unknown",
        "198.51.100.1",
        "198.51.100.2",
        "198.51.100.3",
        "2001:db8:0:0::/64",
        "192.0.2.1",
        "2001:db8:1:2::/64",
        "0:0:0:0::/64",
        "fe80:0:0:0::/64",
      ],
    ]
  `);
});

it('places and invitations are counted, and refused with the words they were', () => {
  const places = [1, 2, 4, 128].flatMap((all) =>
    [0, 1, 3, 127].flatMap((taken) => [0.01, 0.5, 0.9, 1].map((share) => placesOfAddress(all, taken, share))),
  );
  expect(places.join(' ')).toMatchInlineSnapshot(
    `"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 2 3 4 1 1 2 3 1 1 1 1 1 1 1 1 1 64 115 128 1 63 114 127 1 62 112 125 1 1 1 1"`,
  );
  const lists = [
    {},
    { room: [] },
    { room: invitations },
    { room: [invitations[0], invitations[0]] },
    { room: ['x'] },
    { room: [...invitations, 'd'.repeat(22)] },
  ];
  expect(lists.map((list) => outcomeOf(() => [...invitedRooms(list as never, 3)]))).toMatchInlineSnapshot(`
    [
      [],
      "RangeError: invitations: expected 1 to 3 different ones a room, got 0",
      [
        [
          "room",
          Set {
            "aaaaaaaaaaaaaaaaaaaaaa",
            "bbbbbbbbbbbbbbbbbbbbbb",
            "cccccccccccccccccccccc",
          },
        ],
      ],
      "RangeError: invitations: expected 1 to 3 different ones a room, got 2",
      "RangeError: invitations: expected 22 letters, digits, hyphens and underscores each",
      "RangeError: invitations: expected 1 to 3 different ones a room, got 4",
    ]
  `);
  const limits = [{ members: 128 }, { members: 129 }, { shareOfRoomPerAddress: 0 }, { shareOfRoomPerAddress: 1.1 }];
  const port = { send: () => {}, ping: () => {}, close: () => {} };
  expect(limits.map((of) => outcomeOf(() => new SignallingHub(nodeCrypto, port, of).counts))).toMatchInlineSnapshot(`
    [
      {
        "connections": 0,
        "refused": {},
        "rooms": 0,
      },
      "RangeError: members: expected an integer from 1 to 128, got 129",
      "RangeError: shareOfRoomPerAddress: expected over 0 and at most 1, got 0",
      "RangeError: shareOfRoomPerAddress: expected over 0 and at most 1, got 1.1",
    ]
  `);
});

it('proofs of names are what they were', () => {
  const pins = drawn(12, (draw) => {
    const check = new NameCheck({ ...nodeCrypto, randomBytes: (length) => draw.bytes(length) });
    const challenge = check.challenge();
    const [one, other] = members as [(typeof members)[0], (typeof members)[0]];
    const given = proveName(nodeCrypto, one.secret, challenge, 'room')!;
    const held = [names[0]!, names[1]!].map((name) =>
      ['room', 'hall'].map((room) => check.holds(challenge.nonce, room, name, given)),
    );
    return [challenge, given, held, proveName(nodeCrypto, other.secret, { ...challenge, key: '0'.repeat(64) }, 'room')];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"a8150c06d4a4"`);
});
