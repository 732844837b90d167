import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRegistry } from '@tutti/certificates';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it, onTestFinished } from 'vitest';
import { formatSecrets } from '../apps/node-cli/src/node/identity.ts';
import { insecureEntries } from './entries.ts';
import { startWith, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();
const disk = join(folder, 'disk');

/** Mounts a disk of 64 kB in memory. Returns false if this user has no permission to mount. */
function mounts(): boolean {
  mkdirSync(disk);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0;
}

const isMounted = mounts();

it.skipIf(!isMounted)(
  'a member with a full disk answers 503, also for its health, and continues when there is space',
  async () => {
    onTestFinished(() => void spawnSync('umount', ['-l', disk]));
    const bls = await loadBls();
    const { entries, secrets } = await insecureEntries(bls, 1);
    const [registry, key, filler] = [join(folder, 'registry.json'), join(disk, 'key.json'), join(disk, 'filler')];
    writeFileSync(registry, formatRegistry(entries));
    writeFileSync(key, formatSecrets(entries, secrets), { mode: 0o600 });
    const { child, finished } = startWith({}, ['node', '--registry', registry, '--key', key, '--http', '127.0.0.1:0']);
    onTestFinished(() => void child.kill('SIGKILL'));
    let told = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr!.on('data', (text) => {
        told += text;
        const at = /certificates at (\S+)\/certificates\n/.exec(told)?.[1];
        if (at !== undefined) resolve(at);
      });
      void finished.then(({ err }) => reject(new Error(err)));
    });
    let height = 0;
    const post = async (): Promise<number> => {
      const body = new TextEncoder().encode(`message ${height}`);
      return (await fetch(`${url}/certificates?height=${height++}`, { method: 'POST', body })).status;
    };
    const health = async () => (await fetch(`${url}/health`)).status;
    expect([await post(), await health()]).toEqual([200, 200]);
    // Fills the disk with whole pages, until no free page is left.
    for (let page = 0; page < 32; page++)
      try {
        writeFileSync(filler, new Uint8Array(4096), { flag: 'a' });
      } catch {
        break;
      }
    // The log can still use the rest of the last page that it occupies.
    const statuses = [];
    do statuses.push(await post());
    while (statuses.at(-1) === 200);
    expect([statuses.at(-1), await post(), await health()]).toEqual([503, 503, 503]);
    rmSync(filler);
    expect([await health(), await post(), await post()]).toEqual([200, 200, 200]);
    expect(child.exitCode).toBe(null);
    expect(told.match(/cannot be written \(ENOSPC\), so this member has stopped signing/g)).toHaveLength(1);
    expect(told).toContain('is writable again; this member resumes signing\n');
  },
);
