import { expected } from '@tutti/core/input';
import { maxPlaces } from '@tutti/simulation/engine';
import { dsvFormat } from 'd3-dsv';
import {
  type FileLatencies,
  LatencyBuilder,
  type LatencyReading,
  requireDistinct,
  requirePlaces,
  withSubject,
} from './latencies.ts';

/**
 * Reads a table whose cells are separated by commas, tabs or semicolons. The table is either a square matrix in ms,
 * with or without names in the first row or column and possibly blank on the diagonal. Alternatively, the table is a
 * list of edges under a header such as `from,to,ms`.
 *
 * @throws RangeError with the detected form, the line and the column.
 */
export function tableLatencies(text: string, reading: LatencyReading): FileLatencies {
  requireShortLines(text);
  const table = new Table(text);
  const columns = edgeColumns(table.head);
  return columns === undefined
    ? withSubject(`read as a square table with ${table.separator}`, () => square(table, reading))
    : withSubject(`read as a list of edges with ${table.separator}`, () => edgeList(table, columns, reading));
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

/** Separators of table cells, by their names in messages. */
const separators = { commas: ',', tabs: '\t', semicolons: ';' } as const;

/** Table in a text. The rows are parsed one at a time, and their cells have no blanks at the ends. */
class Table {
  readonly separator: keyof typeof separators;
  /** First row; empty if the table has no rows. */
  readonly head: readonly string[];
  /** Second row with content; empty if the table has fewer than two rows. */
  readonly second: readonly string[];
  /** Line number of the first row. */
  readonly firstLine: number;
  readonly #text: string;
  readonly #format: ReturnType<typeof dsvFormat>;

  constructor(text: string) {
    this.separator = separatorOf(text);
    const from = firstContent(text);
    this.firstLine = text.slice(0, from).split('\n').length;
    const end = text.indexOf('\n', text.trimEnd().length);
    this.#text = text.slice(from, end === -1 ? text.length : end);
    this.#format = dsvFormat(separators[this.separator]);
    const [firstTwoLines] = /^[^\n]*(?:\s*\S[^\n]*)?/.exec(this.#text)!;
    [this.head = [], this.second = []] = this.#format.parseRows(firstTwoLines, trimmed).filter(hasContent);
  }

  /** Calls a function for each row with content, with the row and its line number. */
  eachRow(read: (row: readonly string[], line: number) => void): void {
    this.#format.parseRows(this.#text, (row, index) => {
      const cells = trimmed(row);
      if (hasContent(cells)) read(cells, this.firstLine + index);
    });
  }
}

const hasContent = (cells: readonly string[]) => cells.length > 1 || cells[0] !== '';
const trimmed = (row: readonly string[]) => row.map((cell) => cell.trim());

/** Returns the separator of a table, which is the one that occurs most often in the first line. */
function separatorOf(text: string): keyof typeof separators {
  const [first = ''] = /^.*$/m.exec(text.trimStart()) ?? [];
  const count = (name: keyof typeof separators) => first.split(separators[name]).length;
  const names = ['commas', 'tabs', 'semicolons'] as const;
  return names.reduce((best: keyof typeof separators, name) => (count(name) > count(best) ? name : best));
}

/**
 * Returns the position of the first line that is not blank. Tabs at the beginning of that line are part of it, because
 * they separate blank cells.
 */
function firstContent(text: string): number {
  return text.lastIndexOf('\n', text.length - text.trimStart().length) + 1;
}

/** Returns whether a cell is blank or contains a text that public tables use for the latency within a place. */
const isBlank = (cell: string) => /^(|-|--|n\/?a|nan|x)$/i.test(cell);
/** Returns whether a cell is a number with a decimal comma, which the reader refuses. */
const isDecimalComma = (cell: string | undefined) => cell !== undefined && /^\d+,\d+$/.test(cell);
const isNumber = (cell: string | undefined) => cell !== undefined && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);

/** Returns the error for a cell that does not contain a number. */
function notNumber(line: number, column: number, cell: string | undefined): RangeError {
  const what = isDecimalComma(cell) ? 'milliseconds with a decimal point' : 'milliseconds';
  const got = cell === undefined ? 'no cell' : cell === '' ? 'a blank cell' : JSON.stringify(cell);
  return new RangeError(`line ${line}, column ${column}: expected ${what}, got ${got}`);
}

/** Names of the columns in a list of edges. */
const edgeHeads = {
  from: /^(from|source|src|origin|a)$/i,
  to: /^(to|target|dst|dest|destination|b)$/i,
  ms: /^(ms|latency|latency_ms|one_way_ms|one-way ms|delay|delay_ms|rtt|rtt_ms|round_trip_ms|avg|mean)$/i,
};
/** Names of those latency columns that contain round trips. */
const roundTripHead = /^(rtt|rtt_ms|round_trip_ms)$/i;

/** Indices of the columns in a list of edges. */
type EdgeColumns = Readonly<Record<keyof typeof edgeHeads, number>>;

/** Returns the columns that the first row of a list of edges names; undefined for any other row. */
function edgeColumns(head: readonly string[]): EdgeColumns | undefined {
  const indexOf = (name: RegExp) => head.findIndex((cell) => name.test(cell));
  const columns = { from: indexOf(edgeHeads.from), to: indexOf(edgeHeads.to), ms: indexOf(edgeHeads.ms) };
  return Object.values(columns).includes(-1) ? undefined : columns;
}

