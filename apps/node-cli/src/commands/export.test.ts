import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { version } from '@tutti/core';
import { decodeRecording, perfettoTrace, shivizLog } from '@tutti/simulation';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentFrom, refusalOf, tutti } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readRecording } from '../runFiles.ts';

const { at, folder, write } = temporaryFiles();

const run = ['simulate', '--nodes', '20', '--dead', '0.1', '--json'];
let recorded: Awaited<ReturnType<typeof tutti>>;
beforeAll(async () => {
  recorded = await tutti(...run, '--record', at('run.tutti'));
  await tutti(...run, '--no-sends', '--record', at('quiet.tutti'));
});

describe('simulate --record', () => {
  it('writes its run, compressed, and leaves no other file', () => {
    const { wallSeconds, peakRssBytes, ...document } = JSON.parse(recorded.out);
    expect(readRecording(at('run.tutti')).result).toEqual(document);
    expect([...readFileSync(at('run.tutti')).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(readdirSync(folder).sort()).toEqual(['quiet.tutti', 'run.tutti']);
  });

  it('does not change the run', async () => {
    expect(JSON.parse((await tutti(...run)).out).digest).toBe(JSON.parse(recorded.out).digest);
  });

  it('--no-sends omits messages', () => {
    expect(readRecording(at('run.tutti')).sends).toBe(true);
    const { result } = readRecording(at('run.tutti'));
    expect(readRecording(at('quiet.tutti'))).toMatchObject({ sends: false, result });
  });

  it.each([
    [at('no/run'), `expected the folder ${at('no')}, found none; create it or choose another`],
    [folder, 'expected a regular file to replace, got something else; choose another name'],
  ])('%s is refused in one line', async (path, line) => {
    expect(refusalOf(await tutti(...run, '--record', path), 1)).toBe(`${path}: ${line}`);
  });
});

describe('export', () => {
  it('writes the export of core', async () => {
    const recording = readRecording(at('run.tutti'));
    const document = await documentFrom(`export ${at('run.tutti')} --perfetto ${at('a')} --shiviz ${at('b')}`);
    const trace = Buffer.concat([...perfettoTrace(recording)]);
    const log = [...shivizLog(recording)].join('');
    expect(document).toEqual({
      files: [
        { file: at('a'), bytes: trace.length },
        { file: at('b'), bytes: log.length },
      ],
    });
    expect(readFileSync(at('a')).equals(trace)).toBe(true);
    expect(readFileSync(at('b'), 'utf8')).toBe(log);
  });

  it('--no-messages omits messages from the trace, and so does a recording without messages', async () => {
    write('plain.tutti', gunzipSync(readFileSync(at('run.tutti'))));
    const { code, out } = await tutti('export', at('plain.tutti'), '--perfetto', at('c'), '--no-messages');
    expect({ code, out }).toEqual({ code: 0, out: `${at('c')}: 0.0 MB\n` });
    const recording = decodeRecording(readFileSync(at('plain.tutti')));
    expect(readFileSync(at('c')).equals(Buffer.concat([...perfettoTrace(recording, { messages: false })]))).toBe(true);
  });

  it.each([
    ['quiet.tutti', 'expected a recording with its messages, got one made with --no-sends'],
    [
      'run.tutti',
      'expected at most 17 live nodes, got 18; use --max-nodes to raise the limit (a log of 256 nodes takes 90 MB)',
    ],
  ])('vector clocks that %s does not allow are refused before any output is written', async (name, line) => {
    const targets = ['--shiviz', at('d'), '--perfetto', at('e'), '--max-nodes', '17'];
    expect(refusalOf(await tutti('export', at(name), ...targets))).toBe(`--shiviz: ${line}`);
    expect(readdirSync(folder).filter((one) => /^[de]$/.test(one))).toEqual([]);
  });

  it('reports the version that made the recording, if it differs', async () => {
    const old = fileURLToPath(new URL('../../../../tests/vectors/recording.tutti', import.meta.url));
    const made = readRecording(old).result.version;
    expect(await tutti('export', old, '--shiviz', at('old.log'))).toMatchObject({
      code: 0,
      err: `${old}: recorded by version ${made}, read by ${version}; the recorded run is unchanged\n`,
    });
    expect(await tutti('export', at('run.tutti'), '--shiviz', at('new.log'))).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['nothing', ': cannot be read (ENOENT)'],
    [
      'empty',
      ': expected a recording of a run, got another file (recording: expected a file that begins with TUTTIREC, got "0 other bytes")',
    ],
    ['cut.gz', ': expected a recording of a run, got another file (unexpected end of file)'],
  ])('%s, which is not a recording, prints one line and exits with 1', async (name, line) => {
    write('empty', '');
    write('cut.gz', readFileSync(at('run.tutti')).subarray(0, 500));
    expect(refusalOf(await tutti('export', at(name), '--perfetto', at('e')), 1)).toBe(`${at(name)}${line}`);
    expect(readdirSync(folder)).not.toContain('e');
  });
});
