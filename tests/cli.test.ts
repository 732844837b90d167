import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { bin, start, temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const transports = new URL('../packages/transports/', import.meta.url);

/** Returns a document without the fields that depend on the machine and the time. */
function timeless(text: string): Record<string, unknown> {
  const { wallSeconds, peakRssBytes, ...rest } = JSON.parse(text);
  expect(wallSeconds).toBeGreaterThanOrEqual(0);
  expect(peakRssBytes).toBeGreaterThan(0);
  return rest;
}

describe('the bundled tutti', () => {
  it.each([
    [['--version'], 0],
    [['simulate', '--bogus'], 2],
    [['verify', join(folder, 'nothing.json')], 1],
  ])('%j exits with %i', async (args, code) => {
    expect((await tutti(...args)).code).toBe(code);
    expect((await runMain(args)).code).toBe(code);
  });

  it('simulate --json prints one document, the same for the same seed', async () => {
    const args = (seed: string) => ['simulate', '--nodes', '100', '--seed', seed, '--json'];
    const [first, again] = await Promise.all([tutti(...args('5')), runMain(args('5'))]);
    expect(first.out).toMatch(/^\{.*\}\n$/);
    const document = timeless(first.out);
    expect(document).toMatchObject({ nodes: 100, live: 100, reached: 100, seed: 5 });
    expect(timeless(again.out)).toEqual(document);
    expect(timeless((await runMain(args('6'))).out).digest).not.toBe(document.digest);
  });

  it('does not use localStorage, which prints a warning in Node 25 and later', () => {
    const noticed = "{ get: () => console.error('localStorage was asked for') }";
    const prelude = `Object.defineProperty(globalThis, 'localStorage', ${noticed})`;
    const preludeUrl = `data:text/javascript,${encodeURIComponent(prelude)}`;
    const prints = (...args: string[]): string =>
      spawnSync(process.execPath, ['--import', preludeUrl, ...args], { cwd: transports, encoding: 'utf8' }).stderr;

    expect(prints('--eval', 'localStorage')).toBe('localStorage was asked for\n');
    expect(prints(bin, 'sweep', 'nothing.json', '--out', 'x')).toMatch(/^tutti: nothing\.json: .*\n$/);
    expect(prints('--input-type=module', '--eval', "await import('#simple-peer')")).toBe('');
  });

  it.each([
    ['help', 0, ''],
    ['cite', 0, ''],
    ['lean rules --rule tree --silent 1', 1, 'tutti: broken: '],
  ])('%s, whose reader closes the output early as head does, exits with %i', async (line, code, said) => {
    const { child, finished } = start(...line.split(' '));
    child.stdout!.destroy();
    const { err, ...ended } = await finished;
    expect({ ...ended, err: err.slice(0, said.length || undefined) }).toEqual({ code, out: '', err: said });
  });

  it.runIf(existsSync('/dev/full')).each(['help', 'cite'])('%s reports a full disk in one line', (command) => {
    const words = ['-c', '"$0" "$1" "$2" > /dev/full', process.execPath, bin, command];
    const { status, stderr } = spawnSync('sh', words);
    expect([status, String(stderr)]).toEqual([1, 'tutti: standard output cannot be written (ENOSPC)\n']);
  });

  it('without a build, prints one line with the command to run and exits with 1', () => {
    const unbuilt = join(folder, 'unbuilt');
    for (const part of ['bin', 'package.json'])
      cpSync(new URL(`../apps/node-cli/${part}`, import.meta.url), join(unbuilt, part), { recursive: true });
    const ended = spawnSync(process.execPath, [join(unbuilt, 'bin/tutti.js')], { encoding: 'utf8' });
    const stderr = "tutti: not built yet; run 'npm run build' at the root of the project first\n";
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr });
  });

  it('runs the bundle of the current compilation, and the compiled files if they are newer', async () => {
    const workspace = join(folder, 'workspace');
    const cli = join(workspace, 'apps/node-cli');
    cpSync(new URL('../apps/node-cli/bin', import.meta.url), join(cli, 'bin'), { recursive: true });
    const libraries = ['core', 'simulation', 'ethereum', 'lab', 'transports', 'certificates'];
    const dists = ['apps/node-cli/dist', ...libraries.map((name) => `packages/${name}/dist`)];
    for (const made of ['apps/node-cli/bundle', ...dists]) mkdirSync(join(workspace, made), { recursive: true });
    for (const main of ['bundle/main.js', 'dist/main.js']) writeFileSync(join(cli, main), '');
    const { built } = await import(pathToFileURL(join(cli, 'bin/built.js')).href);
    const bundle = pathToFileURL(join(cli, 'bundle/main.js')).href;
    const compiled = pathToFileURL(join(cli, 'dist/main.js')).href;

    expect(built().href, 'a bundle that was not finished').toBe(compiled);
    writeFileSync(join(cli, 'bundle/stamp'), 'made elsewhere');
    expect(built().href, 'an installed package').toBe(bundle);
    const infos = dists.map((dist) => join(workspace, dist, '.tsbuildinfo'));
    for (const info of infos) writeFileSync(info, '');
    expect(built().href, 'compiled since').toBe(compiled);
    writeFileSync(join(cli, 'bundle/stamp'), infos.map((info) => statSync(info).mtimeMs).join(' '));
    expect(built().href, 'of what is compiled').toBe(bundle);
  });

  it('imports no constant in its bundle under the name of another file', () => {
    const bundle = new URL('../apps/node-cli/bundle/', import.meta.url);
    const files = readdirSync(bundle).filter((name) => name.endsWith('.js'));
    const exported = files.flatMap((name) => {
      const code = readFileSync(new URL(name, bundle), 'utf8');
      const constants = new Set(code.match(/(?<=^const )[\w$]+(?= = )/gm));
      const [, list] = /^export \{ (.*) \};$/m.exec(code) ?? ['', ''];
      const names = list!.split(', ').map((one) => one.split(' as ')[0]!);
      return names.map((own) => ({ name, own, isSecond: own.endsWith('$exported'), isConstant: constants.has(own) }));
    });
    expect(exported.filter(({ isSecond }) => isSecond).length).toBeGreaterThan(100);
    expect(exported.filter(({ isSecond, isConstant }) => isConstant && !isSecond)).toEqual([]);
  });
});
