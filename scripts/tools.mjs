/** Finds or installs the tools outside the repository that the project's commands need. */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extensionFolders } from './compile.mjs';
import { must, root, run } from './run.mjs';

const cache = join(root, 'node_modules/.cache/tutti');

/** Installs the npm packages of the lock file if they are missing, so that a fresh clone needs no separate command. */
export async function installDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node.js: expected 20.19 or newer, got ${process.versions.node}; install a newer one`);
    process.exit(1);
  }
  const installed = `${root}node_modules/.package-lock.json`;
  const lock = `${root}package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await must('Installing npm packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * Returns the command that starts Tor: the one that TOR names, the one on the PATH, or that of Debian's package if its
 * installation is permitted; otherwise undefined.
 */
export async function findTor() {
  return process.env.TOR || (await onPathOrDebians('tor'));
}

/**
 * Returns the command that starts Firefox: the one that FIREFOX_PATH names, one on the PATH, or that of Debian's
 * package. Without any of these, returns undefined, and the journeys in Firefox are skipped.
 *
 * @param install whether the installation of Debian's package of 80 MB is permitted.
 */
export async function findFirefox({ install }) {
  const found = [process.env.FIREFOX_PATH, 'firefox-esr', 'firefox'].find((one) => one !== undefined && runs(one));
  return found !== undefined || !install ? found : onPathOrDebians('firefox-esr');
}

/**
 * Installs the programs outside npm that the tests of extensions need, if their installation is permitted. The
 * installation is done by each extension's `tests/setUp.mjs`.
 *
 * @returns environment variables with the locations of the programs.
 */
export async function setUpExtensions() {
  const environment = {};
  for (const folder of extensionFolders()) {
    const file = join(root, folder, 'tests/setUp.mjs');
    if (!existsSync(file)) continue;
    const { default: setUp } = await import(pathToFileURL(file).href);
    Object.assign(environment, await setUp({ runs, installDebians, onPathOrDebians }));
  }
  return environment;
}

/**
 * Releases of the runtimes that are requested from npm. The releases are pinned, so that a new release cannot break the
 * tests unnoticed.
 */
const pinned = { bun: '1.4.5', deno: '2.9.6' };

/**
 * Finds runtimes other than Node in which the tests run a few commands, by name: those that BUN and DENO name, those on
 * the PATH, or those from npm. The tests of a missing runtime are skipped.
 *
 * @param install whether the installation of runtimes from npm is permitted.
 */
export async function findRuntimes({ install }) {
  const found = {};
  for (const [name, release] of Object.entries(pinned)) {
    const given = process.env[name.toUpperCase()];
    const folder = join(cache, 'runtimes', `${name}-${release}`);
    const packed = join(folder, 'node_modules/.bin', name);
    if (install && given === undefined && !runs(name) && !runs(packed)) {
      console.log(`• Installing ${name} ${release}, in which a few commands are run`);
      mkdirSync(folder, { recursive: true });
      await run('npm', ['install', '--no-save', ...npmFlags(folder), `${name}@${release}`]);
    }
    const command = [given, name, packed].find((one) => one !== undefined && runs(one));
    if (command === undefined) console.log(`• No ${name}: the commands that are run in it are skipped`);
    else found[name] = command;
  }
  return found;
}

/**
 * Returns a Python that can run the examples' notebooks: the one that NOTEBOOK_PYTHON names, or one with the packages
 * pinned in `examples/notebooks/requirements.txt`. Without such a Python, the test of the notebooks is skipped.
 *
 * @param install whether the installation of the packages is permitted.
 */
export async function findNotebookPython({ install }) {
  const folder = join(cache, 'notebooks');
  const installed = join(folder, 'bin/python');
  const given = process.env.NOTEBOOK_PYTHON;
  const hasPackages = (python) => runs(python, '-c', 'import nbclient, pandas, polars, duckdb, pyarrow, matplotlib');
  if (install && given === undefined && !hasPackages(installed) && runs('python3')) {
    console.log('• Installing what the notebooks of the examples import');
    // After an interrupted installation, Python cannot import all packages, so the installation is repeated.
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    const requirements = join(root, 'examples/notebooks/requirements.txt');
    await run(installed, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  }
  const python = [given, installed].find((one) => one !== undefined && hasPackages(one));
  if (python === undefined) console.log('• No Python with nbclient: the notebooks of the examples are not run');
  return python;
}

const chromiums = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
/** Chromium without a window around its pages, in which journeys take a third less CPU time. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];

/**
 * Returns the path of Chromium: the one that CHROMIUM_PATH names, one on the PATH, or that of Debian's package if its
 * installation is permitted; otherwise the one that the npm package @sparticuz/chromium unpacks.
 *
 * @param shell whether a headless shell is preferred, and installed if its installation is permitted.
 */
export async function findChromium({ shell = false } = {}) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const wanted = shell ? shells : chromiums;
  const found = fileOnPath(wanted);
  if (found) return found;
  const present = fileOnPath(chromiums);
  await installDebians(wanted[0], present);
  const other = fileOnPath(wanted) ?? fileOnPath([...chromiums, ...shells]);
  if (other) return other;
  const folder = join(cache, 'chromium');
  await must('Unpacking a Chromium from npm', 'npm', ['install', ...npmFlags(folder), '@sparticuz/chromium@147']);
  const { default: chromium } = await import(`${folder}/node_modules/@sparticuz/chromium/build/esm/index.js`);
  return await chromium.executablePath();
}

function fileOnPath(names) {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) {
      const file = `${folder}/${name}`;
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The program is located in another folder.
      }
    }
  return undefined;
}

async function onPathOrDebians(command) {
  if (runs(command)) return command;
  await installDebians(command);
  return runs(command) ? command : undefined;
}

/**
 * Installs Debian packages if their installation is permitted. If a Chromium is present, a Debian package of Chromium
 * must have the same version; otherwise it is not installed.
 */
async function installDebians(names, present) {
  if (process.getuid?.() !== 0 || !runs('apt-get')) {
    console.log(`• No ${names}, and no right to install it; where there is apt: apt-get install ${names}`);
    return;
  }
  const version = present && /^Version: (.+)$/m.exec(output('dpkg-query', ['--status', 'chromium']))?.[1];
  if (present && !version) return;
  const get = 'DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10';
  // A separately installed browser needs the fonts that Debian recommends for it.
  const isBrowser = chromiums.includes(names) || shells.includes(names);
  const wanted = version ? `${names}=${version}` : names;
  const flags = isBrowser && !version ? '-y -qq' : '-y -qq --no-install-recommends';
  const installing = `${get} install ${flags} ${wanted} >/dev/null 2>&1`;
  console.log(`• Installing Debian's ${names}`);
  const code = await run('sh', ['-c', `${installing} || { ${get} update -qq && ${installing}; }`]);
  if (code !== 0)
    console.log(`  Debian's ${names} cannot be installed; going on ${present ? `with ${present}` : 'without'}`);
}

const npmFlags = (folder) => ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];

function runs(command, ...args) {
  return spawnSync(command, args.length === 0 ? ['--version'] : args, { stdio: 'ignore' }).status === 0;
}

/** Returns the output of a command, or an empty text if the command fails. */
function output(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
