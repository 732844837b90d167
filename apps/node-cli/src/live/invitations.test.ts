import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { invitedRoom } from './invitations.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'invitations-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

it('creates the requested number of different invitations, and none by default', () => {
  const made = invitedRoom({ room: 'class', count: 128 })!;
  expect(made.room).toBe('class');
  expect(new Set(made.invitations).size).toBe(128);
  for (const one of made.invitations) expect(one).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(invitedRoom({ count: 1 })!.room).toMatch(/^[a-z2-9]{8}$/);
  expect(invitedRoom({ room: 'class' })).toBeUndefined();
});

it('stores them in a file readable by its owner only, and reuses them after a restart', () => {
  const path = join(folder(), 'class.json');
  const made = invitedRoom({ count: 3, path });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(invitedRoom({ path })).toEqual(made);
  expect(invitedRoom({ path, count: 3, room: made!.room })).toEqual(made);
  expect(() => invitedRoom({ path, count: 4 })).toThrow(`--invite-count: ${path} has 3, got 4`);
  expect(() => invitedRoom({ path, room: 'other' })).toThrow(`--room: ${path} has ${made!.room}, got other`);
});

it('refuses an invalid file in one line, and a missing one without a number of invitations', () => {
  const path = join(folder(), 'class.json');
  expect(() => invitedRoom({ path })).toThrow(
    `--invite-file: no file ${path}; use --invite-count to create invitations`,
  );
  const one = 'A'.repeat(22);
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
    expect(() => invitedRoom({ path }), text).toThrow(/class\.json: expected "room" and "invitations", 1 to 128/);
  }
});
