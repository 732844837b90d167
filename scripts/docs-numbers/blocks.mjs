/**
 * The numbers of a page. Those in blocks: between a comment that says which commands print them and one that has the
 * digest of their runs; CONTRIBUTING.md has the format. And those outside of blocks: parameters, measurements, what
 * others published. Each page's are kept in a file, so that one which is put into a page by hand is seen: it belongs into
 * a block, or is given and is written down.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { grouped, wrapMarkdown } from '../markdown.mjs';
import { pagesUnder, recordsOf } from '../pages.mjs';
import { root } from '../run.mjs';

const block = /<!-- numbers( long)?\n([\s\S]*?)\n-->\n([\s\S]*?)\n<!-- \/numbers(?: ([0-9a-f]{8}) ([0-9a-f]{8}))? -->/g;
/** A number of the prose, and the comment that says where it is from. */
const mark = /([\d,]*\.?\d+|\?)(<!--=([^>]+?)-->)/g;
const separator = /^\|[-|: ]+\|$/;

/** The blocks of a page, in order. */
export function blocksOf(page, text) {
  const found = [...text.matchAll(block)].map((match, index) => {
    const [whole, long, spec, body, runs, numbers] = match;
    return {
      page,
      name: `${page}#${index + 1}`,
      at: match.index,
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

/** The lines of a block's first comment: `name = command`, and of a table its `rows` and `cells`. */
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

/** A cell as it is read: without links, code marks and bold. */
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

/** `--seed 1..3` is three runs, of whose numbers the mean is taken. */
function seedsOf(command) {
  const [, from, to] = / --seed (\d+)\.\.(\d+)/.exec(command) ?? [];
  if (from === undefined) return [command];
  return Array.from({ length: to - from + 1 }, (_, k) => command.replace(/ --seed \S+/, ` --seed ${Number(from) + k}`));
}

/** The commands of each row, by their names; in `rows`, `-` leaves a row as it is, and `+` has the named ones alone. */
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

/** All commands that a block's numbers are from, each once. */
export function commandsOf(one) {
  if (one.print !== undefined) return [one.print];
  const ofRows = one.cells === undefined ? [] : rowsOf(one).filter(({ isLeft }) => !isLeft);
  const all = [...ofRows.flatMap(({ commands }) => [...commands.values()]), ...one.named.values()];
  return [...new Set(all.filter((command) => !/\{\d\}/.test(command)).flatMap(seedsOf))];
}

/**
 * @typedef {{ readonly digest: string, readonly output: string }} CommandResult
 *
 * @param {ReadonlyMap<string, CommandResult>} results by command.
 * @returns {string} the block as the runs would have it.
 */
export function rendered(one, results) {
  const view = viewOf(results);
  const body = one.print === undefined ? filledIn(one, view) : printed(results.get(one.print).output);
  const ends = `${digestOf(one, results)} ${numbersOf(body)}`;
  return `<!-- numbers${one.isLong ? ' long' : ''}\n${one.spec}\n-->\n${body}\n<!-- /numbers ${ends} -->`;
}

/** Block for a command's output: Markdown as it is if it has a table, any other text as code. */
function printed(output) {
  const text = output.trimEnd();
  return /^\|[-|: ]+\|$/m.test(text) ? text.trim() : `\`\`\`\n${text}\n\`\`\``;
}

/** Eight digits over the commands and the digests of their runs. */
export function digestOf(one, results) {
  return short(
    commandsOf(one)
      .map((command) => `${command}\0${results.get(command).digest}\n`)
      .join(''),
  );
}

/** Eight digits over the numbers of a text in their order: its words and the targets of its links may change. */
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

/** A cell by its pattern; undefined where the pattern leaves it as it is. */
function cellOf(pattern, scope) {
  if (!pattern) return undefined;
  const values = [];
  const text = pattern.replaceAll(/\{([^}]+)\}/g, (_, expression) => {
    values.push(shownOf(expression, scope));
    return values.at(-1);
  });
  return values.every((value) => value === '') ? ' ' : ` ${text} `;
}

/** `ms`, `silent.checked:1`, `invalid.ms/silent.ms:2`: what stands there for a run is its result, `run` by default. */
function shownOf(pattern, scope) {
  const [, expression, digits = '0'] = /^(.*?)(?::(\d))?$/.exec(pattern);
  // The pages are this repository's own, as its scripts are.
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
    // Of those who reached nothing there is no time.
    const time = result.reached === 0 ? {} : (result.timeToThresholdMs ?? {});
    return {
      ...result,
      ...{ ms: time.mean, least: time.min, last: time.max },
      span: time.mean === undefined ? '' : [time.min, time.mean, time.max].map((one) => grouped(one)).join(' / '),
      ...{ sent: result.messagesSent?.mean, received: result.messagesReceived?.mean, bytes: result.bytesSent?.mean },
      // What is verified together is one check of several contributions.
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

/** CHANGELOG.md is of the past; what two other tests print again needs no digest. */
const left = /^CHANGELOG|\/(architecture|scenario-schema)\.md$/;
/** Reports that a program writes whole: of these a digest of the numbers is stored. */
const written = /\/(siege|mutants)\.md$/;

/** The numbers of three or more digits of a page that are in no block, no code and no link, in order. */
export function givenIn(page, text) {
  let rest = text;
  for (const { whole } of [...blocksOf(page, text), ...recordsOf(text)]) rest = rest.replace(whole, '');
  rest = rest.replaceAll(/```[\s\S]*?```|^ {4}.*$|`[^`\n]*`|\]\([^)]*\)|<!--[\s\S]*?-->/gm, ' ');
  const numbers = rest.match(/(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,]*\d)/g) ?? [];
  return numbers.filter((number) => number.replaceAll(/\D/g, '').replace(/^0+/, '').length >= 3);
}

/** Line that is stored of a page, by which a test finds numbers that were changed by hand. */
export function keptOf(page, text) {
  if (written.test(page)) return `numbers ${numbersOf(text)}`;
  const records = recordsOf(text).map(({ name, body }) => `${name}:${numbersOf(body)}`);
  return [...givenIn(page, text), ...records].join(' ');
}

/** Stored lines of the pages as they are now, by page. */
export function givenNow() {
  const pages = pagesWithNumbers().filter((page) => !left.test(page));
  return Object.fromEntries(
    pages.map((page) => [page, keptOf(page, readFileSync(join(root, page), 'utf8'))]).filter(([, kept]) => kept !== ''),
  );
}

const folders = ['.', 'examples', 'apps/node-cli', 'tests/reports'];

/** Each package has a page for npm. */
function packages() {
  return readdirSync(join(root, 'packages')).map((name) => join('packages', name));
}

/** Every page that may hold numbers, by its path from the root. */
export function pagesWithNumbers() {
  const flat = [...folders, ...packages()].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  return [...flat, ...pagesUnder('docs')];
}
