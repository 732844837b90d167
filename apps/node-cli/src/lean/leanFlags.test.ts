import { leanProfiles } from '@tutti/ethereum/lean';
import { stringify as stringifyToml } from 'smol-toml';
import { expect, it } from 'vitest';
import { stringify as stringifyYaml } from 'yaml';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { profileOf } from './leanFlags.ts';

const { write } = temporaryFiles();
const profile = JSON.stringify(leanProfiles['lean-2026-09']);

const read = (text: string, name = 'profile.json') => profileOf(write(name, text));

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
