import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../scripts/imports.mjs';
import { root } from '../scripts/run.mjs';

/** Returns the files below a folder whose paths in it match an expression, with their paths in the repository. */
const filesIn = (folder: string, form: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => form.test(path) && statSync(join(root, folder, path)).isFile())
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') }));

/** Returns the source files of a package, without tests, with paths relative to its sources. */
const sources = (name: string) =>
  filesIn(`packages/${name}/src`, /(?<!\.test)\.ts$/).map(({ path, text }) => ({
    path: path.slice(`packages/${name}/src/`.length),
    text,
  }));

/** Returns a file without comments, which may name any feature. Only this project's style is covered. */
const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/** Returns the first folder in the path of each import from the same package, or '' for a file next to index.ts. */
function importedFolders(path: string, text: string): string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => {
      const target = posix.join(posix.dirname(path), specifier);
      return target.includes('/') ? target.slice(0, target.indexOf('/')) : '';
    });
}

/** Returns each import of these files, with the path of its file. */
const importsIn = (files: ReturnType<typeof sources>) =>
  files.flatMap(({ path, text }) => importsOf(text).map((specifier) => ({ path, specifier })));

/** Packages that behave identically in every environment, each with the packages of this project that it may import. */
const pure: Record<string, readonly string[]> = {
  core: [],
  simulation: ['@tutti/core'],
  ethereum: ['@tutti/core', '@tutti/simulation'],
  lab: ['@tutti/core', '@tutti/ethereum', '@tutti/simulation', 'd3-scale', 'd3-shape', 'hyparquet-writer'],
};
const packageOf = (specifier: string) => specifier.split('/').slice(0, 2).join('/');

describe.each(Object.entries(pure))('%s is pure', (name, below) => {
  const files = sources(name);

  it('the list of files is not empty', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(
      importsOf("import a from './a.ts';\nexport * from \"./b.ts\";\nawait import('./c.ts'); import './d.ts';"),
    ).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts']);
    expect(code('a // Date\n/* Date */ b')).not.toContain('Date');
  });

  it(`imports its own files, ${below.join(' and ')} and nothing else, as its package.json says`, () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(below);
    for (const { path, specifier } of importsIn(files)) {
      if (!specifier.startsWith('.')) {
        expect(below, path).toContain(packageOf(specifier));
        continue;
      }
      expect(specifier, path).toMatch(/\.(ts|json)$/);
      expect(posix.normalize(posix.join('src', posix.dirname(path), specifier)), path).toMatch(/^src\//);
    }
  });

  const forbidden: [RegExp, string][] = [
    [/\bDate\b/, 'a clock'],
    [/\bperformance\b/, 'a clock'],
    [/\bMath\.random\b/, 'randomness without a seed'],
    [/(?<![.\w])crypto\b/, 'randomness without a seed'],
    [/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame)\b/, 'a timer of the platform'],
    [
      /(?<![.\w#])(?:process\.(?:env|argv|nextTick|hrtime|stdout|exit)|Buffer\b|globalThis\b|navigator\b|require\()/,
      'the platform',
    ],
    [/\b(?:async|await|Promise)\b/, 'an order that the platform determines'],
    [/(?<![.\w])console\b/, 'output other than a port'],
  ];
  /** The file that loads the tables of cities before a run. */
  const loader = 'engine/network/network.ts';
  for (const [pattern, what] of forbidden) {
    it(`does not use ${what}: ${pattern.source}`, () => {
      const judged = files.filter(({ path }) => path !== loader || !pattern.source.includes('await'));
      for (const { path, text } of judged) expect(code(text).match(pattern)?.[0], path).toBeUndefined();
    });
  }
});

