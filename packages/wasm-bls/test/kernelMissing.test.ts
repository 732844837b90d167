import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

const program = `
  const { loadBls } = await import('./dist/index.js');
  const error = await loadBls().then(() => undefined, (error) => error);
  console.log(JSON.stringify({ name: error?.name, code: error?.code, cause: error?.cause?.code ?? error?.cause?.name }));
`;

/** What loadBls of a copy of the compiled package rejects with, beside whatever kernel/ the test laid there. */
function loadThere(): unknown {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

function layGlue(): void {
  mkdirSync(join(folder, 'kernel'));
  cpSync(join(packageFolder, 'kernel', 'tutti_bls.js'), join(folder, 'kernel', 'tutti_bls.js'));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-no-kernel-'));
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(packageFolder, '..', '..', 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('without its glue the kernel is missing', () => {
  expect(loadThere()).toEqual({ name: 'BlsLoadError', code: 'kernel-missing', cause: 'ERR_MODULE_NOT_FOUND' });
});

test('without its WebAssembly the kernel is missing', () => {
  layGlue();
  expect(loadThere()).toEqual({ name: 'BlsLoadError', code: 'kernel-missing', cause: 'ENOENT' });
});

test('what is no WebAssembly is rejected', () => {
  layGlue();
  for (const name of ['tutti_bls_bg.wasm', 'tutti_bls_simd_bg.wasm'])
    writeFileSync(join(folder, 'kernel', name), 'no kernel');
  expect(loadThere()).toEqual({ name: 'BlsLoadError', code: 'kernel-rejected', cause: 'CompileError' });
});
