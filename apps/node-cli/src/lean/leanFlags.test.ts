import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leanProfiles } from '@tutti/ethereum/lean';
import { stringify as stringifyToml } from 'smol-toml';
import { expect, it } from 'vitest';
import { stringify as stringifyYaml } from 'yaml';
import { refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFolder } from '../../test/temporaryFolder.ts';
import { profileOf } from './leanFlags.ts';

const folder = temporaryFolder();
const profile = JSON.stringify(leanProfiles['lean-2026-09']);

function read(text: string, name = 'profile.json'): unknown {
  const path = join(folder, name);
  writeFileSync(path, text);
  return profileOf(path);
}

it('a profile of more than 100,000 bytes is refused without being read', () => {
  expect(read(profile.padEnd(100_000))).toMatchObject({ validators: expect.any(Number) });
  expect(() => read(profile.padEnd(100_001))).toThrow(/profile\.json: /);
});

it('a profile is the same in JSON, YAML and TOML, and a misspelt field is refused with a suggestion', () => {
  const values = leanProfiles['lean-2026-09'];
  expect(read(stringifyYaml(values), 'profile.yaml')).toEqual(values);
  expect(read(stringifyToml(values), 'profile.toml')).toEqual(values);
  const misspelt = stringifyToml(values).replace('slotMs', 'slotMS');
  expect(() => read(misspelt, 'profile.toml')).toThrow(/got "slotMS" \(Did you mean slotMs\?\)$/);
});

it('a profile in JSON that is nested too deep or has a duplicate name is refused in one line', () => {
  for (const deep of ['['.repeat(99_000), '[\n'.repeat(40_000)])
    expect(() => read(`{"cores": ${deep}`)).toThrow('expected JSON, got values nested more than 100 levels deep');
  expect(() => read('{"cores": 1, "cores": 2}')).toThrow('expected JSON, got an object with a repeated name');
});

it.each(['silent', 'silent:', 'silent:2', 'silent:0.1:0.2'])('the role %s is refused', async (role) => {
  expect(refusalOf(await runMain(['lean', 'slot', '--role', role]))).toBe(
    `--role: expected NAME:SHARE, where SHARE is from 0 to 1, got "${role}"`,
  );
});
