import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { importsOf } from '../imports.mjs';
import { root } from '../run.mjs';

const vectors = 'tests/vectors.test.ts';
const choices = 'packages/simulation/src/replay/queueChoices.test.ts';
const bothHandels = 'packages/simulation/test/readableHandel.test.ts';
/** Tests that are omitted for a whole package: one takes a long time, and two need a separate process. */
const apart = /\/(absent|hostileEntryPoints|nodeLog)\.test\.ts$/;
const hostile = 'tests/hostileArguments.test.ts';

/** Tests of a whole package that apply to each folder of the package: rejections of invalid arguments. */
const ofPackages = {
  'packages/core': [hostile],
  'packages/simulation': [hostile],
  'packages/ethereum': [hostile],
  'packages/transports': ['packages/transports/src/hostileArguments.test.ts'],
  'packages/wasm-bls': ['packages/wasm-bls/src/hostileArguments.test.ts'],
};

/**
 * Mutated folders by name, each with the package whose tests run, and with the tests outside `src` that were written
 * for the folder. `only` selects sources at any depth within the folder; without `only`, the folder's own files are
 * mutated. Slow tests are omitted: a test of the source itself should detect a mutant sooner.
 */
const folders = {
  handel: { package: 'packages/core', under: 'src/handel', also: [bothHandels] },
  packedHandel: { package: 'packages/core', under: 'src/handel/packed', also: [bothHandels, choices] },
  contribution: { package: 'packages/core', under: 'src/contribution' },
  overlay: { package: 'packages/core', under: 'src/overlay', also: [vectors] },
  wire: { package: 'packages/core', under: 'src/wire', also: [vectors] },
  channel: { package: 'packages/transports', under: 'src/channel', also: [vectors] },
  rounds: { package: 'packages/transports', under: 'src/rounds', also: [vectors], without: ['manyRounds.test.ts'] },
  rooms: { package: 'packages/transports', under: 'src/room' },
  verdicts: { package: 'packages/wasm-bls', under: 'src', only: /^round\.ts$/ },
  tables: { package: 'packages/ethereum', under: 'src/horn/tables' },
  baselines: { package: 'packages/core', under: 'src/baselines' },
  adversary: { package: 'packages/simulation', under: 'src/attacks' },
  simulation: { package: 'packages/simulation', under: 'src/run' },
  scenario: { package: 'packages/simulation', under: 'src/scenario' },
  engine: { package: 'packages/simulation', under: 'src/engine' },
  networks: { package: 'packages/simulation', under: 'src/engine/network' },
  recordings: { package: 'packages/simulation', under: 'src/recording' },
  goReference: { package: 'packages/lab', under: 'src/goReference' },
  replay: { package: 'packages/simulation', under: 'src/replay' },
  world: { package: 'packages/simulation', under: 'src/world' },
  faults: { package: 'packages/simulation', under: 'src/faults' },
  checkers: { package: 'packages/simulation', under: 'src/checkers' },
  slots: { package: 'packages/ethereum', under: 'src/slots' },
  networkSlots: { package: 'packages/ethereum', under: 'src/slots/network' },
  checks: { package: 'packages/simulation', under: 'src/checks' },
  attackSearch: { package: 'packages/simulation', under: 'src/checks/attackSearch' },
  modelChecker: { package: 'packages/simulation', under: 'src/checks/modelChecker' },
  swarm: { package: 'packages/simulation', under: 'src/checks/swarm' },
  speed: { package: 'packages/simulation', under: 'src/speed' },
  statistics: { package: 'packages/simulation', under: 'src/statistics' },
  text: { package: 'packages/simulation', under: 'src/text' },
  exports: { package: 'packages/simulation', under: 'src/recording/export' },
  horn: { package: 'packages/ethereum', under: 'src/horn' },
  hornNetwork: { package: 'packages/ethereum', under: 'src/horn/network' },
  hornSample: { package: 'packages/ethereum', under: 'src/horn/sample' },
  signalling: { package: 'packages/transports', under: 'src/signalling' },
  group: { package: 'packages/wasm-bls', under: 'src', only: /^group\.ts$/ },
  serve: { package: 'apps/node-cli', under: 'src/live' },
  layouts: { package: 'apps/visualizer', under: 'src', only: /Layout\.ts$/ },
};

export const folderNames = Object.keys(folders);

/**
 * Returns the sources of a folder, each with the tests that should detect a change: the test with the source's name
 * first; then the tests of its folder that reach the source by imports or, if there are none, the tests of the package
 * that do; then tests of other packages, and the package's rejections. `farther` lists all other tests of the package
 * that reach the source. All paths are absolute.
 *
 * @returns {{ path: string, tests: string[], farther: string[] }[]}
 */
export function sourcesOf(folder) {
  const { package: folderOfPackage, under, only, also = [], without = [] } = folders[folder];
  const home = join(root, folderOfPackage);
  const isSource = (name) => /\.ts$/.test(name) && !/\.(test|d)\.ts$/.test(name) && (only?.test(name) ?? true);
  const sources = readdirSync(join(home, under), { recursive: only !== undefined })
    .filter(isSource)
    .sort();
  const tests = testsIn(join(home, 'src')).filter((test) => !without.some((long) => test.endsWith(long)));
  return sources.map((name) => {
    const path = join(home, under, name);
    const importing = tests.filter((test) => filesImportedBy(test).includes(path));
    const own = tests.filter((test) => test === path.replace(/\.ts$/, '.test.ts'));
    const beneath = tests.filter((test) => dirname(test) === dirname(path) && reached(test).has(path));
    const near = [...own, ...(only ? importing : beneath)];
    const others = [...also, ...(ofPackages[folderOfPackage] ?? [])]
      .map((test) => join(root, test))
      .filter((test) => existsSync(test));
    const nearest =
      [near, importing].find(({ length }) => length > 0) ?? tests.filter((test) => reached(test).has(path));
    const close = [...new Set([...nearest, ...others])];
    const farther = [...tests, ...testsIn(join(home, 'test'))].filter(
      (test) => !close.includes(test) && !apart.test(test) && reached(test).has(path),
    );
    return { path, tests: close, farther };
  });
}

function testsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return names.sort().map((name) => join(folder, name));
}

/** Returns the package of a test: the nearest folder above the test with a Vitest configuration. */
export function packageOf(test) {
  let folder = dirname(test);
  while (!existsSync(join(folder, 'vitest.config.ts'))) folder = dirname(folder);
  return folder;
}

const known = new Map();

/** Returns the files that a file imports by path, statically or dynamically. */
function filesImportedBy(path) {
  if (!known.has(path)) {
    const named = existsSync(path) ? importsOf(readFileSync(path, 'utf8')) : [];
    known.set(
      path,
      named.filter((name) => name.startsWith('.')).map((name) => resolve(dirname(path), name)),
    );
  }
  return known.get(path);
}

function reached(path, seen = new Set()) {
  for (const next of filesImportedBy(path)) {
    if (seen.has(next)) continue;
    seen.add(next);
    reached(next, seen);
  }
  return seen;
}
