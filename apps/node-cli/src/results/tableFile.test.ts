import { writeFileSync } from 'node:fs';
import { parquetBytes } from '@tutti/lab/parquet';
import { resultTable } from '@tutti/lab/results';
import { defaultScenario, simulate } from '@tutti/simulation';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { resultLine } from '../sweep/resultFile.ts';
import { readTable } from './readTable.ts';
import { csvText, writeTable } from './tableFile.ts';

const { at, write } = temporaryFiles();
const origin = { command: "sweep 'my sweep.json' --out runs.csv", version: '0.0.0' };

describe('a table of results', () => {
  it('names columns by path, with their units, in the order in which they occur', () => {
    const { columns, rows } = resultTable([
      { nodes: 4, timeToThresholdMs: { min: 1, mean: 2.5 }, refused: {}, attacks: [] },
      { nodes: 8, timeToThresholdMs: { min: 3, mean: Number.NaN }, refused: { 'not-a-peer': 2 }, late: true },
    ]);
    expect(columns).toEqual([
      ...['nodes', 'time_to_threshold_ms_min', 'time_to_threshold_ms_mean', 'attacks', 'refused_not_a_peer', 'late'],
    ]);
    expect(rows).toEqual([
      [4, 1, 2.5, '[]', null, null],
      [8, 3, null, null, 2, true],
    ]);
  });

  it('decodes from CSV and from Parquet as it was written', async () => {
    const number = fc.oneof(fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const text = fc.constantFrom('a', 'with, comma', 'with "quotes"', 'two\nlines', 'ü');
    const row = fc.tuple(text, number, fc.boolean());
    let file = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (drawn) => {
        // The file formats do not distinguish -0 from 0.
        const rows = drawn.map(([name, value, truth]) => [name, value === 0 ? 0 : value, truth]);
        const written = { columns: ['text', 'number', 'truth'], rows };
        for (const ending of ['csv', 'parquet']) {
          const path = at(`${++file}.${ending}`);
          writeTable(path, written, origin);
          const found = await readTable(path);
          expect(found.columns.slice(0, 3)).toEqual(written.columns);
          expect(found.rows.map((one) => one.slice(0, 3))).toEqual(rows);
        }
      }),
      { numRuns: 25, examples: [[[]]] },
    );
  });

  it('states its origin: in the metadata of Parquet, in two last columns of CSV', async () => {
    const table = { columns: ['nodes', 'late_ms'], rows: [[4, 1.5]] };
    const seeded = { ...origin, seed: 7 };
    const bytes = parquetBytes(table, seeded);
    expect(parquetBytes(table, seeded)).toEqual(bytes);
    const { key_value_metadata } = parquetMetadata(bytes.buffer as ArrayBuffer);
    expect(key_value_metadata).toEqual([
      { key: 'tutti_command', value: `tutti ${origin.command}` },
      { key: 'tutti_version', value: '0.0.0' },
      { key: 'tutti_seed', value: '7' },
      { key: 'tutti_units', value: '{"late_ms":"ms"}' },
    ]);
    expect(await parquetReadObjects({ file: bytes.buffer as ArrayBuffer })).toEqual([{ nodes: 4, late_ms: 1.5 }]);
    expect(csvText(table, origin)).toBe(`nodes,late_ms,version,command\n4,1.5,0.0.0,${origin.command}\n`);
  });

  it.each([
    [
      'DuckDB, whose runs are padded',
      'UEFSMRUAFawBFSosFRQVABUGFQYAAFYYAgAAABQBAA0BEQkBFi4BAL4YABUCGSw1ABgNZHVja2RiX3NjaGVtYRUCABUEJQIYAW4lJAAWFBkcGRwmABwVBBkVABkYAW4VAhYUFtABFk4mCDwYCAIAAAAAAAAAGAgAAAAAAAAAABYAKAgCAAAAAAAAABgIAAAAAAAAAAAREQAZHBUAFQAVAgAAABbQARYUJggWTgAoKER1Y2tEQiB2ZXJzaW9uIHYyLjAuMSAoYnVpbGQgOGQ3ODExNGU5MCkZHBwAAACyAAAAUEFSMQ==',
      Array.from({ length: 10 }, (_, row) => [row % 3]),
    ],
    [
      'pyarrow with zstd, with a digest that could be read as a number',
      'UEFSMRUEFSAVMkwVBBUAEgAAKLUv/SAQgQAAAAAAAAAAAACamZmZmZm5PxUAFSYVOCwVoAEVEBUGFQYcAAAAKLUv/SATmQAAAwAAAKABAQEVqqqqqqqqqqqqqhUEFYAKFfABTBWgARUAEgAAKLUv/WCAAXUDAGJKGRAQYL4bKIqiKIrGVRRFkUUK/44cN2rMiPGixYoUJ0qMCPGhw4YMFypMiPCgwYIEBwoMCPDXt5d3VzcX99a2lnZWNhb21bWVdVU1FfXUtJR0VDQU9NOzk3NTMxPz0rKSclIyEvJxT1QCAAMBFQAVngEVsAEsFaABFRAVBhUGHAAAACi1L/0gT3kCAAMAAACgAQEHFYCAYEAoGA6IhGLBaDgekIhkQqlYLpiMZsPpeD6gkGhEKplOqJRqxWq5XrCYbEar2W64nG7H6/l+wKBwSCwaj8ikcslsOp8VBBU2FUhMFQIVABIAACi1L/0gG9kAABcAAABkaWdlc3QtMTJlNDU2Nzg5MDEyMzQ1NhUAFRYVKCwVoAEVEBUGFQYcAAAAKLUv/SALWQAAAwAAAKABAQGgAQAVBBlMNQAYBnNjaGVtYRUGABUKJQIYDXNjZW5hcmlvX2RlYWQAFQQlAhgEc2VlZAAVDCUCGAZkaWdlc3QlAEwcAAAAFqABGRwZPCYAHBUKGTUABhAZGA1zY2VuYXJpb19kZWFkFQwWoAEWigEWrgEmViYIKSwVBBUAFQIAFQAVEBUCADwpBhkmAKABAAAAJgAcFQQZNQAGEBkYBHNlZWQVDBagARbsCxbuAybIAya2ASksFQQVABUCABUAFRAVAgA8KQYZJgCgAQAAACYAHBUMGTUABhAZGAZkaWdlc3QVDBagARaQARa0ASaIBiakBSksFQQVABUCABUAFRAVAgA8FuAcGQYZJgCgAQAAABaGDhagASYIFtAGACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZPBwAABwAABwAAABHAQAAUEFSMQ==',
      Array.from({ length: 80 }, (_, row) => [row % 2 === 0 ? 0 : 0.1, row, 'digest-12e4567890123456']),
    ],
    [
      'pyarrow, a column of nulls with gzip',
      'UEFSMRUEFQAVKEwVABUAEgAAH4sIAAAAAAACAwMAAAAAAAAAAAAVBhUGFQZcFQgVCBUIFRAVBBUAEhwAAAAIAAAVBBksNQAYBnNjaGVtYRUCABUKJQIYAXoAFggZHBkcJgAcFQoZNQAGEBkYAXoVBBYIFlIWeiZMJggpLBUEFQAVAgAVABUQFQIAPCkGGSYIAAAAABZSFggmCBZ6ACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZHBwAAACEAAAAUEFSMQ==',
      Array.from({ length: 4 }, () => [null]),
    ],
    [
      'hyparquet-writer, a time',
      'UEFSMRUGFRQVFFwVAhUAFQIVABUEFQAAAAMBANZteZsBAAAVBBksSARyb290FQIAFQQlAhgCYXQlEgAWAhkcGRwmCBwVBBkVABkYAmF0FQAWAhY+Fj4mCAAAFj4WAjY+ACgJaHlwYXJxdWV0GRwcAAAATwAAAFBBUjE=',
      [['2026-01-01T12:00:00.000Z']],
    ],
  ])('reads the output of %s', async (_, file, rows) => {
    expect((await readTable(write('other-program.parquet', Buffer.from(file, 'base64')))).rows).toEqual(rows);
  });

  it('reads a digest of digits only as a text from CSV, and the truth values of pandas', async () => {
    const path = write('pandas.csv', 'digest,version,scenario_back_off,seed\n12e4567890123456,1,True,7\n');
    expect((await readTable(path)).rows).toEqual([['digest-12e4567890123456', '1', true, 7]]);
  });

  it.each([
    ['uneven.csv', 'a,b\n1\n', /expected 2 cells in line 2, as in the header, got 1/],
    ['twice.csv', 'a,a\n1,2\n', /expected a distinct name for each column, got "a"/],
    [
      'twice.parquet',
      parquetBytes({ columns: ['a', 'a'], rows: [[1, 2]] }, origin),
      /expected a distinct name for each column, got "a"/,
    ],
    ['other.parquet', 'nothing', /expected a Parquet file, got /],
    ['other.jsonl', '{"a":1}\n', /or a result of 'tutti sweep' in line 1, got "\{\\"a\\":1\}"/],
    ['empty.jsonl', '', /got "no whole line"/],
  ])('refuses %s in one line', async (name, content, line) => {
    await expect(readTable(write(name, content))).rejects.toThrow(line);
  });

  it('counts a complete run without line end, and no part of a run', async () => {
    const path = at('end.jsonl');
    const line = resultLine('a', simulate({ ...defaultScenario, nodes: 2 }));
    for (const [rest, runs] of [
      [line, 2],
      [line.slice(0, -1), 1],
    ] as const) {
      writeFileSync(path, `${line}\n${rest}`);
      expect((await readTable(path)).rows).toHaveLength(runs);
    }
  });
});
