import { spawnSync } from 'node:child_process';
import { run } from './run.mjs';

/**
 * The command that starts a Firefox: the one that FIREFOX_PATH names, one on the PATH, or, on the project's own machines,
 * Debian's package; else undefined, and the journeys in it are skipped.
 *
 * @param install whether Debian's package may be installed, of 80 MB.
 */
export async function findFirefox({ install }) {
  const found = [process.env.FIREFOX_PATH, 'firefox-esr', 'firefox'].find((one) => one !== undefined && runs(one));
  if (found !== undefined || !install || process.getuid?.() !== 0 || !runs('apt-get')) return found;
  console.log("• Installing Debian's firefox-esr, in which pages, digests and a room are tried");
  const flags = '-y -qq --no-install-recommends';
  await run('sh', [
    '-c',
    `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install ${flags} firefox-esr >/dev/null`,
  ]);
  return runs('firefox-esr') ? 'firefox-esr' : undefined;
}

function runs(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
