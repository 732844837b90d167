import { spawnSync } from 'node:child_process';
import { run } from './run.mjs';

/**
 * The command that starts a Redis: the one that REDIS_SERVER names, one on the PATH, Debian's package where we may
 * install it; else undefined, and the tests that need one are skipped.
 */
export async function findRedisServer() {
  if (process.env.REDIS_SERVER) return process.env.REDIS_SERVER;
  if (runs('redis-server')) return 'redis-server';
  if (process.getuid?.() !== 0 || !runs('apt-get')) return undefined;
  console.log("• Installing Debian's redis-server");
  await run('sh', [
    '-c',
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server >/dev/null',
  ]);
  return runs('redis-server') ? 'redis-server' : undefined;
}

function runs(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
