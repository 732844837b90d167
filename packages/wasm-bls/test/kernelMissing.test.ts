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

/** Returns the error of loadBls in a copy of the compiled package, next to the kernel/ that the test created. */
const loadThere = (): unknown => JSON.parse(run().stdout);

function run() {
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' });
}

function layGlue(): void {
  mkdirSync(join(folder, 'kernel'), { recursive: true });
  cpSync(join(packageFolder, 'kernel', 'tutti_bls.js'), join(folder, 'kernel', 'tutti_bls.js'));
}
function layKernels(text: string): void {
  layGlue();
  for (const name of ['', '_simd', '_wide', '_upstream'])
    writeFileSync(join(folder, 'kernel', `tutti_bls${name}_bg.wasm`), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-no-kernel-'));
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(packageFolder, '..', '..', 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['without its glue', undefined, { code: 'kernel-missing', cause: 'ERR_MODULE_NOT_FOUND' }],
  ['without its WebAssembly', () => layGlue(), { code: 'kernel-missing', cause: 'ENOENT' }],
  ['with another file in its place', () => layKernels('no kernel'), { code: 'kernel-missing' }],
  ['with invalid WebAssembly', () => layKernels('\0asm, or so'), { code: 'kernel-rejected', cause: 'CompileError' }],
])('a package %s has no kernel', (_, lay, error) => {
  lay?.();
  expect(loadThere()).toEqual({ name: 'BlsLoadError', ...error });
});

test.each([
  [
    'is not there',
    () => {},
    /^BLS kernel file:\S+\.wasm: cannot be read; using the kernel that is embedded in the code instead\n$/,
  ],
  [
    'is another file',
    () => layKernels('<!doctype html>'),
    /: not a WebAssembly module; using the kernel that is embedded in the code instead\n$/,
  ],
])('a kernel whose file %s is built from the code, with one line of output', (_, lay, line) => {
  layGlue();
  cpSync(join(packageFolder, 'kernel', 'inline'), join(folder, 'kernel', 'inline'), { recursive: true });
  lay();
  const { stdout, stderr } = run();
  expect(JSON.parse(stdout)).toEqual({});
  expect(stderr).toMatch(line);
});
