import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expected, isObject } from '@tutti/core/input';
import { maxPlaces, networkText } from '@tutti/simulation/engine';
import type { TextReader } from '@tutti/simulation/fields';
import { dsvFormat } from 'd3-dsv';
import { warn } from '../context.ts';
import { isFileNetwork, networkFileForm, takeNetwork, withFileForms } from '../networkFile.ts';
import { readInput } from '../output/inputs.ts';
import { gmlLatencies } from './gml.ts';
import {
  type FileLatencies,
  LatencyBuilder,
  type LatencyReading,
  requireDistinct,
  requirePlaces,
} from './latencies.ts';
import { checkFields, each, type FieldTable, readSettings, requireFields } from './settingsText.ts';

/** Number of characters at the start of a file that determine its form if its extension is unknown. */
const beginningLength = 4096;

/**
 * Reads latencies from a file. The name of the file determines its form; if the name does not, the first characters do.
 *
 * @param readRelative reads another file that this file names by a relative path.
 * @throws RangeError with the detected form, the line or field, and the error.
 */
export function readLatencies(
  path: string,
  text: string,
  reading: LatencyReading,
  readRelative: (path: string) => string,
): FileLatencies {
  const is = (ending: RegExp, beginning: RegExp) =>
    ending.test(path) ||
    (!/\.(gml|ya?ml|json|csv|tsv|txt)$/i.test(path) && beginning.test(text.slice(0, beginningLength)));
  if (is(/\.gml$/i, /^(\s|#.*\n|Creator.*\n|Version.*\n)*graph\s*\[/))
    return inForm('a GML graph', () => gmlLatencies(text, reading));
  if (is(/\.ya?ml$/i, /^(general|network|hosts):/m))
    return inForm("Shadow's YAML", () =>
      shadowLatencies(text, reading, (name) => readRelative(resolve(dirname(path), name))),
    );
  if (is(/\.json$/i, /^\s*[[{]/)) return inForm('JSON', () => jsonLatencies(readSettings('JSON', text), reading));
  return tableLatencies(text, reading);
}

/**
 * Fields of a Shadow configuration (documentation of version 3.x). Hosts are assigned to the places of the graph in
 * rotation.
 */
const shadowFields: FieldTable = {
  ...each('ignored', 'general', 'experimental', 'host_option_defaults', 'hosts'),
  network: {
    fields: {
      graph: { fields: { type: 'used', inline: 'used', file: { fields: each('used', 'path', 'compression') } } },
      use_shortest_path: 'used',
    },
  },
};

function shadowLatencies(text: string, reading: LatencyReading, readRelative: (path: string) => string): FileLatencies {
  const file = readSettings('YAML', text);
  const ignored = checkFields("Shadow's configuration", shadowFields, file);
  const { network } = file as { readonly network?: Readonly<Record<string, unknown>> };
  requireFields('network', network);
  requireFields('network.graph', network.graph);
  const { type, inline, file: of } = network.graph;
  if (type !== 'gml') throw new RangeError(expected('network.graph.type', 'gml', type));
  if (isObject(of) && of.compression !== undefined && of.compression !== null)
    throw new RangeError(`${expected('network.graph.file.compression', 'none', of.compression)}; decompress the file`);
  const path = isObject(of) && typeof of.path === 'string' ? of.path : undefined;
  const graph = inline ?? (path === undefined ? undefined : readRelative(path));
  if (typeof graph !== 'string')
    throw new RangeError(expected('network.graph', 'an inline graph, or a file with a path', graph ?? null));
  const { use_shortest_path: isFastest = true } = network;
  if (typeof isFastest !== 'boolean' && isFastest !== null)
    throw new RangeError(expected('network.use_shortest_path', 'true or false', isFastest));
  // By default, Shadow replaces a direct edge with the fastest path.
  const isShortest = reading.isShortest || isFastest !== false;
  const read = () => gmlLatencies(graph, { ...reading, isShortest });
  const { notes, ...latencies } = inline === undefined ? withoutQuotes(read) : read();
  return { ...latencies, notes: [...(ignored.length === 0 ? [] : [`ignored: ${ignored.join(', ')}`]), ...notes] };
}

/**
 * Runs a reader of a file whose name comes from another file. Errors do not quote the file, because its content may be
 * secret.
 */
function withoutQuotes<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message =
      'network.graph.file.path: expected a GML graph, got another format; to use that file, select it with file:FILE';
    throw new RangeError(message, { cause });
  }
}

/**
 * Reads a matrix in the field `oneWayMs` with optional names, or an object of objects whose keys are the names of the
 * places.
 */
function jsonLatencies(value: unknown, reading: LatencyReading): FileLatencies {
  if (!isObject(value)) throw new RangeError(expected('the file', 'an object whose keys are places', value));
  if (Array.isArray(value.oneWayMs)) {
    checkFields('a matrix of latencies', each('used', 'places', 'oneWayMs'), value);
    const rows = value.oneWayMs as readonly unknown[];
    const places = value.places ?? rows.map((_, index) => String(index));
    if (!Array.isArray(places) || !places.every((name) => typeof name === 'string') || places.length !== rows.length)
      throw new RangeError(expected('places', `${rows.length} names`, value.places));
    requireDistinct(places);
    const latencies = new LatencyBuilder(places, reading);
    rows.forEach((row, from) => {
      if (!Array.isArray(row) || row.length !== places.length)
        throw new RangeError(expected(`oneWayMs[${from}]`, `${places.length} latencies`, row));
      row.forEach((ms, to) => {
        if (ms !== null || from !== to) latencies.set(from, to, numberOf(ms), () => `oneWayMs[${from}][${to}]`);
      });
    });
    return latencies.finished(false, []);
  }
  const found = new Set<string>();
  for (const [from, row] of Object.entries(value)) {
    requireFields(from, row);
    for (const place of [from, ...Object.keys(row)]) requirePlaces(found.add(place).size);
  }
  const places = [...found];
  const latencies = new LatencyBuilder(places, reading);
  const indexOf = new Map(places.map((name, index) => [name, index]));
  for (const [from, row] of Object.entries(value as Readonly<Record<string, object>>)) {
    for (const [to, ms] of Object.entries(row))
      if (ms !== null) latencies.set(indexOf.get(from)!, indexOf.get(to)!, numberOf(ms), () => `${from}.${to}`);
  }
  return latencies.finished(false, []);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

const heads = {
  from: /^(from|source|src|origin|a)$/i,
  to: /^(to|target|dst|dest|destination|b)$/i,
  ms: /^(ms|latency|latency_ms|one_way_ms|one-way ms|delay|delay_ms|rtt|rtt_ms|round_trip_ms|avg|mean)$/i,
  roundTrip: /^(rtt|rtt_ms|round_trip_ms)$/i,
};

/** Separators of table cells, by their names in messages. */
const separators = { commas: ',', tabs: '\t', semicolons: ';' } as const;

/** Returns the separator of a table, which is the one that occurs most often in the first line. */
function separatorOf(text: string): keyof typeof separators {
  const [first = ''] = /^.*$/m.exec(text.trimStart()) ?? [];
  const count = (name: keyof typeof separators) => first.split(separators[name]).length;
  return (['tabs', 'semicolons'] as const).find((name) => count(name) > count('commas')) ?? 'commas';
}

/** Returns whether a cell is blank or contains a text that public tables use for the latency within a place. */
const isBlank = (cell: string) => /^(|-|--|n\/?a|nan|x)$/i.test(cell);
const isDecimalComma = (cell: string | undefined) => cell !== undefined && /^\d+,\d+$/.test(cell);
const isNumber = (cell: string | undefined) => cell !== undefined && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);

/**
 * Reads a table whose cells are separated by commas, tabs or semicolons. The table is either a square matrix in ms,
 * with or without names in the first row or column and possibly blank on the diagonal. Alternatively, the table is a
 * list of edges under a header such as `from,to,ms`.
 *
 * @throws RangeError with the detected form, the line and the column.
 */
function tableLatencies(text: string, reading: LatencyReading): FileLatencies {
  requireShortLines(text);
  const separator = separatorOf(text);
  const format = dsvFormat(separators[separator]);
  // The first two rows are parsed here only to determine the form.
  const lines = withoutBlankLines(text);
  const [head = [], second = []] = format.parseRows(/^(.*\n?){0,2}/.exec(lines)![0]).map(trimmed);
  const [from, to] = [heads.from, heads.to].map((name) => head.findIndex((cell) => name.test(cell)));
  const ms = head.findIndex((cell) => heads.ms.test(cell));
  const rows: Rows = (read) => {
    format.parseRows(lines, (row, index) => {
      if (row.length > 1 || row[0] !== '') read(trimmed(row), index + 1);
    });
  };
  if (from! >= 0 && to! >= 0 && ms >= 0) {
    if (heads.roundTrip.test(head[ms]!) && !reading.isRoundTrip)
      throw new RangeError(`column ${head[ms]}: expected one-way latencies, got round trips; use rtt:FILE`);
    const notes = head
      .filter((name, column) => name !== '' && ![from, to, ms].includes(column))
      .map((name) => `ignored: column ${name}`);
    const columns = [from!, to!, ms, head.length] as const;
    return inForm(`a list of edges with ${separator}`, () => edgeList(rows, columns, notes, reading));
  }
  return inForm(`a square table with ${separator}`, () => square(rows, head, second, reading));
}

/**
 * Returns a text without blank lines at its beginning and end. Tabs at the beginning or end of any other line remain,
 * because they separate blank cells.
 */
function withoutBlankLines(text: string): string {
  const from = text.lastIndexOf('\n', text.length - text.trimStart().length) + 1;
  const end = text.indexOf('\n', text.trimEnd().length);
  return text.slice(Math.min(from, text.length), end === -1 ? text.length : end);
}

/** Maximum length of a line in a table, characters: a row of all places with 64 characters per cell. */
const maxLineLength = 64 * maxPlaces;

/**
 * Checks the lengths of lines. @throws RangeError before a long line is split into cells, of which there could be as
 * many as characters.
 */
function requireShortLines(text: string): void {
  for (let [line, at] = [1, 0]; at < text.length; line++) {
    const end = text.indexOf('\n', at);
    const length = (end === -1 ? text.length : end) - at;
    if (length > maxLineLength)
      throw new RangeError(expected(`line ${line}`, `at most ${maxLineLength} characters`, length));
    at += length + 1;
  }
}

/** Returns the error for a cell that does not contain a number. */
function notNumber(line: number, column: number, cell: string | undefined): RangeError {
  const what = isDecimalComma(cell) ? 'milliseconds with a decimal point' : 'milliseconds';
  const got = cell === '' ? 'a blank cell' : JSON.stringify(cell);
  return new RangeError(`line ${line}, column ${column}: expected ${what}, got ${got}`);
}

/** Runs a reader, and puts a subject before the message of its RangeError. */
function withSubject<T>(subject: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof RangeError ? new RangeError(`${subject}: ${cause.message}`, { cause }) : cause;
  }
}

const inForm = <T>(form: string, read: () => T): T => withSubject(`read as ${form}`, read);

/** Calls a function for each non-blank row of a table, with the row and its line number. */
type Rows = (read: (row: readonly string[], line: number) => void) => void;
const trimmed = (row: readonly string[]) => row.map((cell) => cell.trim());

const repeated = (line: number) => new RangeError(`line ${line}: expected each pair once, got a repeated pair`);

function edgeList(
  rows: Rows,
  [from, to, ms, width]: readonly [from: number, to: number, ms: number, width: number],
  notes: readonly string[],
  reading: LatencyReading,
) {
  const indexOf = new Map<string, number>();
  const edges: { readonly ends: readonly [number, number]; readonly ms: number; readonly line: number }[] = [];
  const placeOf = (name: string | undefined, line: number): number => {
    if (name === undefined || name === '')
      throw new RangeError(`line ${line}: expected the names of two places, got fewer`);
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    requirePlaces(indexOf.size + 1);
    indexOf.set(name, indexOf.size);
    return indexOf.size - 1;
  };
  rows((row, line) => {
    if (line === 1) return;
    if (row.slice(width).some((cell) => cell !== ''))
      throw new RangeError(expected(`line ${line}`, `${width} cells, as in the first line`, row.length));
    const ends = [placeOf(row[from], line), placeOf(row[to], line)] as const;
    if (!isNumber(row[ms])) throw notNumber(line, ms + 1, row[ms]);
    edges.push({ ends, ms: Number(row[ms]), line });
    // The list has more edges than pairs of places, so the rest of the file need not be read.
    if (edges.length > indexOf.size ** 2) throw repeated(line);
  });
  const latencies = new LatencyBuilder([...indexOf.keys()], reading);
  for (const { ends, ms: value, line } of edges) {
    if (latencies.has(...ends)) throw repeated(line);
    latencies.set(...ends, value, () => `line ${line}, column ${ms + 1}`);
  }
  return latencies.finished(false, notes);
}

/**
 * Returns whether the first row of a square table has names, whether its first column has names, and its number of
 * places, judging by its first two rows.
 */
function squareForm(head: readonly string[], second: readonly string[]) {
  // A first row that contains only numbers and blanks is data, unless the row begins with a blank corner and the second
  // row has a value on the diagonal.
  const isData = (row: readonly string[]) => row.every((cell) => isNumber(cell) || isBlank(cell));
  const hasCorner = isBlank(head[0] ?? '') && isNumber(second[1]);
  const hasHead = hasCorner || !isData(head.slice(1)) || (head.length === 1 && !isData(head));
  const hasNames = hasCorner || !isData((hasHead ? second : head).slice(0, 1));
  const size = (hasHead && second.length > 0 ? second.length : head.length) - (hasNames ? 1 : 0);
  return { hasHead, hasNames, size };
}

function square(rows: Rows, head: readonly string[], second: readonly string[], reading: LatencyReading) {
  // Without this check, numbers with decimal commas would be read as names.
  const comma = head.findIndex(isDecimalComma);
  if (comma >= 0) throw notNumber(1, comma + 1, head[comma]);
  const { hasHead, hasNames, size } = squareForm(head, second);
  requirePlaces(size);
  const skip = hasHead ? 1 : 0;
  const names: string[] = hasHead ? head.slice(head.length - size) : [];
  const matrix: Float64Array[] = [];
  rows((row, line) => {
    if (line <= skip) return;
    requirePlaces(matrix.length + 1);
    if (hasNames && !hasHead) names.push(row[0]!);
    const cells = hasNames ? row.slice(1) : row;
    if (cells.length !== size)
      throw new RangeError(expected(`line ${line}`, `${size} latencies, as in the previous line`, cells.length));
    const place = matrix.length;
    if (hasNames && hasHead && place < size && row[0] !== names[place])
      throw new RangeError(
        expected(
          `line ${line}, column 1`,
          `${JSON.stringify(names[place])}, as in column ${place + 2} of the first line`,
          row[0],
        ),
      );
    matrix.push(
      Float64Array.from(cells, (cell, column) => {
        if (isNumber(cell)) return Number(cell);
        if (isBlank(cell) && column === place) return Number.NaN;
        throw notNumber(line, column + (hasNames ? 2 : 1), cell);
      }),
    );
  });
  if (matrix.length !== size) throw new RangeError(expected('rows', `${size} for ${size} columns`, matrix.length));
  const places = names.length === size ? names : matrix.map((_, index) => String(index));
  requireDistinct(places);
  const latencies = new LatencyBuilder(places, reading);
  for (const [from, row] of matrix.entries())
    for (const [to, ms] of row.entries())
      if (!Number.isNaN(ms))
        latencies.set(from, to, ms, () => `line ${from + skip + 1}, column ${to + (hasNames ? 2 : 1)}`);
  return latencies.finished(false, []);
}

/** Maximum size of a network file, bytes. */
const maxNetworkBytes = 2 ** 26;

/**
 * Reads the file that a network's name refers to, so that scenarios of this thread can use the network. The function
 * ignores networks that are not files.
 *
 * @param isRecorded true if the run is recorded, which limits the number of places.
 * @throws WorldError for a file that cannot be read; RangeError with the file's name for a file that has none of the
 * supported forms.
 */
export function takeNetworkFile(network: string, isRecorded = false): void {
  if (!isFileNetwork(network)) return;
  const [form, path] = [network.slice(0, network.indexOf(':')), network.slice(network.indexOf(':') + 1)];
  const { text, input } = readInput(path, maxNetworkBytes);
  const files = [input];
  const readNeighbour = (neighbour: string): string => {
    const read = readInput(neighbour, maxNetworkBytes);
    files.push(read.input);
    return read.text;
  };
  const reading: LatencyReading = { isRoundTrip: form === 'rtt', isShortest: form === 'shortest', isRecorded };
  withSubject(path, () => {
    const { notes, ...matrix } = readLatencies(path, text, reading, readNeighbour);
    for (const note of notes) warn(`${path}: ${note}`);
    takeNetwork(network, { ...matrix, inputs: files });
  });
}

/**
 * Calls {@link takeNetworkFile} for a network that a user entered. @throws RangeError with the label, also for a path
 * without a form.
 */
export function takeGivenNetwork(label: string, network: string, isRecorded = false): void {
  if (isFileNetwork(network) && network.endsWith(':')) throw new RangeError(expected(label, networkFileForm, network));
  if (!isFileNetwork(network) && /[./\\]/.test(network) && existsSync(network))
    throw new RangeError(`${expected(label, 'file:FILE for a file', network)}; say file:${network}`);
  withSubject(label, () => takeNetworkFile(network, isRecorded));
}

/** Reads a network that a user entered: a name, or a file, which the function reads immediately. */
export const networkOrFileText: TextReader<string> = (label, text) => {
  takeGivenNetwork(label, text);
  return withFileForms(() => networkText(label, text));
};
