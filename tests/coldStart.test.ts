import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sampled } from './sampled.ts';
import { bin } from './tutti.ts';

/** Address of the compiled command, in which, unlike in the bundle, each module is a separate file. */
const compiled = new URL('../apps/node-cli/dist/main.js', import.meta.url).href;
const running = ['--input-type=module', '-e', `await (await import('${compiled}')).run(process.argv.slice(1))`, '--'];
/** A loader that prints each imported module to standard error. */
const telling = 'export const load = (url, context, next) => { process._rawDebug(url); return next(url, context); }';
const registering = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(telling)}');`;

/** Returns the files that a program imports, by path in the repository, and its libraries, by name. */
function imported(...program: string[]): { files: string[]; libraries: string[] } {
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(registering)}`, ...program],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const paths = stderr.split('\n').filter((line) => line.startsWith('file:'));
  const libraries = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const files = paths.flatMap((path) => /\/((?:apps|packages)\/(?!.*node_modules).*)$/.exec(path)?.[1] ?? []);
  return { files, libraries: [...new Set(libraries)].sort() };
}

/** Script in V8's coverage of a process. */
type Script = { readonly url: string; readonly functions: { functionName: string; ranges: { count: number }[] }[] };

const simulate = ['simulate', '--nodes', '4', '--json'];
const simulating = imported(...running, ...simulate);

/** Libraries for fonts, images, documents, drawing, metrics and WebSockets, for commands that use them. */
const laboratory = ['@resvg/resvg-js', 'pdfkit', 'svg-to-pdfkit', 'dejavu-fonts-ttf', 'd3-shape', 'prom-client', 'ws'];

it('--version loads two files', () => {
  expect(imported(bin, '--version')).toEqual({
    files: ['apps/node-cli/bin/tutti.js', 'apps/node-cli/bin/built.js'],
    libraries: [],
  });
});

it.each(sampled(['simulate', 'figures', 'sweep', 'cluster'], 1))(
  '%s --help loads no other command and nothing of packages/lab',
  (command) => {
    const { files, libraries } = imported(...running, command, '--help');
    const loaded = files.flatMap((path) => /\/commands\/(\w+)\.js$/.exec(path)?.[1] ?? []);
    expect(loaded).toEqual([command]);
    expect(libraries.filter((name) => laboratory.includes(name))).toEqual([]);
    expect(libraries).toContain('commander');
  },
);

/** Modules that lock and write files, which every command with results loads. */
const ofFiles = /packages\/transports\/dist\/(files|files\/\w+)\.js$/;

it('bench simulation loads neither the other benchmarks nor Horn nor a kernel', () => {
  const { files, libraries } = imported(...running, 'bench', 'simulation', '--help');
  expect(files.filter((path) => /\/commands\//.test(path))).toEqual(['apps/node-cli/dist/commands/benchSimulation.js']);
  expect(files.filter((path) => /horn\/|wasm-bls|transports/.test(path) && !ofFiles.test(path))).toEqual([]);
  expect(libraries).toEqual(['commander']);
});

it('a run of Handel loads at most 150 modules, and nothing of Horn, of network files and of the cities', () => {
  expect(simulating.files.length).toBeLessThanOrEqual(150);
  expect(simulating.files.filter((path) => /horn|ethereum|latencyFile|gml|cities/i.test(path))).toEqual([]);
});

it('a run of Handel under attack calls functions of at most 80 modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-coverage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const attacked = [...running, 'simulate', '--nodes', '256', '--attack', 'invalid:0.3', '--json'];
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status, stderr } = spawnSync(process.execPath, attacked, { encoding: 'utf8', env });
  expect(status, stderr).toBe(0);
  const scripts = readdirSync(folder).flatMap(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result as Script[],
  );
  const isCalled = ({ functions }: Script) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
  const called = scripts.filter(
    (one) => /^file:.*\/(apps|packages)\/(?!.*node_modules)/.test(one.url) && isCalled(one),
  );
  expect(called.length).toBeGreaterThan(50);
  expect(called.length).toBeLessThanOrEqual(80);
});

it('simulate loads a kernel and sockets only for schemes that need them', () => {
  const { files, libraries } = simulating;
  expect(files.filter((path) => /wasm-bls|transports/.test(path) && !ofFiles.test(path))).toEqual([]);
  expect(libraries).toEqual(['commander']);
});

it('a simulation from the bundle loads at most a third of the files', () => {
  const { files, libraries } = imported(bin, ...simulate);
  expect(files.filter((path) => path.includes('/dist/'))).toEqual([]);
  expect(files.length * 3).toBeLessThan(simulating.files.length);
  expect(libraries).toEqual(simulating.libraries);
});
