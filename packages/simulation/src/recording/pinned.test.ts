import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf, spoiltOf } from '../../../../tests/digests.ts';
import { drawAnyRun, drawFault } from '../../test/drawnRuns.ts';
import { createSimulation } from '../run/simulation.ts';
import { type ColumnCode, decodeColumn, encodeColumn } from './columnCode.ts';
import { crc32 } from './crc32.ts';
import type { Recording } from './recording.ts';
import { decodeRecording, encodeRecording, mostRecordingBytes } from './recordingFile.ts';
import { readHeader, writeHeader } from './recordingHeader.ts';

function record(draw: Draw, seed: number): Recording {
  const run = drawAnyRun(draw, seed);
  const faults = draw.list(draw.integer(0, 2), () => drawFault(draw, run.nodes));
  const options = draw.one([true, { sends: false }, { setsUpTo: 3 }]);
  const simulation = createSimulation({ ...run, faults }, { record: options, giveUpAfterMs: 600 });
  while (simulation.advance(1 << 16));
  const { result, ...recording } = simulation.recording();
  // What names the code is not what is pinned.
  return { ...recording, result: { ...result, version: '0.0.0' } };
}

it('recordings, and their files, are what they were, and read back', () => {
  const pins = drawn(12, (draw, seed) =>
    outcomeOf(() => {
      const recording = record(draw, seed);
      const file = encodeRecording(recording);
      const { scenario: _, ...back } = decodeRecording(file);
      expect(back).toEqual({ ...recording, scenario: undefined });
      return digestOf([recording, file.length, mostRecordingBytes(file.length)]);
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "1d3428eecc8e",
      "6a34dd375c11",
      "f39af95136a4",
      "64aa26e1bc51",
      "5caaf553179e",
      "1771362e72f9",
      "e5f8cdef2870",
      "7be56ce4251f",
      "531f02c677a1",
      "6cc57c20c62c",
      "db81329e457a",
      "4e0f4478c9e2",
    ]
  `);
});

it('files that are cut, changed or added to are refused with the words they were', () => {
  const file = drawn(1, (draw, seed) => encodeRecording(record(draw, seed)))[0]!;
  const pins = drawn(150, (draw) => {
    const bytes = file.slice();
    const at = draw.chance(0.5) ? draw.integer(0, 60) : draw.integer(0, bytes.length - 1);
    if (draw.chance(0.3)) return outcomeOf(() => decodeRecording(bytes.subarray(0, at)));
    if (draw.chance(0.1)) return outcomeOf(() => decodeRecording(Uint8Array.of(...bytes.subarray(0, at), 0, ...bytes)));
    bytes[at]! ^= 1 << draw.integer(0, 7);
    return outcomeOf(() => decodeRecording(bytes).length);
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"20c92811d98a"`);
});

const codes: ColumnCode[] = ['bytes', 'words', 'floats', 'signed', 'ascending', 'after', 'places'];

it.each(codes)('columns as %s are coded, read and refused as they were', (code) => {
  const pins = drawn(60, (draw) => {
    const length = draw.integer(0, 9);
    const most = draw.one([1, 127, 128, 16_383, 16_384, 2 ** 31 - 1]);
    const values = draw.list(length, () => draw.integer(draw.one([0, -1, -most]), most));
    const sorted = draw.chance(0.6) ? values.sort((a, b) => a - b) : values;
    const times = Int32Array.from(draw.list(length, () => draw.integer(0, draw.one([1, most]))));
    const column =
      code === 'bytes'
        ? Uint8Array.from(sorted)
        : code === 'floats'
          ? Float32Array.from(sorted)
          : Int32Array.from(sorted);
    const coded = outcomeOf(() => encodeColumn('it', code, column, times));
    const bytes = draw.bytes(draw.integer(0, 12)).map((byte) => (draw.chance(0.5) ? byte & 127 : byte));
    return [coded, outcomeOf(() => decodeColumn('it', code, draw.integer(0, 4), bytes, times.subarray(0, 4)))];
  });
  expect(digestOf(pins)).toMatchSnapshot();
});

it('checksums are what they were', () => {
  expect(digestOf(drawn(40, (draw, seed) => crc32(draw.bytes(seed))))).toMatchInlineSnapshot(`"158464ff522e"`);
});

it('headers with any field of another kind are refused with the words they were', () => {
  const header = {
    sends: true,
    length: 2,
    columns: [{ name: 'timeUs', code: 'ascending' as const, count: 2, bytes: 3 }],
  };
  const recording = drawn(1, record)[0]!;
  const whole = JSON.parse(new TextDecoder().decode(writeHeader({ ...recording, ...header }, header.columns)));
  const old = { ...whole, scenario: { nodes: 9 } };
  const pins = [whole, old, ...spoiltOf(whole), whole.scenario, 7, null, []].map((one) => {
    // The text that could not be parsed is the engine's; the version is not pinned.
    const read = outcomeOf(() => readHeader(new TextEncoder().encode(JSON.stringify(one) ?? '{')));
    return typeof read === 'string' ? read : { ...(read as object), result: undefined };
  });
  expect([pins.length, digestOf(pins)]).toMatchInlineSnapshot(`
    [
      1528,
      "38992061cd0b",
    ]
  `);
});
