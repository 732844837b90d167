import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overlay } from '../scripts/build-kernel.mjs';

/** Calls `use` with the folder of a crate that has these files. */
function withSources<T>(files: Record<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-blst-'));
  try {
    mkdirSync(join(folder, 'blst', 'src'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'blst', 'src', name), text);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('refuses another version of blst, and files other than those that crate/field replaces', () => {
  expect(() => overlay({ folder: '/nowhere', version: '0.3.99' })).toThrow(/expected version 0\.3\.17.*got 0\.3\.99/);
  withSources({}, (folder) =>
    expect(() => overlay({ folder, version: '0.3.17' })).toThrow(/blst's no_asm\.h: expected SHA-256 .* no such file/),
  );
  withSources({ 'no_asm.h': '', 'fp12_tower.c': '' }, (folder) =>
    expect(() => overlay({ folder, version: '0.3.17' })).toThrow(
      /got e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855; compare/,
    ),
  );
});

test('the documents state the number of our lines of field arithmetic, to the hundred', () => {
  const root = new URL('../../../', import.meta.url);
  const field = new URL('packages/wasm-bls/crate/field/', root);
  const lines = readdirSync(field).reduce(
    (sum, name) => sum + readFileSync(new URL(name, field), 'utf8').split('\n').length - 1,
    0,
  );
  const stated = `about ${(Math.round(lines / 100) * 100).toLocaleString('en')} lines of C`;
  for (const page of ['README.md', 'packages/wasm-bls/README.md', 'docs/internals/kernel-audit.md'])
    expect(readFileSync(new URL(page, root), 'utf8').replaceAll('\n', ' '), page).toContain(stated);
});
