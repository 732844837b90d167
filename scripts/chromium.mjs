import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter } from 'node:path';
import { must, root } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/**
 * Where a Chromium is: the one that CHROMIUM_PATH names, one on the PATH, Debian's package where we may install it,
 * else the one that the npm package @sparticuz/chromium unpacks.
 */
export async function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = onPath();
  if (found) return found;
  if (process.getuid?.() === 0 && runs('apt-get', ['--version'])) {
    await must("Installing Debian's chromium", 'sh', [
      '-c',
      'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null',
    ]);
    const installed = onPath();
    if (installed) return installed;
  }
  const cache = `${root}node_modules/.cache/tutti/chromium`;
  await must('Unpacking a Chromium from npm', 'npm', [
    'install',
    '--prefix',
    cache,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '@sparticuz/chromium@147',
  ]);
  const { default: chromium } = await import(`${cache}/node_modules/@sparticuz/chromium/build/esm/index.js`);
  return await chromium.executablePath();
}

function onPath() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const file = `${folder}/${name}`;
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here; the next folder may have it.
      }
    }
  }
  return undefined;
}

function runs(command, args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
