/**
 * `npm run archive -- DIR`: writes the figures of the docs to a new folder, each figure with its data and its command,
 * and `manifest.json` with the version and the SHA-256 of every file. A paper can cite such an archive. `-- --check
 * DIR` runs the commands of an archive again in a separate folder, and reports each file that is not identical; the
 * exit code is then 1. Arguments after the folder select figures by name.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '@tutti/core';
import { root } from './run.mjs';

const proposals = 'none,gloas,late,gloas+late,gloas+cap,gloas+cap+bundles';
/** Figures of an archive. Each command writes its picture and its data into the current folder. */
const archived = [
  figure('sensitivity', 'horn sensitivity', 'svg', 'parquet'),
  figure(
    'shorter-slots',
    `slots map --preset electra --vary proposal=${proposals} --slot-range 1..12 --max-consecutive-slots 1`,
    ...['svg', 'parquet'],
  ),
  figure('proposals', 'slots proposals', 'parquet'),
  figure('griefing', 'horn griefing', 'parquet'),
  figure('assumptions', 'slots sensitivity', 'parquet'),
  // A figure that is small enough for a test to reproduce.
  figure(
    'small',
    'slots map --preset electra --validators 1024 --beacon-nodes 64 --subcommittees 2 --vary proposal=none --slot-range 12..12 --max-consecutive-slots 1',
    ...['svg', 'parquet'],
  ),
];

function figure(name, command, ...endings) {
  const files = endings.map((ending) => `${name}.${ending}`);
  const flags = files.flatMap((file) => [file.endsWith('.svg') ? '--svg' : '--out', file]);
  return { name, command: [...command.split(' '), ...flags], files };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const [given, ...names] = positionals;
if (given === undefined) {
  console.error('archive: expected a folder, got none');
  process.exit(2);
}
const folder = resolve(given);

/**
 * Runs a figure's command in the folder that contains the figure's files. An archive from elsewhere may contain any
 * command, so a path that leads out of the folder is refused.
 */
function run({ name, command, files }, where) {
  const path = [...command, ...files.map((one) => one.file ?? one)].find((word) => basename(word) !== word);
  if (path !== undefined) throw new RangeError(`figure ${name}: expected names of files in the archive, got ${path}`);
  execFileSync(process.execPath, [join(root, 'apps/node-cli/bin/tutti.js'), ...command], {
    cwd: where,
    env: { ...process.env, TUTTI_PROGRESS: 'none' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/**
 * Returns the figures with the given names, or all figures if no names are given. @throws RangeError if a name is not
 * the name of a figure.
 */
function chosenOf(figures) {
  const unknown = names.find((name) => !figures.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new RangeError(`figure: expected ${figures.map(({ name }) => name).join(' or ')}, got ${unknown}`);
  return figures.filter(({ name }) => names.length === 0 || names.includes(name));
}

function write() {
  if (existsSync(folder)) throw new RangeError(`folder: expected a path that does not exist, got ${given}`);
  const chosen = chosenOf(archived);
  mkdirSync(folder, { recursive: true });
  const figures = chosen.map((figure) => {
    run(figure, folder);
    const { name, files, command } = figure;
    return { name, command, files: files.map((file) => ({ file, sha256: sha256(join(folder, file)) })) };
  });
  copyFileSync(join(root, 'CITATION.cff'), join(folder, 'CITATION.cff'));
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ version, figures }, undefined, 2)}\n`);
  console.log(`${figures.length} figures of ${version} in ${given}`);
  return 0;
}

function check() {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  if (manifest.version !== version) console.log(`written by ${manifest.version}, checked by ${version}`);
  const again = mkdtempSync(join(tmpdir(), 'tutti-archive-'));
  try {
    const figures = chosenOf(manifest.figures);
    const others = figures.flatMap((figure) => {
      run(figure, again);
      return figure.files.filter(
        ({ file, sha256: kept }) => sha256(join(folder, file)) !== kept || sha256(join(again, file)) !== kept,
      );
    });
    for (const { file } of others) console.log(`differs: ${file}`);
    console.log(`${figures.length} figures rebuilt, ${others.length} files differ`);
    return others.length === 0 ? 0 : 1;
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

try {
  process.exitCode = values.check ? check() : write();
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(`archive: ${error.message}`);
  process.exitCode = 1;
}
