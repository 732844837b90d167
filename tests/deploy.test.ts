import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../scripts/run.mjs';
import { statusesOf } from './documentedNode.ts';
import { isWhole } from './sampled.ts';
import { temporaryFolder } from './tutti.ts';

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const folder = temporaryFolder();
const place = (name: string) => join(folder, name);

it('the container copies existing files, and runs tutti as an unprivileged user', () => {
  const lines = read('Containerfile').split('\n');
  expect(lines).toEqual(expect.arrayContaining(['USER node', 'ENTRYPOINT ["tutti"]']));
  for (const line of lines.filter((line) => line.startsWith('COPY')))
    expect(existsSync(join(root, line.replace('--from=build /tutti/', '').split(' ')[1]!)), line).toBe(true);
});

it.runIf(isWhole)('the systemd unit is valid, and its command certifies at its socket', async () => {
  const unit = read('tutti-node.service');
  const [command, ...words] = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(' ');
  expect(command).toBe('/usr/bin/tutti');
  if (spawnSync('systemd-analyze', ['--version']).status === 0) {
    writeFileSync(place('tutti-node.service'), unit.replace('/usr/bin/tutti', process.execPath));
    const { stderr } = spawnSync('systemd-analyze', ['verify', place('tutti-node.service')], { encoding: 'utf8' });
    expect(stderr).toBe('');
  }
  const socketPath = place('api');
  const places = {
    '/etc/tutti/registry.json': place('registry.json'),
    '/var/lib/tutti/key.json': place('registry.secrets.json'),
    '/run/tutti/api': socketPath,
  };
  const post = { socketPath, method: 'POST', path: '/certificates', body: 'block 17' };
  expect(await statusesOf(words, folder, places, [{ socketPath, path: '/health' }, post])).toEqual([200, 200]);
});
