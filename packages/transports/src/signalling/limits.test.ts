import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { clientAddress } from './clientAddress.ts';
import { SignallingHub } from './hub.ts';
import { decodeRequest, refusal, requireRoomName, signallingRefusals } from './messages.ts';
import { invitedRooms, placesOfAddress } from './places.ts';

const invitations = ['a', 'b', 'c'].map((letter) => letter.repeat(22));

it('requests of up to 25 KiB are read, and refusals say what was expected', () => {
  const padded = JSON.stringify({ type: 'announce', text: 'text' });
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

it('clients are told apart by their network, and by a proxy’s word where one stands before the server', () => {
  const client = (
    remoteAddress: string | undefined,
    forwarded: string | string[] | undefined,
    isBehindProxy: boolean,
  ) => clientAddress({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }, isBehindProxy);
  expect(client(undefined, undefined, false)).toBe('unknown');
  expect(client('192.0.2.1', '198.51.100.1', false)).toBe('192.0.2.1');
  expect(client('::ffff:192.0.2.1', undefined, false)).toBe('192.0.2.1');
  expect(client('2001:db8:1:2:3:4:5:6', undefined, false)).toBe('2001:db8:1:2::/64');
  expect(client('fe80::1%eth0', undefined, false)).toBe('fe80:0:0:0::/64');
  expect(client('192.0.2.1', '198.51.100.1', true)).toBe('198.51.100.1');
  expect(client('192.0.2.1', '10.0.0.1, 198.51.100.2', true)).toBe('198.51.100.2');
  expect(client('192.0.2.1', ['10.0.0.1', '198.51.100.3 '], true)).toBe('198.51.100.3');
  expect(client('192.0.2.1', '2001:db8::5', true)).toBe('2001:db8:0:0::/64');
});

it('places and invitations have bounds', () => {
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
