/**
 * `npm run compile`: names the code of runs and unpacks the kernel's glue, then compiles: all, or the projects that it is
 * given, of which `extensions` is every extension that is there; `--name` leaves the compilation out. The name is 8
 * hexadecimal digits over the sources of core, of the simulation and of slots, which are all that a digest depends on. It is written
 * into core before it is compiled, so that sources, compiled code, the bundle, the page and the packages have the same one.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const folders = ['core', 'simulation', 'ethereum'].map((name) => `packages/${name}/src`);
const written = 'packages/core/src/codeName.ts';

/** The compiler that is a program of its own. `typescript` is the last one that is a library, which tools of ours use. */
export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');

/** The folders of extensions that are there. */
export function extensionFolders(repository = root) {
  const folder = join(repository, 'extensions');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => existsSync(join(folder, name, 'package.json')))
    .map((name) => `extensions/${name}`)
    .sort();
}

/** The projects that `tsc -b` is given for these names; all projects, with those of tests and pages, for none. */
function projectsOf(names) {
  const parts = names.length === 0 ? ['.', 'page', 'tests'] : ['.'];
  const own = extensionFolders()
    .flatMap((folder) => parts.map((part) => `${folder}/${part}`))
    .filter((project) => existsSync(join(root, project, 'tsconfig.json')));
  if (names.length === 0) return ['.', ...own];
  return names.flatMap((name) => (name === 'extensions' ? own : [name]));
}

/** The sources that have a say in the name, by their paths in the repository, with `/` on every system. */
export function namedSources(repository = root) {
  return folders
    .filter((folder) => existsSync(join(repository, folder)))
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true }).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /\.(ts|json)$/.test(path) && !/\.test\.ts$/.test(path) && path !== written)
    .sort();
}

/** The name of the code as it lies there now. */
export function codeName(repository = root) {
  const hash = createHash('sha256');
  for (const path of namedSources(repository)) {
    // A checkout on Windows ends its lines otherwise.
    const text = readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${path}\0${text}\0`);
  }
  return hash.digest('hex').slice(0, 8);
}

/** Writes the name into core's sources, unless it stands there. */
export function writeCodeName() {
  const file = join(root, written);
  const text = `/** Written by scripts/compile.mjs; not kept in the repository. */\nexport const codeName: string = '${codeName()}';\n`;
  if (readOr(file, '') !== text) writeFileSync(file, text);
}

/** The name that compiled core has, which says of what it was compiled; undefined where nothing is compiled. */
export function compiledName() {
  return /'([0-9a-f]{8})'/.exec(readOr(join(root, 'packages/core/dist/codeName.js'), ''))?.[1];
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

if (process.argv[1] === import.meta.filename) {
  writeCodeName();
  // The command loads this module to compare names, and needs no more of it.
  const { writeGlue } = await import('../packages/wasm-bls/scripts/kernel-glue.mjs');
  writeGlue();
  const projects = process.argv.slice(2);
  if (projects[0] !== '--name') {
    // npm reads what `npm pack` prints on standard output as its own.
    const { status } = spawnSync(process.execPath, [tsc, '-b', ...projectsOf(projects)], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    process.exit(status ?? 1);
  }
}
