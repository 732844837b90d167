import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeRecording, defaultScenario, type Recording } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { writeSinglePage, writeSlotPage } from './singlePage.ts';

const { at } = temporaryFiles();

const page = '<p>before</p><script type="text/plain" id="recording"></script><p>after</p>';
const looks = { node: 3, atUs: undefined, caption: undefined, stopIfAsked() {} };

/** Reads the run from a page: the attributes of its element, and the recording. */
function read(path: string): { attributes: string; recording: Recording; length: number } {
  const bytes = readFileSync(path);
  const [, attributes, content] =
    /^<p>before<\/p><script type="text\/plain" id="recording"(.*?)>(.*)<\/script><p>after<\/p>$/.exec(
      bytes.toString(),
    )!;
  return {
    attributes: attributes!,
    recording: decodeRecording(gunzipSync(Buffer.from(content!, 'base64'))) as Recording,
    length: bytes.length,
  };
}

describe('writeSinglePage', () => {
  it.runIf(isWhole)('stores every message of 1,024 nodes, and neither messages nor sets of larger runs', async () => {
    const path = at('run.html');
    const kept = [1024, 1025].map(async (nodes) => {
      const file = `${path}${nodes}`;
      const length = await writeSinglePage(file, { ...defaultScenario, nodes, dead: 0.1, scheme: 'bls' }, looks, page);
      const run = read(file);
      expect(run.length).toBe(length);
      expect(run.recording.scenario).toMatchObject({ nodes, scheme: 'counting' });
      return [run.recording.sends, run.recording.words.length > 0];
    });
    expect(await Promise.all(kept)).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('stops a run that does not end within a minute of virtual time', async () => {
    const path = at('given-up.html');
    await writeSinglePage(path, { ...defaultScenario, nodes: 4, faults: [{ kind: 'loss', share: 1 }] }, looks, page);
    expect(read(path).recording.result.ended).toBe('given-up');
  });

  it('ends on request without writing anything', async () => {
    const path = at('stopped.html');
    const stopIfAsked = () => {
      throw new Error('stopped');
    };
    await expect(
      writeSinglePage(path, { ...defaultScenario, nodes: 1024 }, { ...looks, stopIfAsked }, page),
    ).rejects.toThrow('stopped');
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });
});

it('writeSlotPage puts a link into the page, and an optional caption', () => {
  const path = at('slot.html');
  const length = writeSlotPage(path, 'a=1&b="2"', undefined, page);
  const text = readFileSync(path, 'utf8');
  expect(text).toBe(
    '<p>before</p><script type="text/plain" id="recording" data-link="a=1&amp;b=&quot;2&quot;"></script><p>after</p>',
  );
  expect(length).toBe(text.length);
  writeSlotPage(path, 'a=1', 'one slot', page);
  expect(readFileSync(path, 'utf8')).toContain(' data-link="a=1" data-caption="one slot"></script>');
});
