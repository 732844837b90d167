import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openSignedLog } from '@tutti/certificates/log';
import { version } from '@tutti/core';
import { defaultScenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { knownExtensions } from '../apps/node-cli/src/extensions.ts';
import { extensions } from './extensions.ts';
import { bin, finishedOf, temporaryFolder } from './tutti.ts';

/** Runtimes that `npm test` found, or that are on the PATH. */
const runtimes = [
  { name: 'Bun', command: process.env.BUN ?? 'bun', before: [] },
  { name: 'Deno', command: process.env.DENO ?? 'deno', before: ['run', '--allow-all'] },
];
const isThere = (command: string) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
const folder = temporaryFolder();

describe.each(runtimes)('in $name', ({ name, command, before }) => {
  const inIt = it.skipIf(!isThere(command));
  const run = (...args: string[]) =>
    finishedOf(
      spawn(command, [...before, bin, ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, TUTTI_PROGRESS: 'none' },
      }),
    );

  inIt('prints its version, and refuses a wrong flag with exit code 2', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(await run('simulate', '--nodse', '4')).toMatchObject({
      code: 2,
      out: '',
      err: "tutti: unknown option '--nodse' (Did you mean --nodes?); see 'tutti simulate --help'\n",
    });
  });

  inIt('simulates with real signatures to the digest of Node', async () => {
    const { code, out, err } = await run('simulate', '--nodes', '64', '--scheme', 'bls', '--json');
    expect(code, err).toBe(0);
    const { digest, reached } = JSON.parse(out);
    expect({ digest, reached }).toEqual({ digest: simulate({ ...defaultScenario, nodes: 64 }).digest, reached: 64 });
  });

  const commands = extensions.map((one) => one.name).filter((one) => Object.hasOwn(knownExtensions, one));
  inIt.each(commands)('loads the extension %s', async (extension) => {
    const { code, out, err } = await run(extension, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: tutti ${extension} `);
  });

  inIt('runs a cluster, whose document verifies', async () => {
    const file = `${name}.json`;
    const { code, out, err } = await run('cluster', '--nodes', '8', '--message', 'hello', '--out', file);
    expect({ code, out }, err).toMatchObject({ code: 0, out: expect.stringContaining('8 of 8, as noble-curves') });
    const verified = await run('verify', file, '--registry', join(folder, `${name}.registry.json`));
    expect(verified, verified.err).toMatchObject({ code: 0, out: expect.stringMatching(/^valid: 8 of 8 signed/) });
  });

  inIt('opens a signed log, unless a process in Node has it', async () => {
    const [registry, path] = [`${name}.log.json`, join(folder, `${name}.log.secrets.json.signed`)];
    expect(await run('registry', 'keygen', '--out', registry)).toMatchObject({ code: 0 });
    const log = openSignedLog(path);
    log.record({ height: 7n, message: new Uint8Array(32) });
    const args = ['node', 'log', 'export', path, '--registry', registry];
    const refused = await run(...args);
    log.close();
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`process ${process.pid} of `) });
    const { code, out, err } = await run(...args);
    expect(code, err).toBe(0);
    expect(JSON.parse(out).data[0].signed_blocks).toMatchObject([{ slot: '7' }]);
  });
});
