import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KERNELS } from '../scripts/kernel-source.mjs';
import { copyForEachTest, inNewNode, installedModules, packageFolder } from './packageCopy.ts';

const folder = copyForEachTest('dist');
beforeEach(() => symlinkSync(installedModules, join(folder(), 'node_modules'), 'junction'));

const program = `
  const { loadBls } = await import('./dist/index.js');
  const error = await loadBls().then(() => undefined, (error) => error);
  console.log(JSON.stringify({ name: error?.name, code: error?.code, cause: error?.cause?.code ?? error?.cause?.name }));
`;

const run = () => inNewNode(program, folder());

function writeGlue(): void {
  mkdirSync(join(folder(), 'kernel'), { recursive: true });
  cpSync(join(packageFolder, 'kernel', 'tutti_bls.js'), join(folder(), 'kernel', 'tutti_bls.js'));
}
/** Writes the glue, and a text in place of each kernel's WebAssembly. */
function writeKernels(text: string): void {
  writeGlue();
  for (const name of Object.values(KERNELS)) writeFileSync(join(folder(), 'kernel', name), text);
}

test.each([
  ['without its glue', undefined, { code: 'kernel-missing', cause: 'ERR_MODULE_NOT_FOUND' }],
  ['without its WebAssembly', writeGlue, { code: 'kernel-missing', cause: 'ENOENT' }],
  ['with another file in its place', () => writeKernels('no kernel'), { code: 'kernel-missing' }],
  ['with invalid WebAssembly', () => writeKernels('\0asm, or so'), { code: 'kernel-rejected', cause: 'CompileError' }],
])('a package %s has no kernel', (_, write, error) => {
  write?.();
  expect(JSON.parse(run().stdout)).toEqual({ name: 'BlsLoadError', ...error });
});

test.each([
  ['is not there', () => {}, /^BLS kernel file:\S+\.wasm: cannot be read; using the kernel/],
  ['is another file', () => writeKernels('<!doctype html>'), /: not a WebAssembly module; using the kernel/],
])('a kernel whose file %s is built from the code, with one line of output', (_, write, line) => {
  writeGlue();
  cpSync(join(packageFolder, 'kernel', 'inline'), join(folder(), 'kernel', 'inline'), { recursive: true });
  write();
  const { stdout, stderr } = run();
  expect(JSON.parse(stdout)).toEqual({});
  expect(stderr).toMatch(line);
  expect(stderr).toMatch(/^[^\n]*; using the kernel that is embedded in the code instead\n$/);
});
