/** Functions for Markdown in the format of the pages: lines of at most 120 columns, and digits in groups. */
const columns = 120;
const item = /^\s*(?:[-*]|\d+\.) +/;
/** Characters with a special meaning at the beginning of a line. */
const marker = /^(?:[-+*]|#{1,6}|\d+[.)]|=+|-{2,}|[>|].*|<[a-z!/].*|```.*)$/;

/**
 * Returns Markdown with the text wrapped at 120 columns. Paragraphs and list items without longer lines remain
 * unchanged, and so do tables, headings, code, HTML and comments of several lines. A line is never broken within
 * `code`.
 */
export function wrapMarkdown(text) {
  const lines = text.split('\n');
  const wrapped = [];
  let isCode = false;
  let isComment = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    const wasComment = isComment;
    if (!isCode) isComment = (isComment || line.startsWith('<!--')) && !line.includes('-->');
    if (isFence || isCode || wasComment || isComment || !isProse(line)) {
      wrapped.push(line);
      at++;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && isProse(lines[end], true) && !item.test(lines[end])) end++;
    const block = lines.slice(at, end);
    wrapped.push(...(block.some(({ length }) => length > columns) ? filled(block) : block));
    at = end;
  }
  return wrapped.join('\n');
}

/**
 * Returns whether a line is text. @param goesOn whether the previous line is text, so that this line may be indented.
 */
function isProse(line, goesOn = false) {
  if (line.trim() === '' || /^[|#<>]|^!\[|^\s*```/.test(line)) return false;
  return goesOn || item.test(line) || !line.startsWith('    ');
}

function filled(block) {
  const first = item.exec(block[0])?.[0] ?? /^ */.exec(block[0])[0];
  const indent = ' '.repeat(first.length);
  const text = [block[0].slice(first.length), ...block.slice(1).map((line) => line.trim())].join(' ');
  const words = text.match(/(?:`[^`]*`|[^\s`])+|`/g) ?? [];
  const lines = [];
  let line = first;
  for (const word of words) {
    const isFirst = line === first || line === indent;
    if (!isFirst && line.length + 1 + word.length > columns && !marker.test(word)) {
      lines.push(line);
      line = indent + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Formats a number with digits in groups of three, independent of the locale. */
export function grouped(value, digits = 0) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
