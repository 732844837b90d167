import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../../tests/outcomes.ts';
import { isWhole } from '../../../../tests/sampled.ts';
import { anySmallScenario, recordingOf } from '../../test/recordings.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { LineKind } from './recording.ts';
import { crc32, decodeRecording, encodeRecording } from './recordingFile.ts';

const small = recordingOf({ ...defaultScenario, nodes: 13, dead: 0.2, desyncMs: 30 });
const checked = encodeRecording(small);

/** Returns the file in format 1, which has no checksum, so that errors in the content are reported. */
const unchecked = (bytes: Uint8Array): Uint8Array => bytes.slice(0, -4).with(8, 1);
const file = unchecked(checked);

test('decodeRecording() returns the recording that encodeRecording() encoded', () => {
  fc.assert(
    fc.property(anySmallScenario, fc.boolean(), (scenario, sends) => {
      const recording = recordingOf(scenario, { sends });
      expect(decodeRecording(encodeRecording(recording))).toEqual(recording);
    }),
    { numRuns: 10 },
  );
});

test('a scenario and the names of places may be long', () => {
  const scenario = { ...small.scenario, network: `file:${'a'.repeat(2 ** 17)}` };
  const world = { ...small.world, regionNames: small.world.regionNames.map((name) => name.padEnd(101)) };
  const long = { ...small, scenario, result: { ...small.result, scenario }, world };
  expect(decodeRecording(encodeRecording(long))).toEqual(long);
});

test('messages on undefined levels and their refusals are decoded', () => {
  const attacks = [{ name: 'malformed', share: 0.3 }];
  const attacked = recordingOf({ ...defaultScenario, nodes: 13, threshold: 0.7, attacks });
  expect(Math.max(...attacked.level)).toBeGreaterThan(attacked.world.levels);
  expect(decodeRecording(encodeRecording(attacked))).toEqual(attacked);
});

test('a file has the same bytes for the same run, and begins as the page on the format states', () => {
  expect(unchecked(encodeRecording(recordingOf(small.scenario)))).toEqual(file);
  expect(checked[8]).toBe(2);
  expect(String.fromCharCode(...file.subarray(0, 8))).toBe('TUTTIREC');
  expect([...file.subarray(8, 12)]).toEqual([1, 0, 0, 0]);
  const header = JSON.parse(String.fromCharCode(...file.subarray(16, 16 + file[12]! + 256 * file[13]!)));
  expect(Object.keys(header)).toEqual(['scenario', 'result', 'world', 'sends', 'length', 'columns']);
  expect(header.result.digest).toBe(small.result.digest);
});

test('an unknown field is omitted if it changes nothing, and refused otherwise', () => {
  const older = (adaptive: boolean, contacts: string) =>
    withHeader((header) => Object.assign(header.scenario, { adaptive, contacts }));
  expect(decodeRecording(older(false, 'one')).scenario).toEqual(small.scenario);
  expect(() => decodeRecording(older(true, 'one'))).toThrow(
    new RangeError('adaptive: expected false, the only value in versions after abb67a70, got true'),
  );
  expect(() => decodeRecording(older(false, 'proportion'))).toThrow(
    new RangeError('contacts: expected one, the only value in versions after abb67a70, got "proportion"'),
  );
});

test('a field that an older version did not write has its default in the scenario, and is missing in the result', () => {
  const older = withHeader((header) => {
    delete header.scenario.priorities;
    delete header.result.percentiles;
  });
  const { percentiles: _, ...result } = small.result;
  expect(decodeRecording(older)).toMatchObject({ scenario: small.scenario });
  expect(decodeRecording(older).result).toEqual(result);
});

const many = isWhole ? 4096 : 512;
test(`a recording of ${many} nodes has its share of the 15 MB of 4096`, { timeout: 60_000 }, () => {
  const recording = recordingOf({ ...defaultScenario, nodes: many });
  const bytes = encodeRecording(recording);
  expect(bytes.length).toBeLessThan((15e6 / 4096) * many);
  const decoded = decodeRecording(bytes);
  expect(decoded.result).toEqual(recording.result);
  for (const name of ['timeUs', 'kind', 'node', 'peer', 'level', 'value', 'untilUs', 'set', 'words'] as const)
    expect(Buffer.compare(new Uint8Array(recording[name].buffer), new Uint8Array(decoded[name].buffer))).toBe(0);
});

