import { parquetBytes } from '@tutti/lab/parquet';
import { describe, expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from './readTable.ts';
import { maxCells, maxColumns, requireTableSize } from './tableSize.ts';

const { write } = temporaryFiles();

async function refusalOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = write(name, content);
  return readTable(path).then(
    ({ columns, rows }) => `read ${columns.length} x ${rows.length}`,
    (error: Error & { code: string }) => `${error.code}: ${error.message.replace(`${path}: `, '')}`,
  );
}

describe('a table that is read', () => {
  it('a table has a maximum number of columns and cells, and is refused with one more of either', () => {
    requireTableSize(maxColumns, maxCells / maxColumns);
    expect(() => requireTableSize(maxColumns + 1, 1)).toThrow('4,097 columns; at most 4,096 can be read');
    expect(() => requireTableSize(maxColumns, maxCells / maxColumns + 1)).toThrow('at most 67,108,864 can be read');
  });

  it('of CSV, or of lines of a sweep, is refused by its head, with any content after it', async () => {
    const names = Array.from({ length: maxColumns + 1 }, (_, column) => `c${column}`);
    expect(await refusalOf('most.csv', `${names.slice(1)}\n`)).toBe(`read ${maxColumns} x 0`);
    expect(await refusalOf('more.csv', `${names}\n"`)).toMatch(/^too-large: expected a table, got 4,097/);
    const spread = { mean: 1, max: 1 };
    const costs = { messagesSent: spread, bytesSent: spread, checked: spread };
    const more = Object.fromEntries(names.map((name) => [name, 1]));
    const run = { key: 'a', reached: 1, live: 1, timeToThresholdMs: spread, ...costs, more };
    expect(await refusalOf('more.jsonl', `${JSON.stringify(run)}\n`)).toMatch(/^too-large: .* columns; at most 4,096/);
  });

  it('of lines of a sweep is refused if one is nested too deep', async () => {
    const deep = `{"key":"a","reached":1,"more":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}\n`;
    expect(await refusalOf('deep.jsonl', deep)).toMatch(/^not-results: .*result of 'tutti sweep' in line 1/);
  });
});

describe('a Parquet file', () => {
  const rows = 100;
  const origin = { command: 'sweep', version: '1' };
  const cells = Array.from({ length: rows }, (_, row) => [row, `row ${row % 3}`]);
  const good = parquetBytes({ columns: ['n', 'name'], rows: cells }, origin);
  /** Thrift encodes an integer as twice its value, with seven bits per byte. */
  const [count, larger] = [rows, 8191].map((value) => [((2 * value) & 127) | 128, (2 * value) >> 7] as const);

  /** Returns the file with a larger integer at a place. */
  function changed(file: Uint8Array, at: number): Uint8Array {
    const bytes = Uint8Array.from(file);
    bytes.set(larger!, at);
    return bytes;
  }

  it('is refused if a page has more values than its column has rows', async () => {
    expect(await refusalOf('good.parquet', good)).toBe(`read 2 x ${rows}`);
    const places = [...good.keys()].filter((at) => good[at] === count![0] && good[at + 1] === count![1]);
    const refusals: string[] = [];
    for (const at of places) refusals.push(await refusalOf('changed.parquet', changed(good, at)));
    expect(refusals[0]).toBe('too-large: expected a table, got a column with more values than rows');
    expect(refusals.length).toBeGreaterThan(3);
    for (const refusal of refusals) expect(refusal).not.toMatch(/^fault/);
  });

  it('is refused if a page states a larger size than its compression allows', async () => {
    const even = parquetBytes({ columns: ['n'], rows: Array(rows).fill(['a'.repeat(200)]) }, origin);
    // The first page's header starts after four bytes: its type, and its size in two bytes of seven bits.
    expect([even[4], even[6], even[7]! >> 7, even[8]! >> 7]).toEqual([0x15, 0x15, 1, 0]);
    expect(await refusalOf('page.parquet', changed(even, 7))).toBe(
      'too-large: expected a table, got a page with an uncompressed size that its compression cannot produce',
    );
  });

  it('a Parquet file is refused if a run has one more value than its page', async () => {
    const run = good.findIndex((_, at) => good[at] === count![0] && good[at + 1] === 1 && good[at + 2] === 1);
    const bytes = Uint8Array.from(good);
    // The length of a run is encoded as twice its value, like an integer.
    bytes[run] = ((2 * (rows + 1)) & 127) | 128;
    expect(await refusalOf('run.parquet', bytes)).toMatch(/^not-results: .*got "a run with more values than its page"/);
  });

  it('is refused if each text repeats the previous one, which no length limits', async () => {
    // A file written by pyarrow with 20 texts in DELTA_BYTE_ARRAY encoding.
    const file =
      'UEFSMRUAFdYBFdYBLBUoFQ4VBhUGHAAAAAIAAAAoAYABBBQAAAUAAAAUAAAAAAAEAAAAAAAAAAAAAAAAAIABBBQqJwUAAACAUkoppbROSimllFIAAAAAAAAAAHh4eHh4eHh4eHh4eHh4eHh4eHh4MDEyMzQ1Njc4OTEwMTIzNDU2Nzg5FQQZLDUAGAZzY2hlbWEVAgAVDCUCGAFzJQBMHAAAABYoGRwZHCYAHBUMGSUGDhkYAXMVABYoFoACFoACJghJHBUAFQ4VAgA8FtwGGQYZJgAoAAAAFoACFigmCBaAAgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAhwAAAFBBUjE=';
    expect(await refusalOf('repeats.parquet', Buffer.from(file, 'base64'))).toMatch(/^not-results: .*DELTA_BYTE_ARRAY/);
  });

  it.each([
    // Eight bytes remain after the length of the first list.
    ['a list with more elements than remaining bytes', [0x19, 0xf3, 9]],
    ['a list with more elements than remaining bytes', [0x19, 0x19, 0]],
    ['structures nested too deeply', Array.from({ length: 13 }, () => 0x1c)],
    ['an integer of more than 64 bits', [0x16, ...Array.from({ length: 10 }, () => 0x80), 0]],
  ])('a Parquet file is refused if its end contains %s', async (fault, end) => {
    const file = [...Buffer.from('PAR1'), ...end, end.length, 0, 0, 0, ...Buffer.from('PAR1')];
    expect(await refusalOf('end.parquet', Uint8Array.from(file))).toContain(`got "${fault}"`);
  });
});
