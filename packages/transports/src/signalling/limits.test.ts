import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { SignallingHub } from './hub.ts';
import { invitedRooms, placesOfAddress } from './hubLimits.ts';
import { decodeRequest, refusal, requireRoomName, signallingRefusals } from './messages.ts';
import { clientAddress } from './server.ts';

const invitations = ['a', 'b', 'c'].map((letter) => letter.repeat(22));

it('requests of up to 25 KiB are read, and refusals name the expected value', () => {
  const padded = JSON.stringify({ type: 'announce', text: 'text' });
  expect([25 * 1024, 25 * 1024 + 1].map((length) => decodeRequest(padded.padEnd(length)) !== undefined)).toEqual([
    true,
    false,
  ]);
  const codes = Object.keys(signallingRefusals) as (keyof typeof signallingRefusals)[];
  for (const code of codes) expect(refusal(code).line).toBe(`${code}: ${signallingRefusals[code]}`);
  for (const name of ['', 'a b', 'x'.repeat(65), 5])
    expect(refusedBy(() => requireRoomName(name as string))).toBe('room');
  for (const name of ['a', 'A-z_9', 'x'.repeat(64)]) expect(refusedBy(() => requireRoomName(name))).toBe('taken');
});

it('identifies clients by network prefix, and by the forwarded address behind a proxy', () => {
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

it('places and invitations have limits', () => {
  const places = [1, 2, 4, 128].flatMap((all) =>
    [0, 1, 3, 127].flatMap((taken) => [0.01, 0.5, 0.9, 1].map((share) => placesOfAddress(all, taken, share))),
  );
  expect(places.join(' ')).toMatchInlineSnapshot(
    `"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 2 3 4 1 1 2 3 1 1 1 1 1 1 1 1 1 64 115 128 1 63 114 127 1 62 112 125 1 1 1 1"`,
  );
  const refused = [[], ['a', 'a'].map((letter) => letter.repeat(22)), ['x'], [...invitations, 'd'.repeat(22)]];
  for (const list of refused) expect(refusedBy(() => [...invitedRooms({ room: list }, 3)])).toBe('invitations');
  expect([...invitedRooms({}, 3)]).toEqual([]);
  expect([...invitedRooms({ room: invitations }, 3)]).toEqual([['room', new Set(invitations)]]);
  const port = { send: () => {}, ping: () => {}, close: () => {} };
  const hub = (of: object) => refusedBy(() => new SignallingHub(nodeCrypto, port, of));
  expect([{ members: 128 }, { shareOfRoomPerAddress: 1 }].map(hub)).toEqual(['taken', 'taken']);
  expect([{ members: 129 }, { shareOfRoomPerAddress: 0 }, { shareOfRoomPerAddress: 1.1 }].map(hub)).toEqual([
    ...['members', 'shareOfRoomPerAddress', 'shareOfRoomPerAddress'],
  ]);
});
