import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const named = /(?:import|const) \{([^}]+)\} (?:from |= await import\()'(\.[^']*\/dist\/[^']+)'/g;

const folders = [
  'scripts',
  'scripts/bench',
  'scripts/data',
  'packages/wasm-bls/bench',
  'packages/wasm-bls/scripts',
  'packages/wasm-bls/test',
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