describe('imports point down', () => {
  /** Folders that a folder may import, in addition to itself and the files next to the entry point. */
  const allowed: Record<string, Record<string, readonly string[]>> = {
    core: {
      overlay: [],
      stakes: ['overlay'],
      contribution: ['overlay', 'stakes'],
      wire: ['contribution', 'overlay'],
      handel: ['contribution', 'overlay', 'stakes'],
      horn: ['contribution', 'overlay', 'registry'],
      baselines: ['contribution', 'overlay', 'stakes', 'wire'],
      registry: ['stakes'],
    },
    simulation: {
      text: [],
      statistics: [],
      attacks: [],
      engine: ['text'],
      scenario: ['attacks', 'engine', 'statistics', 'text'],
      recording: ['engine', 'scenario'],
      faults: ['scenario'],
      speed: ['engine', 'scenario'],
      world: ['attacks', 'engine', 'faults', 'recording', 'scenario'],
      checkers: ['world'],
      run: ['attacks', 'checkers', 'engine', 'faults', 'recording', 'scenario', 'speed', 'statistics', 'world'],
      replay: ['run', 'scenario'],
      checks: ['attacks', 'checkers', 'engine', 'faults', 'run', 'scenario', 'world'],
    },
    certificates: {
      registry: [],
      verification: ['registry'],
      formats: ['verification'],
      log: [],
      groups: ['log', 'registry', 'verification'],
    },
    ethereum: { horn: [], slots: ['horn'], lean: ['horn', 'slots'] },
    lab: { drawing: ['experiments'], experiments: ['goReference'], goReference: [] },
  };

  for (const [name, below] of Object.entries(allowed)) {
    const files = sources(name);

    it(`every folder of ${name} is listed`, () => {
      const found = new Set(files.filter(({ path }) => path.includes('/')).map(({ path }) => path.split('/')[0]!));
      expect([...found].sort()).toEqual(Object.keys(below).sort());
    });

    it(`each folder of ${name} imports only from its listed folders`, () => {
      for (const [folder, rest] of Object.entries(below))
        for (const { path, text } of files.filter(({ path }) => path.startsWith(`${folder}/`)))
          for (const target of importedFolders(path, text)) expect(['', folder, ...rest], path).toContain(target);
    });

    it(`no file of ${name} except its tests imports an entry point that exports other files`, () => {
      const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
      const entryPoints = Object.values<Record<string, string>>(exports)
        .map((entry) => entry['tutti-source']?.slice(6))
        .filter((entry) => /^export .* from /m.test(files.find(({ path }) => path === entry)?.text ?? ''));
      for (const { path, specifier } of importsIn(files)) {
        expect(entryPoints, path).not.toContain(posix.join(posix.dirname(path), specifier));
        expect(specifier, path).not.toMatch(new RegExp(`^@tutti/${name}\\b`));
      }
    });
  }

  it('no package has an entry point for this project only: names that two packages need are public', () => {
    for (const group of ['packages', 'apps', 'extensions'])
      for (const name of readdirSync(join(root, group))) {
        const manifest = join(root, group, name, 'package.json');
        const { exports = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
        expect(
          Object.keys(exports).filter((entry) => /internal/.test(entry)),
          name,
        ).toEqual([]);
      }
  });

  it('the certificate verifier imports no transport and nothing of Node', () => {
    const verifying = sources('certificates').filter(({ path }) =>
      /^(index\.ts$|registry|verification|formats)/.test(path),
    );
    expect(verifying.length).toBeGreaterThan(8);
    for (const { path, specifier } of importsIn(verifying))
      if (!specifier.startsWith('.'))
        expect(specifier, path).toMatch(/^(@tutti\/core(\/.*)?|@noble\/hashes\/.*|ipaddr\.js)$/);
  });

  it('wasm-bls imports no other package of this project', () => {
    for (const { path, specifier } of importsIn(sources('wasm-bls'))) expect(specifier, path).not.toMatch(/^@tutti\//);
  });

  it('the packages import each other only through their entry points', () => {
    for (const name of readdirSync(join(root, 'packages')))
      for (const { path, specifier } of importsIn(sources(name))) {
        expect(specifier, `${name}/${path}`).not.toMatch(/^@tutti\/[^/]+\/.*src|packages\//);
        if (specifier.startsWith('.'))
          expect(posix.join('src', posix.dirname(path), specifier), `${name}/${path}`).not.toMatch(/^\.\./);
      }
  });
});

describe('a live room is portable', () => {
  const folders = ['broadcast', 'room', 'signalling', 'webrtc'];
  /** Files that depend on Node. */
  const bound = ['signalling/server.ts'];
  const portable = sources('transports').filter(
    ({ path }) => folders.includes(path.split('/')[0]!) && !path.endsWith('.d.ts') && !bound.includes(path),
  );

  it('imports nothing of Node, and no socket library', () => {
    expect(portable.length).toBeGreaterThan(15);
    for (const { path, specifier } of importsIn(portable)) {
      expect(isBuiltin(specifier), `${path}: ${specifier}`).toBe(false);
      if (!specifier.startsWith('.'))
        expect(specifier, path).toMatch(/^(@tutti\/core(\/(horn|input))?|#simple-peer|#host-crypto)$/);
    }
  });

  it('its state machines use no clock, no timer and no socket', () => {
    const machines = ['room/room.ts', 'room/roomState.ts', 'signalling/hub.ts', 'webrtc/linkTable.ts'];
    for (const machine of machines) {
      const { text } = portable.find(({ path }) => path === machine)!;
      const used = /\b(?:Date|performance|setTimeout|setInterval|WebSocket|BroadcastChannel)\b/.exec(code(text));
      expect(used?.[0], machine).toBe(undefined);
    }
  });
});

it('only one function listens for HTTP, so its limits apply to every server', () => {
  const files = ['packages', 'apps', 'scripts', 'examples'].flatMap((folder) =>
    filesIn(folder, /^(?!(.*\/)?(node_modules|dist|bundle|page|target|test)\/).*(?<!\.test|\.d)\.(ts|mjs|js)$/),
  );
  const listening = files.filter(
    ({ text }) =>
      importsOf(text).some((name) => /^node:https?2?$/.test(name)) && /\bcreateServer\s*\(/.test(code(text)),
  );
  expect(listening.map(({ path }) => path)).toEqual(['apps/node-cli/src/live/httpServer.ts']);
  const accepting = files.filter(({ text }) => /\bnew WebSocketServer\b/.test(code(text)));
  expect(accepting.map(({ path }) => path)).toEqual(['packages/transports/src/signalling/server.ts']);
  const source = (path: string) => code(readFileSync(join(root, path), 'utf8'));
  expect(source('apps/node-cli/src/live/httpServer.ts')).toMatch(/\brefusedRequest\(/);
  expect(source('packages/transports/src/signalling/server.ts')).toMatch(/\badmissionRefusal\(/);
});

it('one function locks files, so that all locks exclude containers and end with their process', () => {
  const locking = ['packages', 'apps']
    .flatMap((folder) => filesIn(folder, /^[^/]+\/src\/.*(?<!\.test)\.ts$/))
    .filter(({ text }) => /\.lock\b|\bflock\b/.test(code(text).replaceAll(/\w+\.lock\(/g, '')));
  expect(locking.map(({ path }) => path)).toEqual([
    'packages/transports/src/files.ts',
    'packages/transports/src/files/kernelLock.ts',
  ]);
});
