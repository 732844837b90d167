import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNotice, decodeRequest, maxCardCharacters, maxTextCharacters, refusal } from './messages.ts';

const member = 'a1'.repeat(32);
const proof = 'b2'.repeat(32);

describe('decodeRequest', () => {
  it.each([
    { type: 'join', room: 'class-7_b', member, card: '{}', proof },
    { type: 'join', room: 'class-7_b', member, card: '{}', proof, invitation: 'aZ09_-'.padEnd(22, 'x') },
    { type: 'signal', to: member, text: 'sealed' },
    { type: 'announce', text: '' },
  ])('reads $type', (request) => {
    expect(decodeRequest(JSON.stringify({ ...request, more: 1 }))).toEqual(request);
  });

  it.each([
    { type: 'join', room: '', member, card: '', proof },
    { type: 'join', room: 'a room', member, card: '', proof },
    { type: 'join', room: 'x'.repeat(65), member, card: '', proof },
    { type: 'join', room: 'x', member: member.toUpperCase(), card: '', proof },
    { type: 'join', room: 'x', member, card: 'x'.repeat(maxCardCharacters + 1), proof },
    { type: 'join', room: ['x'], member, card: '', proof },
    { type: 'join', room: 'x', member, card: '' },
    { type: 'join', room: 'x', member, card: '', proof: proof.slice(1) },
    { type: 'join', room: 'x', member, card: '', proof: 7 },
    { type: 'join', room: 'x', member, card: '', proof, invitation: 'x'.repeat(21) },
    { type: 'join', room: 'x', member, card: '', proof, invitation: null },
    { type: 'signal', to: 'me', text: '' },
    { type: 'signal', to: member },
    { type: 'announce', text: 'x'.repeat(maxTextCharacters + 1) },
    { type: 'announce', text: 7 },
    { type: 'leave' },
    {},
    [],
    null,
    'join',
  ])('refuses %.80j', (request) => {
    expect(decodeRequest(JSON.stringify(request))).toBeUndefined();
  });
});

describe('decodeNotice', () => {
  it.each([
    { type: 'challenge', key: member, nonce: 'c3'.repeat(16) },
    { type: 'joined', members: [{ member, card: 'c' }] },
    { type: 'came', member, card: 'c' },
    { type: 'went', member },
    { type: 'signal', from: member, text: 't' },
    { type: 'announcement', from: member, text: 't' },
    refusal('room-full'),
  ])('reads $type', (notice) => {
    expect(decodeNotice(JSON.stringify({ ...notice, more: 1 }))).toEqual(notice);
  });

  it.each([
    { type: 'challenge', key: member },
    { type: 'challenge', key: member, nonce: member },
    { type: 'challenge', key: 'k', nonce: 'c3'.repeat(16) },
    { type: 'joined', members: 'all' },
    { type: 'joined', members: [{ member }] },
    { type: 'joined', members: Array.from({ length: 129 }, () => ({ member, card: '' })) },
    { type: 'came', member: 'x', card: '' },
    { type: 'went' },
    { type: 'signal', from: member },
    { type: 'refused', code: 'toString' },
    { type: 'refused', code: 'because' },
  ])('refuses %.80j', (notice) => {
    expect(decodeNotice(JSON.stringify(notice))).toBeUndefined();
  });

  it('ignores the text of a refusal that the server sends', () => {
    const sent = JSON.stringify({ type: 'refused', code: 'room-full', line: '\u001b[2J call this number' });
    expect(decodeNotice(sent)).toEqual(refusal('room-full'));
  });
});

it('neither decoder throws for any text', () => {
  const fields = fc.record(
    {
      type: fc.constantFrom(
        'join',
        'signal',
        'announce',
        'challenge',
        'joined',
        'came',
        'went',
        'announcement',
        'refused',
      ),
      room: fc.anything(),
      member: fc.anything(),
      members: fc.anything(),
      card: fc.anything(),
      proof: fc.anything(),
      key: fc.anything(),
      nonce: fc.anything(),
      to: fc.anything(),
      from: fc.anything(),
      text: fc.anything(),
      code: fc.anything(),
    },
    { requiredKeys: ['type'] },
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fields.map((value) => JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? String(held) : held))),
  );
  fc.assert(
    fc.property(texts, (text) => {
      decodeRequest(text);
      decodeNotice(text);
    }),
  );
});

it('requests of up to 25 KiB are read', () => {
  const padded = JSON.stringify({ type: 'announce', text: 'text' });
  const isRead = (length: number) => decodeRequest(padded.padEnd(length)) !== undefined;
  expect([25 * 1024, 25 * 1024 + 1].map(isRead)).toEqual([true, false]);
});
