import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '@tutti/core';
import { defaultScenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { codeName } from '../scripts/compile.mjs';
import { root } from '../scripts/run.mjs';
import { temporaryFolder, tutti } from './tutti.ts';

const packages = [
  '.',
  ...['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum', 'lab'].map(
    (name) => `packages/${name}`,
  ),
  ...['apps/node-cli', 'apps/visualizer'],
];
const simulated = [
  'simulation/src/run/simulation.ts',
  'simulation/src/attacks/composedAttacks.ts',
  'ethereum/src/slots/slot.ts',
];
const manifest = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));

describe('the version identifies the code', () => {
  it('is the version of the packages and the hash of the current sources', () => {
    for (const path of packages) expect(version, path).toBe(`${manifest(path).version}+${codeName()}`);
  });

  it('equals the version in CITATION.cff', () => {
    const citation = readFileSync(join(root, 'CITATION.cff'), 'utf8');
    expect(citation.match(/^version: .*$/gm)).toEqual([`version: ${manifest('.').version}`]);
  });

  it('is the same in the command and in its output', async () => {
    expect((await tutti('--version')).out).toBe(`${version}\n`);
    expect((await runMain(['-V'])).out).toBe(`${version}\n`);
    expect(JSON.parse((await runMain(['simulate', '--nodes', '4', '--json'])).out).version).toBe(version);
    expect(simulate({ ...defaultScenario, nodes: 4 }).version).toBe(version);
  });

  it('changes with each source that can change a digest, and with no other source', () => {
    const copy = temporaryFolder();
    for (const name of ['core', 'simulation', 'ethereum', 'lab'])
      cpSync(join(root, 'packages', name, 'src'), join(copy, 'packages', name, 'src'), { recursive: true });
    const before = codeName(copy);
    expect(before).toBe(codeName());
    const renamed = (path: string, change: (text: string) => string) => {
      const file = join(copy, 'packages', path);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, change(text));
      const name = codeName(copy);
      writeFileSync(file, text);
      return name !== before;
    };
    const longer = (text: string) => `${text}\n`;
    for (const path of ['core/src/handel/handel.ts', 'core/src/random.ts', ...simulated])
      expect(renamed(path, longer), path).toBe(true);
    for (const path of ['core/src/random.test.ts', 'core/src/codeName.ts', 'lab/src/experiments/ablations.ts'])
      expect(renamed(path, longer), path).toBe(false);
    expect(renamed('core/src/random.ts', (text) => text.replaceAll('\n', '\r\n'))).toBe(false);
  });
});

it('a command that was compiled from other sources runs nothing', () => {
  const clone = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(clone, dirname(path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  };
  for (const path of ['apps/node-cli/bin', 'scripts/compile.mjs', 'scripts/run.mjs'])
    cpSync(join(root, path), join(clone, path), { recursive: true });
  write('package.json', '{"type":"module"}');
  write('packages/core/src/random.ts', 'export const random = 4;\n');
  write('apps/node-cli/dist/main.js', "export const run = () => console.log('ran');\n");
  const compiled = (name: string) => {
    write('packages/core/dist/codeName.js', `export const codeName = '${name}';\n`);
    return spawnSync(process.execPath, [join(clone, 'apps/node-cli/bin/tutti.js')], { encoding: 'utf8' });
  };
  expect(compiled(codeName(clone))).toMatchObject({ status: 0, stdout: 'ran\n', stderr: '' });
  expect(compiled('0badc0de')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: "tutti: core was changed after it was built; run 'npm run build' at the root of the project first\n",
  });
});
