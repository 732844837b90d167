/**
 * `npm run test:tor`: the compliance suite of the transports through a Tor network of its own on the loopback
 * interface, which takes half a minute to come up. Tor is the one that TOR names, the one on the PATH, or Debian's
 * where we may install it.
 */
import { spawnSync } from 'node:child_process';
import { must, run } from './run.mjs';

const tor = await findTor();
if (tor === undefined) {
  console.error('No tor: install it (Debian: apt-get install tor), or name it in TOR');
  process.exit(1);
}
await must('Testing over Tor', 'npx', ['vitest', 'run', '--project', 'transports', 'src/tcp/tor'], {
  env: { TOR: tor },
});

async function findTor() {
  if (process.env.TOR) return process.env.TOR;
  if (runs('tor')) return 'tor';
  if (process.getuid?.() !== 0 || !runs('apt-get')) return undefined;
  console.log("• Installing Debian's tor");
  await run('sh', [
    '-c',
    'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends tor >/dev/null',
  ]);
  return runs('tor') ? 'tor' : undefined;
}

function runs(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
