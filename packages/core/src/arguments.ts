import { expected, isBytes, isObject, isTyped } from './errors.ts';

/**
 * Functions that check the types of arguments of public functions. The checks run before any argument is stored. Each
 * error is one line that names the argument, the expected type and the actual type. An error never shows a text or
 * bytes from an argument, because they may be secret. It may show the name of an unknown field.
 */

/**
 * Creates the error for a value of the wrong type. The error names the actual type, and shows only the values of
 * numbers, booleans, null and undefined.
 */
export function wrongType(label: string, what: string, got: unknown): TypeError {
  return new TypeError(`${label}: expected ${what}, got ${kindOf(got)}`);
}

function kindOf(got: unknown): string {
  if (typeof got === 'number' || typeof got === 'boolean' || got === null || got === undefined) return String(got);
  if (typeof got === 'string') return `a text of ${got.length} characters`;
  if (isBytes(got)) return `${got.length} bytes`;
  if (Array.isArray(got)) return `an array of ${got.length}`;
  return typeof got === 'object' ? 'an object' : `a ${typeof got}`;
}

/** Checks that a value is an object and not an array. @throws TypeError for any other value. */
export function requireObject(label: string, value: unknown, what = 'an object'): void {
  if (!isObject(value)) throw wrongType(label, what, value);
}

/** Checks that a value is an object with these methods. @throws TypeError for any other value. */
export function requireMethods(label: string, value: unknown, names: readonly string[]): void {
  // The expected text is built only for an error, because this check runs for every node of every run.
  if (!isObject(value)) throw wrongType(label, `an object with ${names.join(', ')}`, value);
  for (const name of names)
    if (typeof value[name] !== 'function') throw wrongType(`${label}.${name}`, 'a function', value[name]);
}

/** Checks that a value is a function. @throws TypeError for any other value. */
export function requireFunction(label: string, value: unknown): void {
  if (typeof value !== 'function') throw wrongType(label, 'a function', value);
}

/** Checks that a value is an array. @throws TypeError for any other value. */
export function requireArray(label: string, value: unknown, what = 'an array'): void {
  if (!Array.isArray(value)) throw wrongType(label, what, value);
}

/** Checks that a value is a string. @throws TypeError for any other value. */
export function requireText(label: string, value: unknown): void {
  if (typeof value !== 'string') throw wrongType(label, 'a text', value);
}

/** Checks that a value is a Uint8Array. @throws TypeError for any other value. */
export function requireBytes(label: string, value: unknown): void {
  if (!isBytes(value)) throw wrongType(label, 'a Uint8Array', value);
}

/** Checks that a value is an Int32Array. @throws TypeError for any other value. */
export function requireInt32Array(label: string, value: unknown, what = 'an Int32Array'): void {
  if (!isTyped(value, 'Int32Array')) throw wrongType(label, what, value);
}

/**
 * Checks that each of the named fields of an object is a Uint8Array. @throws TypeError if a field has any other value.
 */
export function requireBytesIn(label: string, value: unknown, names: readonly string[]): void {
  requireObject(label, value);
  for (const name of names) requireBytes(`${label}.${name}`, (value as Record<string, unknown>)[name]);
}

/**
 * Checks an object with optional fields for unknown ones, so that a misspelt field is not silently ignored.
 *
 * @throws TypeError if `value` is not an object or has an unknown field.
 */
export function requireKnownFields(label: string, value: unknown, known: readonly string[]): void {
  requireObject(label, value);
  const other = Object.keys(value as object).find((field) => !known.includes(field));
  if (other === undefined) return;
  throw new TypeError(`${expected(label, `no fields but ${known.join(', ')}`, other)}${suggestion(other, known)}`);
}

/** Returns the text ` (Did you mean X?)` about the {@link likeliest} word; `otherwise` if no word is similar. */
export function suggestion(text: string, words: readonly string[], otherwise = ''): string {
  const meant = likeliest(text, words);
  return meant === undefined ? otherwise : ` (Did you mean ${meant}?)`;
}

/**
 * Checks that an object has exactly the fields of another object.
 *
 * @param name name of `like` in the error if `value` is not an object.
 * @throws TypeError for any other value.
 */
export function requireFieldsOf(label: string, value: unknown, like: object, name: string): void {
  requireObject(label, value, `an object like that of ${name}`);
  requireKnownFields(label, value, Object.keys(like));
  for (const field of Object.keys(like))
    if (!Object.hasOwn(value as object, field))
      throw new TypeError(expected(`${label}.${field}`, 'a value', undefined));
}

/** Maximum length of a text that is compared with words, characters. The time of a comparison grows with the length. */
const maxLength = 64;

/**
 * Returns the word that a user who typed `text` most likely meant. The comparison ignores case.
 *
 * @returns undefined if no word is similar, if the text begins several words and none of these begins all the others,
 * or if the text has fewer than 2 or more than 64 characters.
 */
export function likeliest(text: string, words: readonly string[]): string | undefined {
  if (text.length < 2 || text.length > maxLength) return undefined;
  const typed = text.toLowerCase();
  const isPrefix = (begin: string, word: string): boolean => word.toLowerCase().startsWith(begin.toLowerCase());
  const beginning = words.filter((word) => typed.length > 2 && isPrefix(typed, word));
  // If the words include horn and horn-strawman, 'hor' means horn.
  if (beginning.length > 0) return beginning.find((word) => beginning.every((other) => isPrefix(word, other)));
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
