import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../scripts/run.mjs';
import { temporaryFolder } from './tutti.ts';

const named = /(?:import|const) \{([^}]+)\} (?:from |= await import\()'(\.[^']*\/dist\/[^']+)'/g;

const folders = [
  ...['scripts', 'scripts/bench', 'scripts/data', 'packages/wasm-bls/bench', 'packages/wasm-bls/scripts'],
  ...['packages/wasm-bls/test'],
];

const scripts = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name)),
);

const imports = scripts.flatMap((script) =>
  [...readFileSync(resolve(root, script), 'utf8').matchAll(named)].map(([, names, file]) => ({
    script,
    file: file!,
    names: names!.split(',').flatMap((name) => name.trim().split(/ as |:/)[0] || []),
  })),
);

it.each(imports)('$script finds every imported name in $file', async ({ script, file, names }) => {
  // A compiled file can remain after its source has been moved.
  expect(existsSync(resolve(root, dirname(script), file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(
    true,
  );
  const compiled: object = await import(resolve(root, dirname(script), file));
  expect(names.filter((name) => !(name in compiled))).toEqual([]);
});

it('scripts find the repository in a folder whose name has a space and an accent', async () => {
  const folder = join(temporaryFolder(), 'ma thèse');
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  copyFileSync(join(root, 'scripts/run.mjs'), join(folder, 'scripts/run.mjs'));
  expect((await import(join(folder, 'scripts/run.mjs'))).root).toBe(`${folder}/`);
});
