/**
 * `npm run architecture`: lists the folders of each package and their imports in docs/internals/architecture.md.
 * `--check` writes nothing. With `--check`, the exit code is 1 if the page is stale, or if folders or files import each
 * other in a cycle, including imports of types.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { extensionFolders } from './compile.mjs';
import { importsOf } from './imports.mjs';
import { root } from './run.mjs';

const page = join(root, 'docs/internals/architecture.md');
/** Folders of the packages that the page lists. */
const packages = [
  ...['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum', 'lab'].map(
    (name) => `packages/${name}`,
  ),
  ...['apps/node-cli', 'apps/visualizer'],
];
/** Name on the page for a package's files outside its folders. */
const rootFiles = '(root)';

/** Returns the sources of a package, without tests; a package of manifests has none. */
function sourcesOf(packageFolder) {
  const folder = join(root, packageFolder, 'src');
  return (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ts$/.test(path) && !/\.(test|d)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

const folderOf = (path) => (path.includes('/') ? path.split('/')[0] : rootFiles);

/** Returns the folders of a package, each with the folders and entry points that it imports. */
function importsByFolder(packageFolder) {
  const byFolder = new Map();
  for (const { path, text } of sourcesOf(packageFolder)) {
    const imports = byFolder.get(folderOf(path)) ?? new Set();
    byFolder.set(folderOf(path), imports);
    for (const name of importsOf(text)) {
      if (name.startsWith('@tutti/')) imports.add(name);
      if (!name.startsWith('.')) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), name));
      if (!target.startsWith('..') && folderOf(target) !== folderOf(path)) imports.add(folderOf(target));
    }
  }
  return byFolder;
}

/**
 * Returns whether a file is an entry point of a package or a page. Entry points import every folder, and no folder
 * imports them.
 */
function isEntryPoint(packageFolder, path) {
  const manifest = JSON.parse(readFileSync(join(root, packageFolder, 'package.json'), 'utf8'));
  const entries = Object.values(manifest.exports ?? {}).map((entry) => entry['tutti-source']);
  return path === 'main.ts' || entries.includes(`./src/${path}`);
}

/** Packages whose top-level files form one unit at the same level as their folders. */
const layered = ['packages/core', 'packages/simulation', 'packages/ethereum', 'packages/lab', 'packages/wasm-bls'];

/**
 * Returns the groups of sibling folders, at any depth, that import each other in a cycle, each cycle once. In a layered
 * package, the files next to the folders count as well: they are either above or below the folders.
 */
function folderCyclesOf(packageFolder) {
  const imports = new Map();
  for (const { path, text } of sourcesOf(packageFolder).filter((file) => !isEntryPoint(packageFolder, file.path))) {
    // This file combines the codes of all folders in one type, which all folders use to count refusals.
    if (path === 'refusals.ts') continue;
    for (const name of importsOf(text).filter((one) => one.startsWith('.'))) {
      const target = posix.join(posix.dirname(path), name);
      const [from, to] = [path, target].map((file) => file.split('/').slice(0, -1));
      if (to[0] === '..' || from.join('/') === to.join('/')) continue;
      const differs = from.findIndex((folder, index) => folder !== to[index]);
      const depth = differs < 0 ? from.length : differs;
      const isAdjacent = from[depth] === undefined || to[depth] === undefined;
      if (isAdjacent && !layered.includes(packageFolder)) continue;
      const [one, other] = [from, to].map((folders) =>
        folders[depth] === undefined ? [...folders, rootFiles].join('/') : folders.slice(0, depth + 1).join('/'),
      );
      if (!imports.has(one)) imports.set(one, new Set());
      imports.get(one).add(other);
    }
  }
  return cyclesIn(imports);
}

/** Returns the files of a package that import each other in a cycle, including imports of types. */
function fileCyclesOf(packageFolder) {
  const imports = new Map();
  for (const { path, text } of sourcesOf(packageFolder)) {
    const names = importsOf(text).filter((one) => one.startsWith('.'));
    imports.set(path, new Set(names.map((name) => posix.join(posix.dirname(path), name))));
  }
  return cyclesIn(imports);
}

/** Returns the cycles in a graph, each as a sorted list of nodes. @param edges nodes with the targets of their edges. */
export function cyclesIn(edges) {
  const reachedFrom = (from) => {
    const seen = new Set();
    const walk = (at) => {
      for (const to of edges.get(at) ?? []) if (!seen.has(to)) seen.add(to) && walk(to);
    };
    walk(from);
    return seen;
  };
  const all = new Map([...edges.keys()].map((from) => [from, reachedFrom(from)]));
  const cycles = new Map();
  for (const [from, seen] of all) {
    if (!seen.has(from)) continue;
    const cycle = [...seen].filter((to) => all.get(to)?.has(from)).sort();
    cycles.set(cycle.join(' '), cycle);
  }
  return [...cycles.values()];
}

/** Returns the section of a package on the page. */
function sectionOf(packageFolder) {
  const folders = [...importsByFolder(packageFolder)].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = folders.map(([folder, imports]) => {
    const names = [...imports].filter((name) => name !== rootFiles && !name.startsWith('@')).sort();
    return `| \`${folder}\` | ${names.map((name) => `\`${name}\``).join(' ')} |`;
  });
  const entryPoints = folders.flatMap(([, imports]) => [...imports]).filter((name) => name.startsWith('@'));
  const imported = [...new Set(entryPoints.map((name) => `\`${name.split('/', 2).join('/')}\``))].sort();
  const others = imported.length === 0 ? '' : `Imports ${imported.join(', ')}.\n\n`;
  return `### ${packageFolder}\n\n${others}| folder | imports from |\n|---|---|\n${rows.join('\n')}\n`;
}

/** Writes the page, or compares it with the sources. */
function update(isCheck) {
  const oldPage = readFileSync(page, 'utf8');
  const [before, , after] = oldPage.split(/<!-- (?:map|end of map)[^>]*-->\n/);
  const sections = packages.map(sectionOf).join('\n');
  const text = `${before}<!-- map: npm run architecture -->\n\n${sections}\n<!-- end of map -->\n${after}`;
  const fail = (line) => {
    console.error(line);
    process.exitCode = 1;
  };
  for (const packageFolder of [...packages, ...extensionFolders()]) {
    for (const cycle of [...folderCyclesOf(packageFolder), ...fileCyclesOf(packageFolder)])
      fail(`${packageFolder}: expected imports in one direction, got a cycle: ${cycle.join(', ')}`);
  }
  if (!isCheck) writeFileSync(page, text);
  else if (text !== oldPage)
    fail('docs/internals/architecture.md: expected the tables that npm run architecture writes, got others; run it');
}

if (process.argv[1] === import.meta.filename) update(process.argv.includes('--check'));
