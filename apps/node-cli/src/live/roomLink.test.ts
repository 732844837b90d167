import { statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { withWarnings } from '../context.ts';
import { freshRoomName, invitedRoom, roomLinkFlag } from './roomLink.ts';

describe('roomLinkFlag', () => {
  it.each<[link: string, signalling: string, room: string, invitation?: string]>([
    ['http://192.0.2.1:8080/#live=abc', 'ws://192.0.2.1:8080/signal', 'abc'],
    ['https://example.org/tutti/#live=class-7_b', 'wss://example.org/signal', 'class-7_b'],
    ['https://example.org/#live=abc&signal=wss://other.org:444/signal', 'wss://other.org:444/signal', 'abc'],
    ['http://[2001:db8::1]:80/#live=abc', 'ws://[2001:db8::1]/signal', 'abc'],
    [`http://h/#live=abc&invitation=${'A'.repeat(20)}_-`, 'ws://h/signal', 'abc', `${'A'.repeat(20)}_-`],
  ])('reads %s', (link, signalling, room, invitation) => {
    expect(roomLinkFlag(link)).toEqual({ signalling, room, invitation });
  });

  it.each([
    '',
    'abc',
    'http://192.0.2.1/#live=abc&invitation=',
    'http://192.0.2.1/#live=abc&invitation=AAAAAAAAAAAAAAAAAAAAA.',
    'http://192.0.2.1:8080/',
    'http://192.0.2.1:8080/#live=',
    'http://192.0.2.1:8080/#live=tabs:abc',
    'http://192.0.2.1:8080/#live=a%20b',
    'ftp://192.0.2.1/#live=abc',
    'http://192.0.2.1/#live=abc&signal=http://other.org/',
    'http://192.0.2.1/#live=abc&signal=other',
  ])('refuses %j in one line', (link) => {
    expect(() => roomLinkFlag(link)).toThrow(
      /^--room-link: expected the link to a live room, such as http:\/\/192\.0\.2\.1:8080\/#live=ROOM, got "/,
    );
  });
});

it('fresh room names are valid and different', () => {
  const names = Array.from({ length: 50 }, freshRoomName);
  for (const name of names) expect(name).toMatch(/^[a-z2-9]{8}$/);
  expect(new Set(names).size).toBe(50);
});

const { at } = temporaryFiles();

it('creates the requested number of different invitations, and none by default', () => {
  const made = invitedRoom({ room: 'class', count: 128 })!;
  expect(made.room).toBe('class');
  expect(new Set(made.invitations).size).toBe(128);
  for (const one of made.invitations) expect(one).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(invitedRoom({ count: 1 })!.room).toMatch(/^[a-z2-9]{8}$/);
  expect(invitedRoom({ room: 'class' })).toBeUndefined();
});

it('stores them in a file readable by its owner only, and reuses them after a restart', () => {
  const path = at('class.json');
  const made = invitedRoom({ count: 3, path });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(invitedRoom({ path })).toEqual(made);
  expect(invitedRoom({ path, count: 3, room: made!.room })).toEqual(made);
  expect(() => invitedRoom({ path, count: 4 })).toThrow(`--invite-count: expected 3, as in ${path}, got 4`);
  expect(() => invitedRoom({ path, room: 'other' })).toThrow(
    `--room: expected ${made!.room}, as in ${path}, got other`,
  );
});

it('refuses an invalid file in one line without a warning, and a missing one without a number of invitations', () => {
  const path = at('other-class.json');
  expect(() => invitedRoom({ path })).toThrow(
    `--invite-file: expected an existing file, got none at ${path}; use --invite-count to create invitations`,
  );
  const one = 'A'.repeat(22);
  const warnings: string[] = [];
  const warn = (line: string) => warnings.push(line);
  const read = () => withWarnings(warn, () => invitedRoom({ path }));
  for (const text of [
    '',
    '[]',
    '{"room":"class"}',
    '{"room":"class","invitations":[]}',
    `{"room":"a b","invitations":["${one}"]}`,
    `{"room":"class","invitations":["${one}","${one}"]}`,
    '{"room":"class","invitations":["short"]}',
    JSON.stringify({ room: 'class', invitations: Array.from({ length: 129 }, (_, n) => one.slice(3) + (100 + n)) }),
  ]) {
    writeFileSync(path, text);
    expect(read, text).toThrow(/class\.json: expected "room" and "invitations", 1 to 128/);
  }
  expect(warnings).toEqual([]);
});
