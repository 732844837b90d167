/**
 * Maximum nesting depth of arrays and objects in a document. This limit exceeds the depth of all of this project's
 * documents and is far below the stack's limit.
 */
const maxDepth = 100;

/**
 * Error for a rejected JSON text. The message is a noun phrase that describes the text, in some cases with a corrective
 * action. The message quotes no part of the text.
 */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * Parses a JSON text. The parser removes one byte order mark at the beginning of the text. The parser rejects text that
 * other parsers interpret differently or cannot process: UTF-16 that was read as UTF-8, a name that occurs twice in one
 * object, and values nested more than 100 deep. The parser takes linear time in the length of the text.
 *
 * @throws JsonError for a rejected text.
 */
export function parseJson(text: string): unknown {
  const json = withoutMark(text);
  if (isLikelyUtf16(json)) throw new JsonError('UTF-16; save it as UTF-8');
  // The scan precedes the parser, so that no later code receives a deeply nested value.
  scan(json);
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new JsonError(`text that is not JSON${placeOf(json, cause)}`, { cause });
  }
}

/**
 * Returns the position at which the parser stopped, for use in an editor, or an empty text if the parser does not
 * report the position. The function does not use the parser's own message, because that message quotes the text.
 */
function placeOf(json: string, cause: unknown): string {
  // V8's message ends with the position. Text that V8 quotes is followed by other words.
  const [, position] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec((cause as Error).message) ?? [];
  if (position === undefined) return '';
  const lines = json.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${lines.at(-1)!.length + 1})`;
}

/** Returns a text without the byte order mark that some editors prepend. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Returns whether a text is probably UTF-16. A UTF-8 decoder replaces both bytes of UTF-16's byte order mark. In UTF-16
 * without a byte order mark, every second byte of ASCII text is zero.
 */
function isLikelyUtf16(text: string): boolean {
  return text.startsWith('\ufffd\ufffd') || text[0] === '\0' || text[1] === '\0';
}

/** Scans strings, objects and arrays. The parser checks all other syntax. */
function scan(json: string): void {
  /** Names so far in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{':
      case '[':
        if (open.length === maxDepth) throw new JsonError(`values nested more than ${maxDepth} levels deep`);
        open.push(json[at] === '{' ? new Set() : undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(json, at);
        if (isName(json, end)) addName(open.at(-1), json.slice(at, end));
        at = end - 1;
      }
    }
  }
}

/** Returns the index after the closing quote of a string, or the end of the text. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, json.length);
}

/** Returns whether a colon follows a string. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (at < json.length && ' \t\n\r'.includes(json[at]!)) at++;
  return json[at] === ':';
}

/**
 * Adds a name to the set of names in an object.
 *
 * @param names undefined outside an object, where a name is a syntax error that the parser reports.
 * @param quoted name as written, in quotes. The same name may be written with or without escapes.
 * @throws JsonError for a name that the object already has.
 */
function addName(names: Set<string> | undefined, quoted: string): void {
  const name = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (names?.has(name)) throw new JsonError('an object with a repeated name');
  names?.add(name);
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    // The string is invalid JSON. The parser will reject the whole text.
    return quoted;
  }
}