/** Reads a list of edges, with one pair of places and its latency per row. */
function edgeList(table: Table, { from, to, ms }: EdgeColumns, reading: LatencyReading): FileLatencies {
  const { head } = table;
  if (roundTripHead.test(head[ms]!) && !reading.isRoundTrip)
    throw new RangeError(`column ${head[ms]}: expected one-way latencies, got round trips; use rtt:FILE`);
  const indexOf = new Map<string, number>();
  const placeOf = (name: string | undefined, line: number): number => {
    if (name === undefined || name === '')
      throw new RangeError(`line ${line}: expected the names of two places, got fewer`);
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    requirePlaces(indexOf.size + 1);
    indexOf.set(name, indexOf.size);
    return indexOf.size - 1;
  };
  const isKnown = new Uint8Array(maxPlaces ** 2);
  const edges: { readonly ends: readonly [number, number]; readonly ms: number; readonly line: number }[] = [];
  table.eachRow((row, line) => {
    if (line === table.firstLine) return;
    if (row.slice(head.length).some((cell) => cell !== ''))
      throw new RangeError(expected(`line ${line}`, `${head.length} cells, as in the first row`, row.length));
    const ends = [placeOf(row[from], line), placeOf(row[to], line)] as const;
    if (!isNumber(row[ms])) throw notNumber(line, ms + 1, row[ms]);
    const pair = ends[0] * maxPlaces + ends[1];
    if (isKnown[pair] === 1) throw new RangeError(`line ${line}: expected each pair once, got a repeated pair`);
    isKnown[pair] = 1;
    edges.push({ ends, ms: Number(row[ms]), line });
  });
  const latencies = new LatencyBuilder([...indexOf.keys()], reading);
  for (const { ends, ms: value, line } of edges) latencies.set(...ends, value, () => `line ${line}, column ${ms + 1}`);
  const others = head.filter((name, column) => name !== '' && ![from, to, ms].includes(column));
  return latencies.finished(
    false,
    others.map((name) => `ignored: column ${name}`),
  );
}

/** Position of the latencies in a square table. */
interface SquareForm {
  /** Number of rows before the latencies: 1 if the first row has names, otherwise 0. */
  readonly headRows: 0 | 1;
  /** Number of columns before the latencies: 1 if the first column has names, otherwise 0. */
  readonly headColumns: 0 | 1;
  /** Number of places. */
  readonly size: number;
}

/** Returns the form of a square table, judging by its first two rows. */
function squareForm({ head, second }: Table): SquareForm {
  // A first row that contains only numbers and blanks is data, unless the row begins with a blank corner and the second
  // row has a value on the diagonal.
  const isData = (row: readonly string[]) => row.every((cell) => isNumber(cell) || isBlank(cell));
  const hasCorner = isBlank(head[0] ?? '') && isNumber(second[1]);
  const headRows = hasCorner || !isData(head.slice(1)) || (head.length === 1 && !isData(head)) ? 1 : 0;
  const headColumns = hasCorner || !isData((headRows === 1 ? second : head).slice(0, 1)) ? 1 : 0;
  const width = headRows === 1 && second.length > 0 ? second.length : head.length;
  return { headRows, headColumns, size: width - headColumns };
}

/** Reads a square table, whose rows and columns are places. */
function square(table: Table, reading: LatencyReading): FileLatencies {
  const { head } = table;
  // Without this check, numbers with decimal commas would be read as names.
  const comma = head.findIndex(isDecimalComma);
  if (comma >= 0) throw notNumber(table.firstLine, comma + 1, head[comma]);
  const form = squareForm(table);
  requirePlaces(form.size);
  const { names, rows } = squareRows(table, form);
  if (rows.length !== form.size)
    throw new RangeError(expected('rows', `${form.size} for ${form.size} columns`, rows.length));
  const places = names.length === form.size ? names : rows.map((_, index) => String(index));
  requireDistinct(places);
  const latencies = new LatencyBuilder(places, reading);
  for (const [from, { line, ms: row }] of rows.entries())
    for (const [to, ms] of row.entries())
      if (!Number.isNaN(ms)) latencies.set(from, to, ms, () => `line ${line}, column ${to + form.headColumns + 1}`);
  return latencies.finished(false, []);
}

/** Row of a square table. */
interface SquareRow {
  readonly line: number;
  /** Latencies, ms; NaN for a blank cell on the diagonal. */
  readonly ms: Float64Array;
}

/**
 * Returns the names and the rows of a square table.
 *
 * @throws RangeError for a row of another length, a first cell that differs from the column's name, or a cell that
 * should contain a number but does not.
 */
function squareRows(table: Table, { headRows, headColumns, size }: SquareForm) {
  const names = headRows === 1 ? table.head.slice(table.head.length - size) : [];
  const rows: SquareRow[] = [];
  table.eachRow((row, line) => {
    if (line < table.firstLine + headRows) return;
    const place = rows.length;
    requirePlaces(place + 1);
    const cells = row.slice(headColumns);
    if (cells.length !== size)
      throw new RangeError(expected(`line ${line}`, `${size} latencies, as in the previous line`, cells.length));
    if (headColumns === 1 && headRows === 0) names.push(row[0]!);
    if (headColumns === 1 && place < size && row[0] !== names[place]) {
      const name = `${JSON.stringify(names[place])}, as in column ${place + 2} of the first row`;
      throw new RangeError(expected(`line ${line}, column 1`, name, row[0]));
    }
    const ms = Float64Array.from(cells, (cell, column) => {
      if (isNumber(cell)) return Number(cell);
      if (isBlank(cell) && column === place) return Number.NaN;
      throw notNumber(line, column + headColumns + 1, cell);
    });
    rows.push({ line, ms });
  });
  return { names, rows };
}
