/** The one of these words that a person who typed `text` most likely meant; undefined where none is like it. */
export function likeliest(text: string, words: readonly string[]): string | undefined {
  const typed = text.toLowerCase();
  if (typed.length < 2) return undefined;
  const begun = words.filter((word) => typed.length > 2 && word.toLowerCase().startsWith(typed));
  if (begun.length > 0) return begun.length === 1 ? begun[0] : undefined;
  let best: string | undefined;
  // One letter in three may be wrong.
  let least = Math.floor(typed.length / 3) + 1;
  for (const word of words) {
    const apart = editDistance(typed, word.toLowerCase());
    if (apart < least) [best, least] = [word, apart];
  }
  return best;
}

/** How many letters have to be put in, left out, changed or swapped to make one word of the other. */
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
