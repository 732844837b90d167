import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { knownExtensions } from '../apps/node-cli/src/extensions.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { extensionPages } from '../apps/visualizer/pages.ts';
import { root } from '../scripts/run.mjs';
import { extensions } from './extensions.ts';
import { temporaryFolder } from './tutti.ts';

/** Files under version control, and new files that Git does not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
/** Files that may name a removed extension: npm edits the lock file, and the changelog is history. */
const free = ['package-lock.json', 'CHANGELOG.md'];
/** Files that name the extensions: `tutti` explains how to install them, and the page lists them. */
const lists = ['apps/node-cli/src/extensions.ts', 'docs/guides/extensions.md'];
const texts = files
  .filter((file) => /\.(ts|mts|js|mjs|json|html|css|md|ya?ml|rs)$|Containerfile/.test(file) && !free.includes(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

describe.each(extensions)('the extension $name', ({ name, folder }) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const outside = texts.filter(({ file }) => !file.startsWith(`${folder}/`));

  it('has no mention outside of its folder, so that the folder can be deleted', () => {
    const names = [`extensions/${name}`, `@tutti/${name}`];
    const naming = outside.filter(
      ({ file, text }) => !lists.includes(file) && names.some((one) => new RegExp(`${one}(?![\\w-])`).test(text)),
    );
    expect(naming.map(({ file }) => file)).toEqual([]);
  });

  it('has no import and no link from outside of its folder', () => {
    const reaching = outside.filter(({ file, text }) =>
      [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+|src=|href=)['"](\.[^'"]+)['"]|\]\((\.[^)#]+)/g)].some(
        ([, imported, linked]) =>
          posix.normalize(posix.join(posix.dirname(file), imported ?? linked!)).startsWith(`${folder}/`),
      ),
    );
    expect(reaching.map(({ file }) => file)).toEqual([]);
  });

  it('has one package, one page of documentation, a licence and a row in docs/guides/extensions.md', () => {
    expect(manifest.name).toBe(`@tutti/${name}`);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(root, folder, file)), file).toBe(true);
    expect(readFileSync(join(root, 'docs/guides/extensions.md'), 'utf8')).toContain(`| \`@tutti/${name}\` |`);
  });

  it('has a command of its name if it exports one, which tutti lists and loads', async () => {
    expect(Object.keys(knownExtensions).includes(name)).toBe('./command' in manifest.exports);
    if (!('./command' in manifest.exports)) return;
    const { code, out } = await runMain([name, '--help']);
    expect([code, out.split('\n', 1)[0]]).toEqual([0, expect.stringContaining(`Usage: tutti ${name} `)]);
  });
});

it('no extension imports another', () => {
  for (const { name, folder } of extensions)
    for (const { file, text } of texts.filter(({ file }) => file.startsWith(`${folder}/`)))
      for (const other of extensions.filter((one) => one.name !== name))
        expect(text, file).not.toMatch(new RegExp(`@tutti/${other.name}(?![\\w-])|extensions/${other.name}(?![\\w-])`));
});

/** Tests that check the whole working copy, and tests that check the lists of extensions. */
const wholes = [
  ...['apps/node-cli/src/help.test.ts', 'apps/node-cli/src/extensions.test.ts'],
  ...['architecture', 'commands', 'contents', 'errors', 'extensions', 'interrupt', 'numbers', 'programs', 'purity'].map(
    (name) => `tests/${name}.test.ts`,
  ),
];

/** Copies the repository, except one folder. The copy's own node_modules refers to the copied packages. */
function copyWithout(folder: string): string {
  const copy = temporaryFolder();
  for (const file of files.filter((one) => !one.startsWith(`${folder}/`))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@tutti'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !['@tutti', '.cache'].includes(one)))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(root, 'node_modules/@tutti'))) {
    const place = join(copy, relative(root, realpathSync(join(root, 'node_modules/@tutti', name))));
    if (existsSync(place)) symlinkSync(place, join(modules, '@tutti', name));
  }
  execFileSync('git', ['init', '-q'], { cwd: copy });
  return copy;
}

// Each of these tests takes minutes on one core.
describe.runIf(process.env.CI)('without the folder', () => {
  it.each(extensions)(
    'of $name, the project compiles, its page builds, and its tests pass',
    ({ folder }) => {
      const copy = copyWithout(folder);
      const run = (...args: string[]) =>
        execFileSync(process.execPath, args, {
          cwd: copy,
          encoding: 'utf8',
          env: { ...process.env, CI: '', TUTTI_COMPILED: '' },
        });
      const bin = (path: string) => join(root, 'node_modules', path);
      expect(() => run('scripts/compile.mjs')).not.toThrow();
      expect(() => run(bin('vite/bin/vite.js'), 'build', 'apps/visualizer', '--logLevel', 'warn')).not.toThrow();
      expect(() => run(bin('vitest/vitest.mjs'), 'run', '--maxWorkers=2', ...wholes)).not.toThrow();
    },
    1_200_000,
  );
});

it('the development server passes a request for an invalid address on as an error', async () => {
  const use = vi.fn();
  (extensionPages.configureServer as (server: object) => void)({ middlewares: { use } });
  const next = vi.fn();
  await use.mock.calls[0]![0]({ url: '//' }, {}, next);
  expect(next).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError));
});
