import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../run.mjs';

const vectors = 'tests/vectors.test.ts';

/**
 * What is mutated: folders by name, each with the room whose tests are run, and with tests of other rooms that were
 * written for it. Tests that play long are left out: what they notice late, a test beside the source should notice at
 * once.
 */
const folders = {
  handel: { room: 'packages/core', under: 'src/handel' },
  contribution: { room: 'packages/core', under: 'src/contribution' },
  overlay: { room: 'packages/core', under: 'src/overlay', beside: [vectors] },
  wire: { room: 'packages/core', under: 'src/wire', beside: [vectors] },
  channel: { room: 'packages/transports', under: 'src/channel', beside: [vectors] },
  rounds: { room: 'packages/transports', under: 'src/rounds', beside: [vectors], without: ['manyRounds.test.ts'] },
  rooms: { room: 'packages/transports', under: 'src/room' },
  verdicts: { room: 'packages/wasm-bls', under: 'src', only: /^batch-(verdicts|coefficients)\.ts$/ },
  tables: { room: 'packages/core', under: 'src/horn/tables' },
};

export const folderNames = Object.keys(folders);

/**
 * The sources of a folder, each with the tests that should notice a change: the one of its name first, those of its
 * folder that reach it by imports (where there are none, those of the room that import it), and those of other rooms.
 * Paths are absolute.
 *
 * @returns {{ path: string, tests: string[] }[]}
 */
export function sourcesOf(folder) {
  const { room, under, only, beside = [], without = [] } = folders[folder];
  const home = join(root, room);
  const isSource = (name) => /\.ts$/.test(name) && !/\.(test|d)\.ts$/.test(name) && (only?.test(name) ?? true);
  const sources = readdirSync(join(home, under)).filter(isSource).sort();
  const tests = readdirSync(join(home, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !without.some((long) => name.endsWith(long)))
    .sort()
    .map((name) => join(home, 'src', name));
  return sources.map((name) => {
    const path = join(home, under, name);
    const importing = tests.filter((test) => importsOf(test).includes(path));
    const own = tests.filter((test) => test === path.replace(/\.ts$/, '.test.ts'));
    const reaching = only ? importing : tests.filter((test) => reached(test).has(path));
    const near = [...own, ...reaching.filter((test) => dirname(test) === dirname(path))];
    const others = beside.map((test) => join(root, test));
    return { path, tests: [...new Set([...(near.length > 0 ? near : importing), ...others])] };
  });
}

/** The nearest folder above a test that has a Vitest configuration: its room. */
export function roomOf(test) {
  let folder = dirname(test);
  while (!existsSync(join(folder, 'vitest.config.ts'))) folder = dirname(folder);
  return folder;
}

const known = new Map();

/** Files that a file imports by their paths. */
function importsOf(path) {
  if (!known.has(path)) {
    const named = existsSync(path) ? readFileSync(path, 'utf8').matchAll(/from '(\.{1,2}\/[^']+)'/g) : [];
    known.set(
      path,
      [...named].map(([, name]) => resolve(dirname(path), name)),
    );
  }
  return known.get(path);
}

function reached(path, seen = new Set()) {
  for (const next of importsOf(path)) {
    if (seen.has(next)) continue;
    seen.add(next);
    reached(next, seen);
  }
  return seen;
}
