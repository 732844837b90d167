import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { root } from '../scripts/run.mjs';
import { isWhole } from './sampled.ts';
import { temporaryFolder } from './tutti.ts';

// The timeout is long enough for a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const script = join(root, 'scripts/archive.mjs');

const archive = (...words: string[]) => spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });

it.runIf(isWhole)('an archive contains a figure with its data and command, and rebuilds byte for byte', () => {
  const folder = join(temporaryFolder(), 'archive');
  expect(archive(folder, 'small')).toMatchObject({ status: 0, stderr: '' });
  const { figures } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(figures).toMatchObject([{ name: 'small', files: [{ file: 'small.svg' }, { file: 'small.parquet' }] }]);
  expect(archive('--check', folder)).toMatchObject({ status: 0, stdout: '1 figures rebuilt, 0 files differ\n' });
  appendFileSync(join(folder, 'small.svg'), ' ');
  expect(archive('--check', folder)).toMatchObject({ status: 1 });
  expect(archive(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^archive: folder: expected .*\n$/),
  });
  expect(archive(`${folder}-2`, 'smal')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^archive: figure: expected .* or small, got smal\n$/),
  });
});

it.each([
  [['simulate', '--record', '../elsewhere'], []],
  [['help'], [{ file: '/etc/hosts', sha256: '' }]],
])('an archive whose command or file leads out of its folder is not run: %j, %j', (command, files) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ figures: [{ name: 'a', command, files }] }));
  const stderr = expect.stringMatching(/^archive: figure a: expected names of files in the archive, got \S+\n$/);
  expect(archive('--check', folder)).toMatchObject({ status: 1, stderr });
});
