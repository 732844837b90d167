import { linkSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { drawSeed, isWhole } from '../../../../tests/sampled.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { ResultFile, resultLine } from './resultFile.ts';

const { at, folder, write } = temporaryFiles();
const out = at('out.jsonl');
const result = simulate({ ...defaultScenario, nodes: 3 });
const line = (key: string) => resultLine(key, result);
const three = ['a', 'b', 'c'].map(line);
const whole = three.map((one) => `${one}\n`).join('');

function open(content: string): { file: ResultFile; keys: string[]; left: () => string } {
  write('out.jsonl', content);
  const keys: string[] = [];
  const file = new ResultFile(out, ({ key }) => void keys.push(key));
  return { file, keys, left: () => readFileSync(out, 'utf8') };
}

it('removes exactly an incomplete last line, torn at any byte', () => {
  const last = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let end = last; end < whole.length; end += isWhole ? 7 : 140) {
    const { file, keys, left } = open(whole.slice(0, end));
    file.append([three[2]!]);
    file.close();
    expect(keys).toEqual(['a', 'b']);
    expect(left()).toBe(whole);
  }
});

it('reads lines that cross its chunks', () => {
  const many = Array.from({ length: 3000 }, (_, index) => line(`${index}`));
  const { file, keys } = open(`${many.join('\n')}\n`);
  file.close();
  expect(keys).toEqual(many.map((_, index) => `${index}`));
});

it.each([
  ['{ "name": "a sweep file" }', 1],
  ['{ "name": "a sweep file" }\n', 1],
  [`${whole}null\n`, 4],
  [`${whole}{"key":"d"}\n`, 4],
  [`${whole}\n${whole}`, 4],
])('leaves another file unchanged, and names the first wrong line', (content, at) => {
  expect(() => open(content)).toThrow(`line ${at}: expected a result of 'tutti sweep', got`);
  expect(readFileSync(out, 'utf8')).toBe(content);
});

it('names an altered line after any change, and leaves the file unchanged', () => {
  const step = isWhole ? 7 : 100;
  for (let at = 10 + (drawSeed % step); at < three[1]!.length; at += step) {
    const digit = three[1]![at]! === '7' ? '8' : '7';
    const altered = `${three[0]}\n${three[1]!.slice(0, at)}${digit}${three[1]!.slice(at + 1)}\n${three[2]}\n`;
    expect(() => open(altered)).toThrow(/: line 2: (the checksum does not match|expected a result)/);
    expect(readFileSync(out, 'utf8')).toBe(altered);
  }
});

it('returns lines of a version without checksums, and appends lines', () => {
  const old = three.map((one) => `${one.replace(/,"crc32":"[0-9a-f]{8}"\}$/, '}')}\n`).join('');
  expect(old).not.toBe(whole);
  const { file, keys, left } = open(old);
  file.append([line('d')]);
  file.close();
  expect(keys).toEqual(['a', 'b', 'c']);
  expect(left()).toBe(`${old}${line('d')}\n`);
});

it('a line of another version does not count as a run of this one, even under its key', () => {
  const forged = resultLine('b', { ...result, version: '0.2.0-dev+00000000' });
  const unnamed = resultLine('b', { ...result, version: undefined as unknown as string });
  const content = `${three[0]}\n${forged}\n${unnamed}\n${three[2]}\n`;
  const { file, keys, left } = open(content);
  file.append([three[1]!]);
  file.close();
  expect(keys).toEqual(['a', 'c']);
  expect(left()).toBe(`${content}${three[1]}\n`);
});

it('only one sweep at a time writes to a file, under any name', () => {
  const [path, link, hard] = ['out.jsonl', 'link.jsonl', 'hard.jsonl'].map((name) => at(name));
  symlinkSync(path!, link!);
  const { file } = open(whole);
  for (const name of [path!, link!])
    expect(() => new ResultFile(name, () => {})).toThrow(expect.objectContaining({ code: 'locked' }));
  linkSync(path!, hard!);
  expect(() => new ResultFile(hard!, () => {})).toThrow(expect.objectContaining({ code: 'ambiguous-names' }));
  rmSync(hard!);
  renameSync(path!, hard!);
  expect(() => file.append([line('d')])).toThrow(expect.objectContaining({ code: 'file-moved' }));
  file.close();
  const moved = new ResultFile(hard!, () => {});
  moved.append([line('d')]);
  moved.close();
  expect(readFileSync(hard!, 'utf8')).toBe(`${whole}${line('d')}\n`);
});

it('refuses a folder', () => {
  expect(() => new ResultFile(folder, () => {})).toThrow(`${folder}: cannot be written (EISDIR)`);
});
