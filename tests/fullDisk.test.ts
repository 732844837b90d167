import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it, onTestFinished } from 'vitest';
import { insecureEntries, writeMembers } from './entries.ts';
import { printed, startWith, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();
const disk = join(folder, 'disk');

/** Mounts a disk of 64 kB in memory. Returns false if this user has no permission to mount. */
function mounts(): boolean {
  mkdirSync(disk);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0;
}

const isMounted = mounts();

it.skipIf(!isMounted)('a member with a full disk answers 503, also for its health, and later continues', async () => {
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  const bls = await loadBls();
  const { registry, keys } = writeMembers(disk, 'member', await insecureEntries(bls, 1));
  const filler = join(disk, 'filler');
  const one = startWith({}, ['node', '--registry', registry, '--key', keys[0]!, '--http', '127.0.0.1:0']);
  const { child, finished } = one;
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await printed(one, /certificates at (\S+)\/certificates\n/);
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
  child.kill('SIGTERM');
  const { err } = await finished;
  expect(err.match(/cannot be written \(ENOSPC\), so this member has stopped signing/g)).toHaveLength(1);
  expect(err).toContain('is writable again; this member resumes signing\n');
});
