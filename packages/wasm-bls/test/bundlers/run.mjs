/**
 * Builds small projects, each with this package from its tarball, one bundler from the registry, and no configuration
 * for the kernel. Runs each in Node, in a page of Chromium under a strict policy, or as an extension, with both sources
 * of the kernel: its file, and the text in the code.
 *
 *     npm run loads:everywhere -w @tutti/wasm-bls -- [--only vite,webpack] [--dry]
 *
 * Prints the table, and writes its record in docs/benchmarks/page-and-cli.md unless --dry or --only. The script takes
 * minutes and requires the registry of npm. CHROMIUM_PATH is the path of the browser; default: /usr/bin/chromium. The
 * exit code is 1 if a call that should load the kernel fails. A project that cannot be installed, and an extension
 * without a Chromium that runs extensions, are reported as not tried.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRecordSection } from '../../../../scripts/pages.mjs';
import { inDevelopment, inExtension, inNode, inPage, launch, notTried } from './opened.mjs';
import { projects, strict, use } from './projects.mjs';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
/** Arguments of `loadBls` for the kernel's file and for the text in the code. */
const calls = { fetched: '', inlined: "{ source: 'inline' }" };
const perCommandMs = 240_000;

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: perCommandMs });
  if (status !== 0)
    throw new Error(
      `${command} ${args[0]}: ${error?.message ?? (stderr || stdout).trim().split('\n').slice(-3).join(' ')}`,
    );
  return stdout;
}

/** Folders of projects, by the list of their installed packages. */
const installs = new Map();

/** Installs the package and the bundler, or reuses an earlier installation; returns the bundler's version. */
function installed(folder, tarball, { install }) {
  const before = installs.get(install.join());
  if (before === undefined) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "loads", "private": true, "type": "module" }\n');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...install], folder);
  } else renameSync(before, folder);
  installs.set(install.join(), folder);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return install.length > 0 ? dependencies[install[0]].replace(/^\^/, '') : process.version.slice(1);
}

/** Builds and opens a project that passes these arguments to `loadBls`. */
async function outcome(browser, folder, project, args) {
  for (const file of readdirSync(folder))
    if (!/^(node_modules|package(-lock)?\.json)$/.test(file)) rmSync(join(folder, file), { recursive: true });
  for (const [file, text] of Object.entries({ ...project.files, 'use.js': use(args) })) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const command of project.build) run('npx', ['--no-install', ...command], folder);
  if (project.node !== undefined) return inNode(folder, project.node);
  if (project.develop !== undefined) return inDevelopment(browser, folder, project.develop);
  const site = join(folder, project.site);
  if (project.extension !== undefined) return inExtension(site, project.extension);
  return inPage(browser, site, project.policy === undefined ? strict : project.policy, project.anyAddress ?? false);
}

/** Text of a table cell: the outcome, where the kernel is, and how many kB the page loaded. */
function inWords({ said, inlined, kB }) {
  if (said !== 'loaded') return said.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').slice(0, 160);
  return `loads${inlined ? ' the inline copy' : ''}${kB === undefined ? '' : `, ${kB.toFixed(0)} kB`}`;
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1].split(',') : undefined;
const work = mkdtempSync(join(tmpdir(), 'tutti-loads-'));
const browser = await launch();
const rows = [];
let failed = false;
try {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], packageFolder));
  for (const [name, project] of Object.entries(projects)) {
    if (only !== undefined && !only.includes(name.split(',')[0])) continue;
    const folder = join(work, name.replaceAll(/\W+/g, '-'));
    let version = '';
    let cells;
    try {
      version = installed(folder, join(work, filename), project);
    } catch (error) {
      cells = Object.keys(calls).map(() => `${notTried}${error.message}`);
    }
    if (cells === undefined) {
      cells = [];
      for (const args of project.options === undefined ? Object.values(calls) : [project.options]) {
        const answer = await outcome(browser, folder, project, args).catch(({ message }) => ({
          said: `failed: ${message}`,
        }));
        if (!answer.said.startsWith(notTried) && (answer.said === 'loaded') === (project.forbidden ?? false))
          failed = true;
        cells.push(inWords(answer));
      }
    }
    rows.push([name, version, ...cells]);
    console.log(`${name} ${version}: fetched ${cells[0]}; inlined ${cells[1] ?? 'not tried'}`);
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
const table = [
  ['project', 'version', ...Object.values(calls).map((args) => `\`loadBls(${args})\``)],
  ['---', '---', '---', '---'],
]
  .concat(rows.map((cells) => [...cells, ''].slice(0, 4)))
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');
console.log(table);
if (only === undefined && !process.argv.includes('--dry'))
  writeRecordSection('loading', `Chromium ${browser.version()}.\n\n${table}`);
process.exitCode = failed ? 1 : 0;
