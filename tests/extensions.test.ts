import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownExtensions } from '../apps/node-cli/src/extensions.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { extensions } from './extensions.ts';

const root = new URL('..', import.meta.url).pathname;
/** Files under version control, and new ones that Git does not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
/** npm removes packages that are gone from the lock file; the changelog tells what was. */
const free = ['package-lock.json', 'CHANGELOG.md'];
/** Where the names of extensions stand, so that `tutti` can say how to install them, and the page that lists them. */
const lists = ['apps/node-cli/src/extensions.ts', 'docs/extensions.md'];
const texts = files
  .filter((file) => /\.(ts|mts|js|mjs|json|html|css|md|ya?ml|rs)$|Containerfile/.test(file) && !free.includes(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

describe.each(extensions)('the extension $name', ({ name, folder }) => {
  const outside = texts.filter(({ file }) => !file.startsWith(`${folder}/`));

  it('is named by no file outside of its folder, so that the folder can be deleted', () => {
    const names = [`extensions/${name}`, `@tutti/${name}`];
    const naming = outside.filter(
      ({ file, text }) => !lists.includes(file) && names.some((one) => new RegExp(`${one}(?![\\w-])`).test(text)),
    );
    expect(naming.map(({ file }) => file)).toEqual([]);
  });

  it('is imported or linked to by no file outside of its folder', () => {
    const reaching = outside.filter(({ file, text }) =>
      [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+|src=|href=)['"](\.[^'"]+)['"]|\]\((\.[^)#]+)/g)].some(
        ([, imported, linked]) =>
          posix.normalize(posix.join(posix.dirname(file), imported ?? linked!)).startsWith(`${folder}/`),
      ),
    );
    expect(reaching.map(({ file }) => file)).toEqual([]);
  });

  it('has one package, one page of documentation and a licence, and stands in the list of docs/extensions.md', () => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    expect(manifest.name).toBe(`@tutti/${name}`);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(root, folder, file)), file).toBe(true);
    expect(readFileSync(join(root, 'docs/extensions.md'), 'utf8')).toContain(`| \`@tutti/${name}\` |`);
  });

  it('has a command of its name if it exports one, which tutti knows and can load', async () => {
    const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    expect(Object.keys(knownExtensions).includes(name)).toBe('./command' in exports);
    if (!('./command' in exports)) return;
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
