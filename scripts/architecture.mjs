/**
 * `npm run architecture`: draws the rooms of the house, their sizes and the arrows between them, from the imports, into docs/architecture.md.
 * `--check` writes nothing, and ends with exit code 1 where the page has gone stale or folders import each other in a circle.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './run.mjs';

const page = join(root, 'docs/architecture.md');
const houses = ['packages/core', 'packages/wasm-bls', 'packages/transports', 'apps/node-cli', 'apps/visualizer'];
/** What a house's own files are called that lie in no room. */
const HALL = '(hall)';

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

const roomOf = (path) => (path.includes('/') ? path.split('/')[0] : HALL);

/** Rooms of a house with their lines, and what each imports: how many files of it, by room or other house. */
function plan(house) {
  const rooms = new Map();
  for (const { path, text } of sourcesOf(house)) {
    const room = rooms.get(roomOf(path)) ?? { files: 0, lines: 0, to: new Map() };
    rooms.set(roomOf(path), room);
    room.files += 1;
    room.lines += text.split('\n').length - 1;
    const reached = new Set(
      importsOf(text).flatMap((name) => {
        if (name.startsWith('@tutti/')) return [name];
        if (!name.startsWith('.')) return [];
        const target = posix.normalize(posix.join(posix.dirname(path), name));
        return target.startsWith('..') || roomOf(target) === roomOf(path) ? [] : [roomOf(target)];
      }),
    );
    for (const name of reached) room.to.set(name, (room.to.get(name) ?? 0) + 1);
  }
  return rooms;
}

/** Files that a package or a page is entered by: they import from every room, and no room imports them. */
function isDoor(house, path) {
  const manifest = JSON.parse(readFileSync(join(root, house, 'package.json'), 'utf8'));
  const doors = Object.values(manifest.exports ?? {}).map((door) => door['tutti-source']);
  return path === 'main.ts' || doors.includes(`./src/${path}`);
}

/** The folders, at any depth, that import each other in a circle, each circle once; files beside each other are no circle. */
export function circlesOf(house) {
  const arrows = new Map();
  for (const { path, text } of sourcesOf(house).filter((file) => !isDoor(house, file.path))) {
    const from = posix.dirname(path);
    for (const name of importsOf(text).filter((one) => one.startsWith('.'))) {
      const to = posix.dirname(posix.normalize(posix.join(from, name)));
      if (to === from || to.startsWith('..')) continue;
      if (!arrows.has(from)) arrows.set(from, new Set());
      arrows.get(from).add(to);
    }
  }
  const reach = (from) => {
    const seen = new Set();
    const walk = (at) => {
      for (const to of arrows.get(at) ?? []) if (!seen.has(to)) seen.add(to) && walk(to);
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
for (const house of houses) console.log(house, circlesOf(house).map((c) => c.join(' <-> ')));
for (const house of houses) for (const [room, { files, lines, to }] of plan(house)) console.log(house, room, files, lines, [...to].map(([a, b]) => `${a} ${b}`).join(', '));
