import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { version } from '@tutti/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tsc } from '../scripts/compile.mjs';
import { root } from '../scripts/run.mjs';
import { extensions } from './extensions.ts';
import { isWhole } from './sampled.ts';
import { finishedOf, printed, temporaryFolder } from './tutti.ts';

const libraries = ['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum'];
const packages = [...libraries.map((name) => `packages/${name}`), 'apps/node-cli'];
/** Folders of the installed extensions. */
const added = extensions.map(({ folder }) => folder);
/** Entry points that are not JavaScript modules. */
const notCode = ['--exclude-entrypoints', 'package.json', 'kernel/*.wasm'];
const minutes = 60_000;
/** Matches the package that an import in bundled code refers to. */
const importOf = /(?:^import (?:.* from )?|\bimport\()"(?!node:)((?:@[\w-]+\/)?\w[\w.-]*)/gm;

/** A folder outside the workspace, in which the packed packages are installed with their dependencies. */
const folder = temporaryFolder();
/** A folder in which only the dependencies of a verifier are installed. */
const verifier = temporaryFolder();

interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly string[];
}

const packed = new Map<string, Packed>();

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...[...packages, ...added].map((path) => `--workspace=${path}`)],
    { cwd: root, maxBuffer: 1 << 26 },
  );
  const tarballs: { name: string; filename: string; files: { path: string }[] }[] = Object.values(JSON.parse(stdout));
  for (const path of [...packages, ...added]) {
    const { name } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const { filename, files } = tarballs.find((one) => one.name === name)!;
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components', '1']);
    packed.set(path, { name, tarball: join(folder, filename), files: files.map((file) => file.path) });
  }
  // The dependencies are those installed here, except for the workspace's own packages.
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@tutti' || name.startsWith('.cache')) continue;
    const inside = name.startsWith('@')
      ? readdirSync(join(root, 'node_modules', name)).map((one) => `${name}/${one}`)
      : [name];
    for (const one of inside) {
      const link = join(folder, 'node_modules', one);
      mkdirSync(join(link, '..'), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(root, 'node_modules', one), link);
    }
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module', private: true }));
}, 20 * minutes);

const tutti = () => join(folder, 'node_modules/@tutti/node-cli/bin/tutti.js');

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

describe.each([...packages, ...added])('%s, packed', (path) => {
  it('contains README and licence, and neither tests nor compiler state', () => {
    const { files } = packed.get(path)!;
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(files.filter((file) => /\.test\.|tsbuildinfo|(^|\/)test\//.test(file))).toEqual([]);
  });

  it('passes publint', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(packed.get(path)!.tarball)).buffer },
    });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
  });

  it.runIf(isWhole && added.includes(path))('adds its command to an installed tutti', () => {
    const { exports } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    if (!('./command' in exports)) return;
    expect(node(tutti(), basename(path), '--help')).toMatch(new RegExp(`^Usage: tutti ${basename(path)} `));
  });

  it.runIf(isWhole && !added.includes(path))("runs its README's programs", () => {
    const programs = [...readFileSync(join(root, path, 'README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)];
    expect(programs).toHaveLength(path === 'apps/node-cli' ? 0 : 1);
    for (const [place, [, program]] of programs.entries()) {
      const file = join(folder, `${path.replace('/', '-')}-${place}.mjs`);
      writeFileSync(file, program!);
      expect(node(file).trim()).toMatch(
        /^(205 of 205 nodes hold 79 % of 256 .*|true|signed by 3 of 3, in 96 bytes|to node 4 on level 1|16384 of 16384 validators know 99 % of the votes)$/,
      );
    }
  });
});

it('@tutti/core depends on no other package', () => {
  const installed = join(folder, 'node_modules/@tutti/core');
  expect([...installedWith(installed)]).toEqual([installed]);
});

it('verifying a certificate installs no transport, no socket and no WebRTC', () => {
  const needed = ['@tutti/certificates', '@tutti/wasm-bls'].flatMap((name) => [
    ...installedWith(join(folder, 'node_modules', name)),
  ]);
  const names = needed.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).name);
  const allowed = '@noble/curves @noble/hashes @tutti/certificates @tutti/core @tutti/wasm-bls ipaddr.js';
  expect([...new Set(names)].sort().join(' ')).toBe(allowed);
  for (const [at, path] of needed.entries())
    cpSync(path, join(verifier, 'node_modules', names[at]), { recursive: true });
  const [, program] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'packages/certificates/README.md'), 'utf8'))!;
  writeFileSync(join(verifier, 'verify.mjs'), program!);
  expect(execFileSync(process.execPath, ['verify.mjs'], { cwd: verifier, encoding: 'utf8' })).toBe('true\n');
});

it('the command depends on every library that its bundle imports, wherever the installer places it', () => {
  const cli = packed.get('apps/node-cli')!;
  const installed = join(folder, 'node_modules', cli.name);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  for (const name of Object.keys(peerDependencies)) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  const imported = cli.files
    .filter((file) => /^bundle\/.*\.js$/.test(file))
    .flatMap((file) => [...readFileSync(join(installed, file), 'utf8').matchAll(importOf)])
    .map(([, library]) => library!);
  expect(new Set(imported).size).toBeGreaterThan(10);
  expect(
    imported.filter((library) => !(library in { ...dependencies, ...optionalDependencies, ...peerDependencies })),
  ).toEqual([]);
});

