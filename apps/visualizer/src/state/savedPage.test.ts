import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordingPlace, savedPageTemplate, withRecording } from './savedPage.ts';

const lab = readFileSync(join(import.meta.dirname, '../../run.html'), 'utf8');
const parts = { lab, dock: '<i id="dock"></i>', script: 'const end = "</script>";', style: 'p{color:red}' };

it('the template of a saved page contains the lab’s figures, every id once, the whole script, and no other file', () => {
  const page = savedPageTemplate(parts);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining(['guide', 'tree', 'flight', 'time-space', 'progress', 'numbers', 'digest']),
  );
  expect(page).not.toMatch(/ (src|href)="/);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).toContain('const end = "<\\/script>";');
  expect(() => savedPageTemplate({ ...parts, lab: '<p></p>' })).toThrow(RangeError);
});

it('withRecording puts the recording in its one place, for any content of the script', () => {
  const page = withRecording(`a${recordingPlace}b`, 'H4sI$&', 7);
  expect(page).toBe('a<script type="text/plain" id="recording" data-node="7">H4sI$&</script>b');
  expect(() => withRecording('another page', '', 0)).toThrow(RangeError);
});
