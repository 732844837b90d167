/**
 * The numbers of a page. Each block of numbers is between a comment with the commands that print the numbers and a
 * comment with the digest of the commands' runs; docs/internals/documentation.md has an example. Numbers outside of
 * blocks are parameters, measurements and published values. A file stores these numbers for each page, so that a test
 * detects a manually added number: the number belongs in a block, or must be added to the file.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { grouped, wrapMarkdown } from '../markdown.mjs';
import { pagesUnder, recordsOf } from '../pages.mjs';
import { root } from '../run.mjs';

const block = /<!-- numbers( long)?\n([\s\S]*?)\n-->\n([\s\S]*?)\n<!-- \/numbers(?: ([0-9a-f]{8}) ([0-9a-f]{8}))? -->/g;
/** Pattern of a number in the text, followed by the comment that states its source. */
const mark = /([\d,]*\.?\d+|\?)(<!--=([^>]+?)-->)/g;
const separator = /^\|[-|: ]+\|$/;

/** Returns the blocks of a page, in order. */
export function blocksOf(page, text) {
  const found = [...text.matchAll(block)].map((match, index) => {
    const [whole, long, spec, body, runs, numbers] = match;
    return {
      page,
      name: `${page}#${index + 1}`,
      whole,
      isLong: long !== undefined,
      ...read(spec),
      spec,
      body,
      runs,
      numbers,
    };
  });
  const openings = text.match(/^<!-- numbers\b/gm)?.length ?? 0;
  if (openings !== found.length)
    throw new Error(`${page}: expected ${openings} blocks of numbers, each with an end, got ${found.length}`);
  return found;
}

/** Reads the lines of a block's first comment: `name = command` and, for a table, its `rows` and `cells`. */
function read(spec) {
  const fields = { rows: undefined, cells: undefined, print: undefined };
  const runs = new Map();
  for (const line of spec.split('\n')) {
    const [, name, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`expected NAME = COMMAND in a block of numbers, got ${line}`);
    if (name in fields) fields[name] = value;
    else runs.set(name, value);
  }
  return { ...fields, named: runs };
}

/** Returns the text of a cell without links, code marks and bold. */
const plain = (cell) =>
  cell
    .trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');
const cellsOf = (line) => line.slice(1, -1).split(/(?<!\\)\|/);

function tableOf(body) {
  const lines = body.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(lines.findIndex((line) => separator.test(line)) + 1);
}

/** Returns the commands of a range of seeds: `--seed 1..3` stands for three runs, whose mean is used. */
function seedsOf(command) {
  const [, from, to] = / --seed (\d+)\.\.(\d+)/.exec(command) ?? [];
  if (from === undefined) return [command];
  return Array.from({ length: to - from + 1 }, (_, k) => command.replace(/ --seed \S+/, ` --seed ${Number(from) + k}`));
}

/**
 * Returns the commands of each row, by their names. In `rows`, `-` leaves a row unchanged, and `+` uses only the named
 * commands.
 */
function rowsOf({ body, rows, named }) {
  const own = rows?.split(';').map((one) => one.trim());
  const table = tableOf(body);
  if (own !== undefined && own.length !== table.length)
    throw new Error(`expected a command for each of ${table.length} rows, got ${own.length}`);
  return table.map((line, index) => {
    const cells = cellsOf(line).map(plain);
    const filled = (command) =>
      command.replaceAll(/\{(\d)\}/g, (_, column) => cells[column - 1].replaceAll(/(?<=\d),(?=\d)/g, ''));
    const commands = new Map([...named].map(([name, command]) => [name, filled(command)]));
    if (own !== undefined && own[index] !== '+') commands.set('run', own[index]);
    return { isLeft: own?.[index] === '-', commands };
  });
}

/** Returns all commands of a block, each once. */
export function commandsOf(one) {
  if (one.print !== undefined) return [one.print];
  const ofRows = one.cells === undefined ? [] : rowsOf(one).filter(({ isLeft }) => !isLeft);
  const all = [...ofRows.flatMap(({ commands }) => [...commands.values()]), ...one.named.values()];
  return [...new Set(all.filter((command) => !/\{\d\}/.test(command)).flatMap(seedsOf))];
}

/**
 * @typedef {{ readonly digest: string, readonly output: string }} CommandResult
 *
 * @param {ReadonlyMap<string, CommandResult>} results results by command.
 * @returns {string} the block with the numbers of these results.
 */
export function rendered(one, results) {
  const view = viewOf(results);
  const body = one.print === undefined ? filledIn(one, view) : printed(results.get(one.print).output);
  const ends = `${digestOf(one, results)} ${numbersOf(body)}`;
  return `<!-- numbers${one.isLong ? ' long' : ''}\n${one.spec}\n-->\n${body}\n<!-- /numbers ${ends} -->`;
}

/**
 * Returns the block for a command's output: unchanged Markdown if the output contains a table, any other text as code.
 */
function printed(output) {
  const text = output.trimEnd();
  return /^\|[-|: ]+\|$/m.test(text) ? text.trim() : `\`\`\`\n${text}\n\`\`\``;
}

/** Returns eight digits that identify the commands and the digests of their runs. */
function digestOf(one, results) {
  return short(
    commandsOf(one)
      .map((command) => `${command}\0${results.get(command).digest}\n`)
      .join(''),
  );
}

/**
 * Returns eight digits that identify the numbers of a text and their order. The digits do not depend on words and on
 * the targets of links.
 */
export function numbersOf(text) {
  const shown = text.replaceAll(/\]\([^)]*\)/g, ']');
  return short([...shown.matchAll(/\d[\d,.]*/g)].join(' '));
}

const short = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

