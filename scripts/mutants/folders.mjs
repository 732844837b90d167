import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../run.mjs';

/** What is mutated: folders by name, each with the room whose tests are run. */
const FOLDERS = {
  handel: { room: 'packages/core', under: 'src/handel' },
  contribution: { room: 'packages/core', under: 'src/contribution' },
  overlay: { room: 'packages/core', under: 'src/overlay' },
  wire: { room: 'packages/core', under: 'src/wire' },
  channel: {
    room: 'packages/transports',
    under: 'src',
    only: /^(channel\w*|fragments|replayWindow|session|boot\w*|handshake\w*)\.ts$/,
  },
  rounds: { room: 'packages/transports', under: 'src/rounds' },
  rooms: { room: 'packages/transports', under: 'src/room' },
};

export const folderNames = Object.keys(FOLDERS);

/**
 * The sources of a folder, each with the tests that may notice a change: the one of its name first, those of its folder, and
 * whatever else in the room imports it. Paths are absolute.
 *
 * @returns {{ path: string, room: string, tests: string[] }[]}
 */
export function sourcesOf(folder) {
  const { room, under, only = /\.ts$/ } = FOLDERS[folder];
  const home = join(root, room);
  const names = readdirSync(join(home, under));
  const sources = names.filter((name) => only.test(name) && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'));
  const tests = testFiles(home);
  return sources.sort().map((name) => {
    const path = join(home, under, name);
    const own = path.replace(/\.ts$/, '.test.ts');
    const near = only.source === '\\.ts$' ? tests.filter(({ path: test }) => dirname(test) === dirname(path)) : [];
    const importing = tests.filter(({ imports }) => imports.has(path));
    return { path, room: home, tests: [...new Set([own, ...near, ...importing].map(pathOf))].filter(isTest(tests)) };
  });
}

const pathOf = (test) => (typeof test === 'string' ? test : test.path);
const isTest = (tests) => (path) => tests.some((test) => test.path === path);

function testFiles(home) {
  const entries = readdirSync(join(home, 'src'), { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return entries.sort().map((name) => {
    const path = join(home, 'src', name);
    return { path, imports: importsOf(path) };
  });
}

function importsOf(path) {
  const named = readFileSync(path, 'utf8').matchAll(/from '(\.{1,2}\/[^']+)'/g);
  return new Set([...named].map(([, name]) => resolve(dirname(path), name)));
}
