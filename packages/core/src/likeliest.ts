/** Maximum length of a text that is compared. No known word is longer, and the time grows with both lengths. */
const maxLength = 64;

/**
 * Returns the word that a user who typed `text` most likely meant, or undefined if no word is similar. Case is ignored.
 * A text of 1 character, or of more than 64, is similar to no word.
 */
export function likeliest(text: string, words: readonly string[]): string | undefined {
  if (text.length < 2 || text.length > maxLength) return undefined;
  const typed = text.toLowerCase();
  const beginning = words.filter((word) => typed.length > 2 && word.toLowerCase().startsWith(typed));
  // Of horn and horn-strawman, 'hor' means horn.
  if (beginning.length > 0) return beginning.find((word) => beginning.every((other) => other.startsWith(word)));
  let best: string | undefined;
  // At most one letter in three may be wrong.
  let bestDistance = Math.floor(typed.length / 3) + 1;
  for (const word of words) {
    const distance = editDistance(typed, word.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

/** Returns the edit distance of two words: the minimum number of letters to insert, delete, replace or swap. */
function editDistance(a: string, b: string): number {
  let twoAbove: readonly number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? twoAbove[column - 2]! + 1 : changed;
      line.push(Math.min(changed, swapped, above[column]! + 1, line[column - 1]! + 1));
    }
    twoAbove = above;
    above = line;
  }
  return above[b.length]!;
}
