import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../scripts/run.mjs';
import { extensions } from './extensions.ts';

const sourcesIn = (folder: string) =>
  (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [])
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .join('\n');
const sources = {
  transports: ['core', 'transports', 'certificates'].map((name) => sourcesIn(`packages/${name}/src`)).join('\n'),
  command: sourcesIn('apps/node-cli/src'),
  kernels: sourcesIn('packages/wasm-bls/src'),
};
const page = readFileSync(join(root, 'docs/reference/error-codes.md'), 'utf8');
const [, transports = '', command = '', kernels = ''] = page.split(
  /^### Libraries$|^### Command$|^## Codes of `@tutti\/wasm-bls`$|^## Rejection codes$/m,
);
const codesOf = (text: string) => [...text.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code]) => code!);
const thrown = (text: string) => [...text.matchAll(/new EnvironmentError\(\s*'([a-z-]+)'/g)].map(([, code]) => code!);

it.each(extensions)('the README of the extension $name lists each of its error codes', ({ folder }) => {
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const documented = [...codesOf(transports), ...codesOf(command), ...codesOf(readme)];
  expect(documented).toEqual(expect.arrayContaining(thrown(sourcesIn(`${folder}/src`))));
});

it('docs/reference/error-codes.md lists each code once, and each code occurs in the sources', () => {
  const listed = [...codesOf(transports), ...codesOf(command)];
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted());
  for (const code of codesOf(transports)) expect(sources.transports, code).toContain(`'${code}'`);
  for (const code of codesOf(command)) expect(sources.command, code).toContain(`'${code}'`);
  for (const code of codesOf(kernels)) if (code !== 'code') expect(sources.kernels, code).toContain(`'${code}'`);
});

it('docs/reference/error-codes.md lists every code of an EnvironmentError', () => {
  expect(codesOf(transports)).toEqual(expect.arrayContaining(thrown(sources.transports)));
  expect([...codesOf(transports), ...codesOf(command)]).toEqual(expect.arrayContaining(thrown(sources.command)));
});
