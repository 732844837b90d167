import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

/** The releases that npm is asked for: pinned, so that a new one breaks nothing unseen. */
const pinned = { bun: '1.4.5', deno: '2.9.6' };

/**
 * The runtimes beside Node in which the tests run a few commands, by name: what BUN and DENO name, what is on the PATH,
 * else, on the project's own machines, what npm has; without one of them its tests are skipped.
 *
 * @param install whether npm may be asked.
 */
export async function findRuntimes({ install }) {
  const found = {};
  for (const [name, release] of Object.entries(pinned)) {
    const given = process.env[name.toUpperCase()];
    const folder = join(root, 'node_modules/.cache/tutti/runtimes', `${name}-${release}`);
    const packed = join(folder, 'node_modules/.bin', name);
    if (install && given === undefined && !runs(name) && !runs(packed)) {
      console.log(`• Installing ${name} ${release}, in which a few commands are run`);
      mkdirSync(folder, { recursive: true });
      const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', ...flags, `${name}@${release}`]);
    }
    const command = [given, name, packed].find((one) => one !== undefined && runs(one));
    if (command === undefined) console.log(`• No ${name}: the commands that are run in it are skipped`);
    else found[name] = command;
  }
  return found;
}

function runs(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
