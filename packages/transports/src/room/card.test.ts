import { verifyEntry } from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { maxCardCharacters } from '../signalling/messages.ts';
import { decodeCard, isLabel, makeIdentity, shownText, validatorsPerMember } from './card.ts';

const bls = await loadBls();
const ann = { label: 'Ann', mayLead: false };

it('makeIdentity returns a valid entry and a card that contains it', () => {
  const { name, card, entry, sign, signAs } = makeIdentity(nodeCrypto, bls, { label: "Ann's phone", mayLead: true });
  const { validators, ...rest } = decodeCard(card)!;
  expect(rest).toEqual({ entry, label: "Ann's phone", mayLead: true });
  expect(entry.endpoint).toEqual({ host: name, port: 0 });
  expect(card.length).toBeLessThan(maxCardCharacters);
  verifyEntry(entry, 0, bls);
  const message = Uint8Array.of(1);
  expect(bls.verify(entry.publicKey, message, sign(message))).toBe(true);
  expect(validators).toHaveLength(validatorsPerMember);
  for (const [index, validator] of validators.entries()) {
    expect([validator.endpoint, validator.networkKey]).toEqual([entry.endpoint, entry.networkKey]);
    verifyEntry(validator, index, bls);
    expect(bls.verify(validator.publicKey, message, signAs(index, message))).toBe(true);
  }
});

it('makeIdentity returns a different identity each time', () => {
  const [a, b] = [makeIdentity(nodeCrypto, bls, ann), makeIdentity(nodeCrypto, bls, ann)];
  expect(a.name).not.toBe(b.name);
  expect(a.entry.publicKey).not.toEqual(b.entry.publicKey);
});

it.each([
  ['Chromium', true],
  ['José 2', true],
  ['', false],
  [' a', false],
  ['a  b', false],
  ['<b>', false],
  ['a\u202eb', false],
  ['x'.repeat(24), true],
  ['x'.repeat(25), false],
])('isLabel(%j) is %j', (text, expected) => expect(isLabel(text)).toBe(expected));

it('decodeCard refuses missing fields and fields of another type or length, and never throws', () => {
  const { card } = makeIdentity(nodeCrypto, bls, ann);
  const fields = JSON.parse(card);
  for (const wrong of [
    ...['publicKey', 'proofOfPossession', 'networkKey', 'networkKeyProof'].flatMap((field) => [
      { [field]: `${fields[field]}00` },
      { [field]: fields[field].slice(2) },
      { [field]: 7 },
    ]),
    { validators: fields.validators.slice(1) },
    { validators: [...fields.validators, fields.validators[0]] },
    { validators: fields.validators.with(3, `${fields.validators[3]}00`) },
    { validators: fields.validators.with(3, fields.validators[3].slice(2)) },
    { validators: fields.validators.with(3, 7) },
    { validators: { ...fields.validators, length: fields.validators.length } },
    ...['a  b', 7].map((label) => ({ label })),
    ...[0, 'true'].map((mayHost) => ({ mayHost })),
  ])
    expect(decodeCard(JSON.stringify({ ...fields, ...wrong })), JSON.stringify(wrong)).toBeUndefined();
  for (const field of Object.keys(fields))
    expect(decodeCard(JSON.stringify({ ...fields, [field]: undefined }))).toBeUndefined();
  for (const text of ['null', '7', '"card"']) expect(decodeCard(text)).toBeUndefined();
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => decodeCard(text) === undefined));
});

it('makeIdentity refuses an invalid label', () => {
  for (const label of ['', 'x'.repeat(25)])
    expect(() => makeIdentity(nodeCrypto, bls, { label, mayLead: true })).toThrow(
      new RangeError(`label: expected 1 to 24 characters of a name, got "${label}"`),
    );
});

it.each([
  ['grüezi, مرحبا, 你好, नमस्ते', 'grüezi, مرحبا, 你好, नमस्ते'],
  ['pay \u202e001\u202c to Ann', 'pay ⟨U+202E⟩001⟨U+202C⟩ to Ann'],
  ['no\u200bthing', 'no⟨U+200B⟩thing'],
  ['a\u00a0b\u3000c', 'a⟨U+00A0⟩b⟨U+3000⟩c'],
  ['\ufeffa\u00ad', '⟨U+FEFF⟩a⟨U+00AD⟩'],
  ['\u3164\u2800\u115f', '⟨U+3164⟩⟨U+2800⟩⟨U+115F⟩'],
  ['tag \u{e0041}', 'tag ⟨U+E0041⟩'],
  ['\ud800', '⟨U+D800⟩'],
  ['\u0007', '⟨U+0007⟩'],
  ['👩‍💻 ❤️ 👍🏽', '👩‍💻 ❤️ 👍🏽'],
  ['a\u200d👍', 'a⟨U+200D⟩👍'],
  ['a\ufe0f', 'a⟨U+FE0F⟩'],
])('%j is displayed as %j', (text, shown) => expect(shownText(text)).toBe(shown));

it('displayed text contains no invisible characters and no change of direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = shownText(text).replaceAll(/[\u200d\ufe0f]/gu, '');
      expect(shown).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
      if (!/[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/u.test(text)) expect(shown).toBe(text);
    }),
  );
});
