/**
 * `npm run architecture`: lists the folders of each package and their imports in docs/internals/architecture.md.
 * `--check` writes nothing. It ends with exit code 1 if the page is stale, or if folders or files import each other in
 * a circle, including imports of types.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { extensionFolders } from './compile.mjs';
import { root } from './run.mjs';

const page = join(root, 'docs/internals/architecture.md');
const houses = [
  ...['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum', 'lab'].map(
    (name) => `packages/${name}`,
  ),
  ...['apps/node-cli', 'apps/visualizer'],
];
/** Name of a package's top-level files on the page. */
const hall = '(root)';

function sourcesOf(house) {
  const folder = join(root, house, 'src');
  return readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ts$/.test(path) && !/\.(test|d)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

function importsOf(text) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  return [...code.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g)].map(([, name]) => name);
}

const roomOf = (path) => (path.includes('/') ? path.split('/')[0] : hall);

/** Returns the folders of a package, and the folders and entry points that each imports. */
function plan(house) {
  const rooms = new Map();
  for (const { path, text } of sourcesOf(house)) {
    const to = rooms.get(roomOf(path)) ?? new Set();
    rooms.set(roomOf(path), to);
    for (const name of importsOf(text)) {
      if (name.startsWith('@tutti/')) to.add(name);
      if (!name.startsWith('.')) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), name));
      if (!target.startsWith('..') && roomOf(target) !== roomOf(path)) to.add(roomOf(target));
    }
  }
  return rooms;
}

/**
 * Returns whether a file is an entry point of a package or a page. Entry points import every folder, and no folder
 * imports them.
 */
function isEntryPoint(house, path) {
  const manifest = JSON.parse(readFileSync(join(root, house, 'package.json'), 'utf8'));
  const entries = Object.values(manifest.exports ?? {}).map((entry) => entry['tutti-source']);
  return path === 'main.ts' || entries.includes(`./src/${path}`);
}

/** Packages whose top-level files form one unit at the same level as their folders. */
const layered = ['packages/core', 'packages/simulation', 'packages/ethereum', 'packages/lab', 'packages/wasm-bls'];

/**
 * Returns the sibling folders, at any depth, that import each other in a circle, each circle once. In a layered
 * package, the files next to the folders count as well: they are either above or below the folders.
 */
function circlesOf(house) {
  const arrows = new Map();
  for (const { path, text } of sourcesOf(house).filter((file) => !isEntryPoint(house, file.path))) {
    // This file combines the codes of all folders in one type, which all folders use to count.
    if (path === 'refusals.ts') continue;
    for (const name of importsOf(text).filter((one) => one.startsWith('.'))) {
      const target = posix.join(posix.dirname(path), name);
      const [from, to] = [path, target].map((file) => file.split('/').slice(0, -1));
      if (to[0] === '..' || from.join('/') === to.join('/')) continue;
      const differs = from.findIndex((folder, index) => folder !== to[index]);
      const depth = differs < 0 ? from.length : differs;
      const isAdjacent = from[depth] === undefined || to[depth] === undefined;
      if (isAdjacent && !layered.includes(house)) continue;
      const [one, other] = [from, to].map((folders) =>
        folders[depth] === undefined ? [...folders, hall].join('/') : folders.slice(0, depth + 1).join('/'),
      );
      if (!arrows.has(one)) arrows.set(one, new Map());
      arrows.get(one).set(other, path);
    }
  }
  return circlesIn(arrows);
}

/** Returns the files of a package that import each other in a cycle, including imports of types. */
function fileCirclesOf(house) {
  const arrows = new Map();
  for (const { path, text } of sourcesOf(house)) {
    const names = importsOf(text).filter((one) => one.startsWith('.'));
    arrows.set(path, new Map(names.map((name) => [posix.join(posix.dirname(path), name), path])));
  }
  return circlesIn(arrows);
}

/**
 * Returns the circles in a graph, each as a sorted list of nodes. @param arrows nodes with the targets of their edges.
 */
function circlesIn(arrows) {
  const reach = (from) => {
    const seen = new Set();
    const walk = (at) => {
      for (const to of arrows.get(at)?.keys() ?? []) if (!seen.has(to)) seen.add(to) && walk(to);
    };
    walk(from);
    return seen;
  };
  const all = new Map([...arrows.keys()].map((from) => [from, reach(from)]));
  const circles = new Map();
  for (const [from, seen] of all) {
    if (!seen.has(from)) continue;
    const circle = [...seen].filter((to) => all.get(to)?.has(from)).sort();
    circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}

function mapOf(house) {
  const rooms = [...plan(house)].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = rooms.map(([room, to]) => {
    const arrows = [...to].filter((name) => name !== hall && !name.startsWith('@')).sort();
    return `| \`${room}\` | ${arrows.map((name) => `\`${name}\``).join(' ')} |`;
  });
  const names = rooms.flatMap(([, to]) => [...to]).filter((name) => name.startsWith('@'));
  const packages = [...new Set(names.map((name) => `\`${name.split('/', 2).join('/')}\``))].sort();
  const others = packages.length === 0 ? '' : `Imports ${packages.join(', ')}.\n\n`;
  return `### ${house}\n\n${others}| folder | imports from |\n|---|---|\n${rows.join('\n')}\n`;
}

function draw(isCheck) {
  const oldPage = readFileSync(page, 'utf8');
  const [before, , after] = oldPage.split(/<!-- (?:map|end of map)[^>]*-->\n/);
  const maps = houses.map(mapOf).join('\n');
  const text = `${before}<!-- map: npm run architecture -->\n\n${maps}\n<!-- end of map -->\n${after}`;
  const fail = (line) => {
    console.error(line);
    process.exitCode = 1;
  };
  for (const house of [...houses, ...extensionFolders()]) {
    for (const circle of [...circlesOf(house), ...fileCirclesOf(house)])
      fail(`${house}: expected arrows in one direction, got a circle of imports: ${circle.join(', ')}`);
  }
  if (!isCheck) writeFileSync(page, text);
  else if (text !== oldPage)
    fail('docs/internals/architecture.md: expected the map that npm run architecture draws, got another; run it');
}

if (process.argv[1] === import.meta.filename) draw(process.argv.includes('--check'));
