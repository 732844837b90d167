/**
 * `npm run compile`: writes the name of the code and unpacks the kernel's glue code, then compiles everything, or the
 * given projects; `extensions` stands for every extension that is present. `--name` skips the compilation. The name is
 * 8 hexadecimal digits, computed from the sources of the packages core, simulation and ethereum, on which all digests
 * depend. The script writes the name into core before the compilation, so that sources, compiled code, the bundle, the
 * page and the packages have the same name.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const folders = ['core', 'simulation', 'ethereum'].map((name) => `packages/${name}/src`);
const written = 'packages/core/src/codeName.ts';

/** The native compiler. The package `typescript` is the last version with a library API, which other tools use. */
export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');

/** Returns the folders of the installed extensions. */
export function extensionFolders(repository = root) {
  const folder = join(repository, 'extensions');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => existsSync(join(folder, name, 'package.json')))
    .map((name) => `extensions/${name}`)
    .sort();
}

/**
 * Returns the projects that `tsc -b` compiles for these names; without names, all projects, including those for tests
 * and pages.
 */
function projectsOf(names) {
  const parts = names.length === 0 ? ['.', 'page', 'tests'] : ['.'];
  const own = extensionFolders()
    .flatMap((folder) => parts.map((part) => `${folder}/${part}`))
    .filter((project) => existsSync(join(root, project, 'tsconfig.json')));
  if (names.length === 0) return ['.', ...own];
  return names.flatMap((name) => (name === 'extensions' ? own : [name]));
}

/** Returns the sources on which the name depends, as paths in the repository with `/` on every system. */
function namedSources(repository = root) {
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

/** Returns the name of the present code. */
export function codeName(repository = root) {
  const hash = createHash('sha256');
  for (const path of namedSources(repository)) {
    // A checkout on Windows has different line ends.
    const text = readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${path}\0${text}\0`);
  }
  return hash.digest('hex').slice(0, 8);
}

/** Writes the name into core's sources, unless the sources already contain it. */
export function writeCodeName() {
  const file = join(root, written);
  const text = `/** Written by scripts/compile.mjs; not kept in the repository. */\nexport const codeName: string = '${codeName()}';\n`;
  if (readOr(file, '') !== text) writeFileSync(file, text);
}

/** Returns the name in compiled core, which identifies the compiled sources; undefined if core is not compiled. */
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
  // The command loads this module only to compare names, so other modules are loaded on the first compilation.
  const { writeGlue } = await import('../packages/wasm-bls/scripts/kernel-glue.mjs');
  writeGlue();
  const projects = process.argv.slice(2);
  if (projects[0] !== '--name') {
    // npm reads the standard output of `npm pack`, so the compiler prints to standard error.
    const { status } = spawnSync(process.execPath, [tsc, '-b', ...projectsOf(projects)], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    process.exit(status ?? 1);
  }
}
