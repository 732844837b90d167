import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf, spoiltOf } from '../../../../tests/digests.ts';
import { drawAnyRun, drawFault } from '../../test/drawnRuns.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { ByteWriter } from './byteWriter.ts';
import { type ColumnCode, decodeColumn, encodeColumn } from './columnCode.ts';
import { crc32 } from './crc32.ts';
import { LineKind, type Recording } from './recording.ts';
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

it('columns with an entry that no run has are refused with the words they were', () => {
  const scenario = { ...defaultScenario, nodes: 5 };
  const simulation = createSimulation(scenario, { record: true });
  while (simulation.advance(1 << 16));
  const whole = simulation.recording();
  const { world } = whole;
  const first = whole.kind.indexOf(LineKind.improve);
  const spoilt = <T extends object>(of: T, name: keyof T) => {
    const column = of[name] as unknown as Int32Array;
    return [0, first, column.length - 1].flatMap((at) =>
      [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 31, 32, 1e6, 2 ** 31 - 1].map((value) => {
        const changed = column.slice();
        changed[at] = value;
        return { ...of, [name]: changed };
      }),
    );
  };
  const read = (recording: Recording) => {
    const refused = outcomeOf(() => void decodeRecording(encodeRecording(recording)));
    return refused ?? 'read';
  };
  const ofWorld = (['alive', 'startUs', 'region', 'cpuFactor'] as const).map(
    (name) => [name, spoilt(world, name).map((one) => read({ ...whole, world: one }))] as const,
  );
  const ofLines = (['timeUs', 'kind', 'node', 'peer', 'level', 'value', 'untilUs', 'set'] as const).map(
    (name) => [name, spoilt(whole, name).map(read)] as const,
  );
  const pins = [...ofWorld, ...ofLines].map(([name, outcomes]) => `${name} ${digestOf(outcomes)}`);
  expect(pins).toMatchInlineSnapshot(`
    [
      "alive a7e53ef05e37",
      "startUs 2a3dea54696e",
      "region 2b864ec0414b",
      "cpuFactor d40d43a4b626",
      "timeUs 04cea1abd8e0",
      "kind b6dbff961f35",
      "node 61021aa8c283",
      "peer 4a4843a3face",
      "level af755cd14f23",
      "value 71d8c7f378d4",
      "untilUs fda96e1a9f9a",
      "set 33bbbfa1fd84",
    ]
  `);
});

it('a header that is longer than any, or than the file, is refused with the words it was', () => {
  const lengths = [0, 2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1, 2 ** 17, 2 ** 17 + 1];
  const pins = lengths.flatMap((length) =>
    [2 ** 16, 2 ** 18].map((room) => {
      const file = new Uint8Array(16 + room).fill(0x20);
      file.set([...'TUTTIREC'].map((letter) => letter.charCodeAt(0)));
      new DataView(file.buffer).setUint32(8, 2, true);
      new DataView(file.buffer).setUint32(12, length, true);
      return outcomeOf(() => decodeRecording(file));
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "RangeError: header: expected JSON, got """,
      "RangeError: header: expected JSON, got """,
      "RangeError: header: expected JSON, got "                                        "",
      "RangeError: header: expected JSON, got "                                        "",
      "RangeError: header: expected JSON, got "                                        "",
      "RangeError: header: expected JSON, got "                                        "",
      "RangeError: recording: expected a whole header, got "65552 bytes in all"",
      "RangeError: recording: expected a whole header, got "262160 bytes in all"",
      "RangeError: recording: expected a whole header, got "65552 bytes in all"",
      "RangeError: recording: expected a whole header, got "262160 bytes in all"",
      "RangeError: recording: expected a whole header, got "65552 bytes in all"",
      "RangeError: recording: expected a whole header, got "262160 bytes in all"",
    ]
  `);
});

it('bytes are written as they were, however little room there is at first', () => {
  const pins = drawn(60, (draw) => {
    const writer = new ByteWriter(draw.integer(1, 9));
    const taken: unknown[] = [];
    for (let left = draw.integer(0, 40); left > 0; left--) {
      const value = draw.integer(0, draw.one([127, 128, 2 ** 31 - 1, 2 ** 40]));
      draw.one([
        () => writer.byte(value),
        () => writer.uint32(value),
        () => writer.varint(value),
        () => writer.append(draw.bytes(draw.integer(0, 30))),
        () => draw.chance(0.2) && taken.push([...writer.take()]),
      ])();
      taken.push(writer.length);
    }
    return [taken, writer.take()];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"3714bdbfaef5"`);
});