function filledIn(one, view) {
  const scopeOf = (commands) =>
    Object.fromEntries(
      [...commands].filter(([, command]) => !/\{\d\}/.test(command)).map(([name, command]) => [name, view(command)]),
    );
  const everywhere = scopeOf(one.named);
  const marked = one.body.replaceAll(
    mark,
    (_, _number, comment, pattern) => `${shownOf(pattern, everywhere)}${comment}`,
  );
  if (one.cells === undefined) return wrapMarkdown(marked);
  const rows = rowsOf(one);
  const patterns = cellsOf(one.cells);
  const columns = cellsOf(one.body.split('\n').find((line) => line.startsWith('|'))).length;
  if (patterns.length !== columns)
    throw new Error(`expected a pattern for each of ${columns} columns, got ${patterns.length}: ${one.cells}`);
  let row = -1;
  let isBody = false;
  const lines = marked.split('\n').map((line) => {
    if (separator.test(line)) isBody = true;
    if (!line.startsWith('|') || separator.test(line) || !isBody) return line;
    row++;
    if (rows[row].isLeft) return line;
    const scope = scopeOf(rows[row].commands);
    const cells = cellsOf(line).map((cell, column) => cellOf(patterns[column]?.trim(), scope) ?? cell);
    return `|${cells.join('|')}|`;
  });
  return lines.join('\n');
}

/** Returns a cell computed by its pattern; undefined if the pattern leaves the cell unchanged. */
function cellOf(pattern, scope) {
  if (!pattern) return undefined;
  const values = [];
  const text = pattern.replaceAll(/\{([^}]+)\}/g, (_, expression) => {
    values.push(shownOf(expression, scope));
    return values.at(-1);
  });
  return values.every((value) => value === '') ? ' ' : ` ${text} `;
}

/**
 * Returns the text for an expression such as `ms`, `silent.checked:1` or `invalid.ms/silent.ms:2`. The name of a run
 * stands for its result; the default is `run`.
 */
function shownOf(pattern, scope) {
  const [, expression, digits = '0'] = /^(.*?)(?::(\d))?$/.exec(pattern);
  // The expressions come from pages of this repository, which are trusted like its scripts.
  const value = new Function('scope', `with (scope) with (scope.run ?? {}) return (${expression});`)(scope);
  if (typeof value === 'string') return value;
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  return grouped(value, Number.isInteger(value) ? 0 : Number(digits));
}

/** Returns a view of a command's output, with short names for the most frequent fields. */
function viewOf(results) {
  return (command) => {
    const seeds = seedsOf(command).map((one) => JSON.parse(results.get(one).output));
    const result = meanOf(seeds);
    // If no node reaches the threshold, there is no time.
    const time = result.reached === 0 ? {} : (result.timeToThresholdMs ?? {});
    return {
      ...result,
      ...{ ms: time.mean, least: time.min, last: time.max },
      span: time.mean === undefined ? '' : [time.min, time.mean, time.max].map((one) => grouped(one)).join(' / '),
      ...{ sent: result.messagesSent?.mean, received: result.messagesReceived?.mean, bytes: result.bytesSent?.mean },
      // A joint verification of several contributions counts as one check.
      ...{ batches: result.checks?.mean },
      ...{ checks: result.checked?.mean, invalid: result.checkedInvalid?.mean },
    };
  };
}

function meanOf(values) {
  const [first] = values;
  if (typeof first === 'number') return values.reduce((sum, value) => sum + value, 0) / values.length;
  if (typeof first !== 'object' || first === null || values.some((value) => value === null)) return first;
  if (Array.isArray(first)) return first;
  return Object.fromEntries(Object.keys(first).map((key) => [key, meanOf(values.map((value) => value?.[key]))]));
}

export const givenFile = join(root, 'tests/vectors/given-numbers.json');

/** Pages without a check: CHANGELOG.md describes the past, and two other tests reproduce the other two pages. */
const left = /^CHANGELOG|\/(architecture|scenario-schema)\.md$/;
/** Reports that a program generates completely. For these reports, a digest of the numbers is stored. */
const written = /\/(siege|mutants)\.md$/;

/** Returns, in order, the numbers with three or more digits on a page that are not in a block, code or a link. */
export function givenIn(page, text) {
  let rest = text;
  for (const { whole } of [...blocksOf(page, text), ...recordsOf(text)]) rest = rest.replace(whole, '');
  rest = rest.replaceAll(/```[\s\S]*?```|^ {4}.*$|`[^`\n]*`|\]\([^)]*\)|<!--[\s\S]*?-->/gm, ' ');
  const numbers = rest.match(/(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,]*\d)/g) ?? [];
  return numbers.filter((number) => number.replaceAll(/\D/g, '').replace(/^0+/, '').length >= 3);
}

/** Returns the stored line for a page, with which a test detects manually changed numbers. */
export function keptOf(page, text) {
  if (written.test(page)) return `numbers ${numbersOf(text)}`;
  const records = recordsOf(text).map(({ name, body }) => `${name}:${numbersOf(body)}`);
  return [...givenIn(page, text), ...records].join(' ');
}

/** Returns the current lines for all pages, by page. */
export function givenNow() {
  const pages = pagesWithNumbers().filter((page) => !left.test(page));
  return Object.fromEntries(
    pages.map((page) => [page, keptOf(page, readFileSync(join(root, page), 'utf8'))]).filter(([, kept]) => kept !== ''),
  );
}

const folders = ['.', 'examples', 'apps/node-cli', 'tests/reports'];

/** Returns the folders of all packages. Each package has a page for npm. */
function packages() {
  return readdirSync(join(root, 'packages')).map((name) => join('packages', name));
}

/** Returns all pages that may contain numbers, as paths from the root. */
export function pagesWithNumbers() {
  const flat = [...folders, ...packages()].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  return [...flat, ...pagesUnder('docs')];
}
