import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { placesOfKey } from './keyPlace.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-key-')));
afterAll(() => rmSync(folder, { recursive: true }));

function keyAt(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '{}');
  return path;
}

it('a key has one signed log, through any links', () => {
  const key = keyAt('key');
  symlinkSync(key, join(folder, 'link'));
  const places = { signedLog: `${key}.signed`, certificateFolder: `${key}.certificates` };
  expect(placesOfKey(key)).toEqual(places);
  expect(placesOfKey(join(folder, 'link'))).toEqual(places);
  for (const name of ['deep', 'out']) mkdirSync(join(folder, name));
  symlinkSync(join(folder, 'deep'), join(folder, 'out/to-deep'));
  expect(placesOfKey(`${folder}/out/to-deep/../key`)).toEqual(places);
});

it('refuses a key whose signed log is at the name of a link, and a key with two names', () => {
  symlinkSync(keyAt('logged'), join(folder, 'other'));
  writeFileSync(join(folder, 'other.signed'), '');
  expect(() => placesOfKey(join(folder, 'other'))).toThrow(/other: expected its signed log at .*logged\.signed, got/);
  linkSync(keyAt('twice'), join(folder, 'again'));
  expect(() => placesOfKey(join(folder, 'again'))).toThrow(/again: expected a key file with one name, got 2 names/);
});

it.skipIf(process.platform !== 'linux')('refuses a key that is a mount, because each mount has a separate log', () => {
  expect(() => placesOfKey('/proc')).toThrow('/proc: is a mount of a single file');
});