/** Returns the folder to which another folder's import resolves; undefined for a missing optional package. */
function folderOf(name: string, from: string): string | undefined {
  for (let place = from; ; place = join(place, '..')) {
    const found = join(place, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (place === '/') return undefined;
  }
}

/** Returns the folders of a package and its installed dependencies. */
function installedWith(start: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(start)) return known;
  known.add(start);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(start, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = folderOf(name, start) ?? folderOf(name, folder);
    if (found !== undefined) installedWith(found, known);
  }
  return known;
}

/** Returns the size of a package on a disk with blocks of 4 kB, bytes, excluding nested packages. */
function bytesOf(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const inside = join(path, entry.name);
    bytes += entry.isDirectory() ? bytesOf(inside) : Math.ceil(lstatSync(inside).size / 4096) * 4096;
  }
  return bytes;
}

it('the command and its dependencies take less than 95 MB', () => {
  const all = [...installedWith(join(folder, 'node_modules', packed.get('apps/node-cli')!.name))];
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((path) => /pdfkit|dejavu/.test(path))).toEqual([]);
  expect(all.reduce((sum, path) => sum + bytesOf(path), 0)).toBeLessThan(95e6);
});

describe('installed outside of the workspace,', () => {
  it.runIf(isWhole).each(packages.slice(0, 4))('%s has types for each module resolution', (path) => {
    const { tarball } = packed.get(path)!;
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    expect(() => node(attw, tarball, '--profile', 'esm-only', ...notCode)).not.toThrow();
  });

  /** Compiles a program in strict mode with a given method of module resolution. */
  const compiles = (resolution: string) => {
    const program = join(folder, `program-${resolution}.ts`);
    writeFileSync(
      program,
      `import { HandelNode, type Port } from '@tutti/core';
import { openBroadcast, Peer } from '@tutti/transports';
import { attachSignalling, openUdp } from '@tutti/transports/node';
import { type Bls, loadBls } from '@tutti/wasm-bls';
import { loadG1 } from '@tutti/wasm-bls/kernel';
export const all: [typeof HandelNode, typeof Peer, typeof loadG1, () => Promise<Bls>] = [HandelNode, Peer, loadG1, loadBls];
export type Mine = Port;
void [openBroadcast, openUdp, attachSignalling];
`,
    );
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    // The compiler ignores errors in TypeScript's own libraries.
    const flags = `--strict --skipDefaultLibCheck --noEmit --target es2023 --types node --module ${module}`.split(' ');
    expect(() => node(tsc, ...flags, '--moduleResolution', resolution, program)).not.toThrow();
  };

  const pageCompiles = () => {
    const project = join(folder, 'tsconfig.json');
    const compilerOptions = {
      ...{ strict: true, skipDefaultLibCheck: true, noEmit: true, types: [], lib: ['es2022', 'dom'] },
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    };
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['page.ts'] }));
    writeFileSync(
      join(folder, 'page.ts'),
      `import { Channel, openWebRtc, Peer } from '@tutti/transports';
import { LiveMember } from '@tutti/transports/rooms';
export const all: [typeof Peer, typeof Channel, typeof openWebRtc, typeof LiveMember] = [Peer, Channel, openWebRtc, LiveMember];
`,
    );
    try {
      expect(() => node(tsc, '-p', project)).not.toThrow();
    } finally {
      // A project file in the folder would include the other programs.
      rmSync(project);
    }
  };

  const programs: [name: string, compile: () => void][] = [
    ['a strict program compiles under nodenext', () => compiles('nodenext')],
    ['a strict program compiles under bundler', () => compiles('bundler')],
    ["a page's program compiles without Node's types", pageCompiles],
  ];
  it.runIf(isWhole).each(programs)('%s', (_, compile) => compile());

  it('the command simulates and prints its version', () => {
    expect(node(tutti(), '--version').trim()).toBe(version);
    const result = JSON.parse(node(tutti(), 'simulate', '--nodes', '16', '--json'));
    expect(result).toMatchObject({ reached: 16, live: 16, version });
  });

  it('core and the page have the same version', () => {
    expect(node('-p', "import('@tutti/core').then(({ version }) => console.log(version)), ''").trim()).toBe(version);
    const assets = join(folder, 'node_modules/@tutti/node-cli/page/assets');
    const [, name] = version.split('+');
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
    expect(scripts.filter((file) => readFileSync(join(assets, file), 'utf8').includes(name!))).not.toEqual([]);
  });

  describe('the command serves', () => {
    let server: ChildProcess;
    let address: string;
    beforeAll(async () => {
      server = spawn(process.execPath, [tutti(), 'serve', '--port', '0'], { cwd: folder });
      address = await printed({ child: server, finished: finishedOf(server) }, /(http:\S+)\s/);
    });
    afterAll(() => void server.kill());

    it('its bundled page', async () => {
      const answer = await fetch(address);
      const page = await answer.text();
      expect([answer.status, page]).toEqual([200, expect.stringContaining('<title>Tutti')]);
      expect(page).toContain('href="./docs/"');
    });

    it.skipIf(process.env.TUTTI_BUILT)('its docs', async () => {
      const docs = await fetch(`${address}docs/`);
      const first = await docs.text();
      const title = 'Aggregate thousands of BLS signatures into one';
      expect([docs.status, first]).toEqual([200, expect.stringContaining(title)]);
      expect(first.match(/<h1/g)).toHaveLength(1);
      const modules = await (await fetch(`${address}docs/modules.html`)).text();
      for (const name of ['core', 'simulation', 'certificates/groups', 'wasm-bls/kernel'])
        expect(modules.replaceAll('<wbr/>', '')).toContain(`>@tutti/${name}<`);
    });
  });
});
