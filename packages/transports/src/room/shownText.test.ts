import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownText } from './shownText.ts';

it.each([
  ['pay 100 to Ann', 'pay 100 to Ann'],
  ['grüezi, مرحبا, 你好, नमस्ते', 'grüezi, مرحبا, 你好, नमस्ते'],
  ['pay \u202e001\u202c to Ann', 'pay ⟨U+202E⟩001⟨U+202C⟩ to Ann'],
  ['pay \u2066a\u2069', 'pay ⟨U+2066⟩a⟨U+2069⟩'],
  ['no\u200bthing', 'no⟨U+200B⟩thing'],
  ['a\u00a0b\u3000c', 'a⟨U+00A0⟩b⟨U+3000⟩c'],
  ['a\u2028b', 'a⟨U+2028⟩b'],
  ['\ufeffa\u00ad', '⟨U+FEFF⟩a⟨U+00AD⟩'],
  ['\u3164\u2800\u115f', '⟨U+3164⟩⟨U+2800⟩⟨U+115F⟩'],
  ['tag \u{e0041}', 'tag ⟨U+E0041⟩'],
  ['\ud800', '⟨U+D800⟩'],
  ['\u0007', '⟨U+0007⟩'],
  ['👩‍💻 ❤️ 👍🏽', '👩‍💻 ❤️ 👍🏽'],
  ['a\u200d👍', 'a⟨U+200D⟩👍'],
  ['a\ufe0f', 'a⟨U+FE0F⟩'],
])('%j is displayed as %j', (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

it('displayed text contains no invisible characters and no change of direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = shownText(text).replaceAll(/[\u200d\ufe0f]/gu, '');
      expect(shown).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
      if (!/[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\u2800]/u.test(text)) expect(shown).toBe(text);
    }),
  );
});
