import { isTerm, type Term } from './terms.ts';

export type TextPiece = { readonly text: string; readonly term?: Term };

/**
 * Splits a sentence at its marked words: `[[level]]` is the term itself, `[[level|a higher level]]` the term under
 * other words.
 */
export function pieces(sentence: string): readonly TextPiece[] {
  return sentence
    .split(/(\[\[[^\]]+\]\])/)
    .filter((part) => part !== '')
    .map((part) => {
      if (!part.startsWith('[[')) return { text: part };
      const [word, shown] = part.slice(2, -2).split('|') as [string, string?];
      if (!isTerm(word))
        throw new RangeError(`a guide's sentence marks a term: expected one that is explained, got "${word}"`);
      return { text: shown ?? word, term: word };
    });
}
