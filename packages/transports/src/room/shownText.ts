import { requireText } from '@tutti/core/input';

/**
 * Pattern of characters that are invisible, or change the display of other characters: controls, formats (bidirectional
 * ones, zero-width spaces and joiners, tags), characters that a font may leave out, blanks other than a space, line
 * separators, fillers, and private and missing characters.
 */
const unseenCharacters = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu;

/** Parts of an emoji: the selector of its coloured form, and the joiner of two emoji. */
const inEmoji =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * Returns the text of another party in a form that is safe to display. Each character that is invisible, or changes how
 * others are displayed, is replaced with its code point in angle brackets. Programs use the original text.
 */
export function shownText(text: string): string {
  requireText('text', text);
  const kept = new Set([...text.matchAll(inEmoji)].map(({ index }) => index));
  return text.replace(unseenCharacters, (character, at: number) => {
    if (kept.has(at)) return character;
    return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
