import { expect, it } from 'vitest';
import { decodeNotice, decodeRequest, maxCardCharacters, maxTextCharacters, refusal } from './messages.ts';

const member = 'a1'.repeat(32);
const proof = 'b2'.repeat(32);
const nonce = 'c3'.repeat(16);
const join = { type: 'join', room: 'class-7_b', member, card: '{}', proof };
const challenge = { type: 'challenge', key: member, nonce };

it.each([
  join,
  { ...join, invitation: 'aZ09_-'.padEnd(22, 'x') },
  { type: 'signal', to: member, text: 'sealed' },
  { type: 'announce', text: '' },
])('decodeRequest reads $type, without unknown fields', (request) => {
  expect(decodeRequest(JSON.stringify({ ...request, more: 1 }))).toEqual(request);
});

it.each([
  ...['', 'a room', 'x'.repeat(65), ['x']].map((room) => ({ ...join, room })),
  { ...join, member: member.toUpperCase() },
  { ...join, card: 'x'.repeat(maxCardCharacters + 1) },
  ...[undefined, proof.slice(1), 7].map((proof) => ({ ...join, proof })),
  ...['x'.repeat(21), null].map((invitation) => ({ ...join, invitation })),
  { type: 'signal', to: 'me', text: '' },
  { type: 'signal', to: member },
  ...['x'.repeat(maxTextCharacters + 1), 7].map((text) => ({ type: 'announce', text })),
  { type: 'leave' },
  ...[{}, [], null, 'join'],
])('decodeRequest refuses %.80j', (request) => expect(decodeRequest(JSON.stringify(request))).toBeUndefined());

it.each([
  challenge,
  { type: 'joined', members: [{ member, card: 'c' }] },
  { type: 'came', member, card: 'c' },
  { type: 'went', member },
  { type: 'signal', from: member, text: 't' },
  { type: 'announcement', from: member, text: 't' },
  refusal('room-full'),
])('decodeNotice reads $type, without unknown fields', (notice) => {
  expect(decodeNotice(JSON.stringify({ ...notice, more: 1 }))).toEqual(notice);
});

it.each([
  ...[undefined, member].map((nonce) => ({ ...challenge, nonce })),
  { ...challenge, key: 'k' },
  ...['all', [{ member }], Array(129).fill({ member, card: '' })].map((members) => ({ type: 'joined', members })),
  { type: 'came', member: 'x', card: '' },
  { type: 'went' },
  { type: 'signal', from: member },
  ...['toString', 'because'].map((code) => ({ type: 'refused', code })),
])('decodeNotice refuses %.80j', (notice) => expect(decodeNotice(JSON.stringify(notice))).toBeUndefined());

it('ignores the text of a refusal that the server sends', () => {
  const sent = JSON.stringify({ type: 'refused', code: 'room-full', line: '\u001b[2J call this number' });
  expect(decodeNotice(sent)).toEqual(refusal('room-full'));
});

it('requests of up to 25 KiB are read', () => {
  const padded = JSON.stringify({ type: 'announce', text: 'text' });
  const isRead = (length: number) => decodeRequest(padded.padEnd(length)) !== undefined;
  expect([25 * 1024, 25 * 1024 + 1].map(isRead)).toEqual([true, false]);
});
