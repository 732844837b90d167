import fc from 'fast-check';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { expect, it } from 'vitest';
import { parquetBytes } from './parquet.ts';
import { type Cell, canonicalJson, columnType, digestText, resultTable, unitOf, withColumns } from './results.ts';

/** Returns the names, types and repetitions of a file's columns. */
function schemaOf(columns: readonly string[], ...rows: readonly (readonly Cell[])[]) {
  const file = parquetBytes({ columns, rows }, { command: 'test', version: '0.0.0' }).buffer as ArrayBuffer;
  return parquetSchema(parquetMetadata(file)).children.map(({ element }) => [
    element.name,
    element.converted_type ?? element.type,
    element.repetition_type,
  ]);
}

it('the type of a column does not depend on its values: integers, fractions, large or missing', () => {
  const columns = [
    ...['scenario_threshold', 'scenario_dead', 'seed', 'checked_mean', 'scenario_network', 'scenario_jitter'],
  ];
  const schema = schemaOf(columns, [1, 0, 1, 2, 'aws', true]);
  expect(schemaOf(columns, [0.99, 0.1, 2 ** 32 - 1, 2.5, '12', false])).toEqual(schema);
  expect(schemaOf(columns, Array(6).fill(null))).toEqual(schema);
  expect(schema.map(([, type]) => type)).toEqual(['DOUBLE', 'DOUBLE', 'INT64', 'DOUBLE', 'UTF8', 'BOOLEAN']);
});

it('a number in a text column is a text, and a value that is not an integer in an integer column is refused', () => {
  expect(schemaOf(['version'], [12])[0]![1]).toBe('UTF8');
  expect(() => schemaOf(['seed'], [0.5])).toThrow('column seed: expected INT64, got 0.5');
});

it('a table with further columns keeps the types of its columns', () => {
  const table = { columns: ['slot'], rows: [[1]], types: { slot: 'INT64' as const } };
  expect(withColumns(table, { inputs: 'a' })).toEqual({ ...table, columns: ['slot', 'inputs'], rows: [[1, 'a']] });
});

it('a digest has a word before its digits, so that no reader parses it as a number', () => {
  const { rows } = resultTable([{ key: '1234', digest: '12e4567890123456', version: '1', inputs: { sha256: 'ab' } }]);
  expect(rows).toEqual([['key-1234', 'digest-12e4567890123456', '1', 'sha256-ab']]);
  expect(digestText('digest', 'digest-12')).toBe('digest-12');
  expect(['key', 'digest', 'inputs_sha256'].map((name) => columnType(name))).toEqual(['STRING', 'STRING', undefined]);
});

it('a column that is named like a property of every object has neither a unit nor a prefix', () => {
  expect([unitOf('constructor'), columnType('valueOf'), digestText('constructor', 'ab')]).toEqual([...Array(2), 'ab']);
  expect([unitOf('propagation_slot_start_diff'), unitOf('bytes_per_ms')]).toEqual(['ms', 'ms']);
});

it('canonicalJson is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON has only one zero.
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('canonicalJson does not depend on the order of fields', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: undefined })).toBe('{"b":[1,{"c":3,"d":2}]}');
});
