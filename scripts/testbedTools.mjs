import { spawnSync } from 'node:child_process';
import { run } from './run.mjs';

/**
 * Installs Debian's packages of what `tutti testbed` is made with where we may and they are not there. Where we may
 * not, its tests are skipped and say what they lack.
 */
export async function installTestbedTools() {
  if (process.getuid?.() !== 0 || !runs('apt-get', '--version')) return;
  if (runs('socat', '-V') && runs('ip', '-V')) return;
  console.log("• Installing Debian's socat and iproute2");
  await run('sh', [
    '-c',
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends socat iproute2 >/dev/null',
  ]);
}

function runs(command, flag) {
  return spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
}