/** A parsed header, whose fields a test can change. */
type AnyHeader = Record<'scenario' | 'result' | 'world', Record<string, unknown>> & { columns: object[] };

/** Returns the file with a changed header and the correct length. */
function withHeader(change: (header: AnyHeader) => void): Uint8Array {
  const length = file[12]! + 256 * file[13]!;
  const header = JSON.parse(String.fromCharCode(...file.subarray(16, 16 + length)));
  change(header);
  const text = JSON.stringify(header);
  const changed = new Uint8Array(16 + text.length + file.length - 16 - length);
  changed.set(file.subarray(0, 16));
  new DataView(changed.buffer).setUint32(12, text.length, true);
  for (let at = 0; at < text.length; at++) changed[16 + at] = text.charCodeAt(at);
  changed.set(file.subarray(16 + length), 16 + text.length);
  return changed;
}

describe('refuses in one line a file that is not a recording:', () => {
  const refused = (bytes: Uint8Array, message?: RegExp) => {
    const line = String(outcomeOf(() => decodeRecording(bytes)));
    expect(line).toMatch(/^RangeError: .{1,300}$/);
    expect(line.slice('RangeError: '.length)).toMatch(message ?? /: expected .*, got /);
  };

  test('every truncation', () => {
    for (let length = 0; length < file.length; length += length < 20 ? 1 : 97) refused(file.subarray(0, length));
    refused(file.subarray(0, file.length - 1));
  });
  test.each([
    ['bytes after the end', Uint8Array.from([...file, 0]), /bytes in all/],
    ['an empty file', new Uint8Array(0), /TUTTIREC/],
    ['another file', new Uint8Array(100), /TUTTIREC/],
    ['a compressed file', Uint8Array.of(0x1f, 0x8b, ...file), /TUTTIREC/],
    ['another version', file.with(8, 3), /format 1 or 2, got 3/],
    ['a header that is not JSON', file.with(16, 0x5b), /JSON/],
  ])('%s', (_what, bytes, message) => refused(bytes, message));
  test('a file with checksum that is truncated, extended, or changed in any bit', () => {
    for (let length = 0; length < checked.length; length += length < 20 ? 1 : 97) refused(checked.subarray(0, length));
    refused(Uint8Array.from([...checked, 0]), /bytes in all/);
    refused(checked.with(8, 1), /bytes in all/);
    const headerEnd = 16 + checked[12]! + 256 * checked[13]!;
    for (let at = headerEnd; at < checked.length; at += isWhole ? 11 : 43) {
      const changed = checked.with(at, checked[at]! ^ (1 << (at & 7)));
      refused(changed, /^recording: expected bytes of CRC-32 [0-9a-f]{8}, got "?[0-9a-f]{8}"?$/);
    }
    for (let at = 0; at < headerEnd; at += isWhole ? 5 : 17) refused(checked.with(at, checked[at]! ^ (1 << (at & 7))));
  });
  test('no file of format 1, which is still accepted', () =>
    expect(decodeRecording(file)).toEqual(decodeRecording(checked)));

  test('a header of over 2^25 bytes or longer than the file, before its content is read', () => {
    for (const [length, room, subject] of [
      [2 ** 16, 2 ** 16, 'header'],
      [2 ** 16, 2 ** 16 - 1, 'recording'],
      [2 ** 25 + 1, 2 ** 25 + 1, 'recording'],
    ] as const) {
      const bytes = new Uint8Array(16 + room).fill(0x20);
      bytes.set(file.subarray(0, 16));
      new DataView(bytes.buffer).setUint32(12, length, true);
      refused(bytes, new RegExp(`^${subject}: expected`));
    }
  });

  const wrong = (part: 'scenario' | 'result' | 'world', fields: object) => (header: AnyHeader) =>
    Object.assign(header[part], fields);
  test.each<readonly [label: string, change: (header: AnyHeader) => void]>([
    ['scenario.nodes', wrong('scenario', { nodes: '13' })],
    ['nodes', wrong('scenario', { nodes: 2 ** 21 })],
    ['alive', wrong('scenario', { nodes: 2 ** 20 })],
    ['plan of across-levels', wrong('scenario', { attacks: [{ name: 'across-levels', share: 0.1, plan: 5 }] })],
    ['scenario.network', wrong('scenario', { network: { toString: 1 } })],
    ['scenario', (header) => Object.assign(header, { scenario: null })],
    ['result', (header) => Object.assign(header, { result: [] })],
    ['result.digest', wrong('result', { digest: 5 })],
    ['result.bytesSent', wrong('result', { bytesSent: null })],
    ['result.checked.max', wrong('result', { checked: { min: 1, mean: 2 } })],
    ['result.reached', wrong('result', { reached: 14 })],
    ['result.ended', wrong('result', { ended: 'soon' })],
    ['result.signers', wrong('result', { signers: 1 })],
    ['result.untilThreshold.timeMs.min', wrong('result', { untilThreshold: { timeMs: { min: -1 } } })],
    ['result.stake.total', wrong('result', { stake: { total: '1e3' } })],
    ['result.percentiles.timeToThresholdMs.p50', wrong('result', { percentiles: { timeToThresholdMs: {} } })],
    ['result.refused', wrong('result', { refused: { code: 0.5 } })],
    ['world.threshold', wrong('world', { threshold: 14 })],
    ['region', wrong('world', { regionNames: ['a'] })],
    ['world.regionNames', wrong('world', { regionNames: [5] })],
    ['sends', (header) => Object.assign(header, { sends: 1 })],
    ['length', (header) => Object.assign(header, { length: -1 })],
    ['timeUs', (header) => Object.assign(header, { length: 5 })],
    ['columns', (header) => Object.assign(header, { columns: {} })],
    ['recording', (header) => header.columns.pop()],
    ['columns', (header) => header.columns.push({ name: 'more', code: 'bytes', count: 0, bytes: 0 })],
    ['columns[0]', (header) => header.columns.reverse()],
  ])('a header with wrong %s', (label, change) => {
    refused(withHeader(change), new RegExp(`^${label.replace(/[[\].]/g, '\\$&')}: expected`));
  });

  test.each(['scenario', 'scenario.cpu'])('an unknown field of %s, which the error names', (label) => {
    const file = withHeader(({ scenario }) =>
      Object.assign(label === 'scenario' ? scenario : scenario.cpu!, { own: 1 }),
    );
    refused(file, new RegExp(`^${label}: expected only fields that this version knows, got "own"$`));
  });

  test('lines that are impossible in a run', () => {
    const improve = small.kind.indexOf(LineKind.improve);
    for (const [name, value, line] of [
      ['kind', 7, improve],
      ['node', 13, improve],
      ['node', -1, improve],
      ['peer', 13, improve],
      ['peer', -2, improve],
      ['peer', -1, small.kind.indexOf(LineKind.send)],
      ['level', 5, improve],
      ['level', 0, improve],
    ] as const)
      refused(encodeRecording({ ...small, [name]: small[name].with(line, value) }), new RegExp(`^${name}: expected `));
  });
  test('missing sets', () => {
    const last = small.set.lastIndexOf(small.set.reduce((most, place) => Math.max(most, place), -1));
    refused(encodeRecording({ ...small, set: small.set.with(last, small.words.length) }), /^set/);
    refused(encodeRecording({ ...small, words: new Int32Array(0) }), /^set/);
    refused(encodeRecording({ ...small, set: small.set.with(0, 0) }), /^set/);
  });
  test('a network that no scenario has', () => {
    for (const [name, value] of Object.entries({ role: 3, startUs: -2, region: 11, cpuFactor: Number.NaN })) {
      const world = { ...small.world, [name]: small.world[name as 'role'].with(3, value) };
      refused(encodeRecording({ ...small, world }), new RegExp(`^${name === 'role' ? 'alive' : name}: expected `));
    }
  });
});

test('crc32() has the check value of the standard', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});
