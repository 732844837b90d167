import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inNewNode, packageFolder } from './packageCopy.ts';

/** Returns the result of loadBls with a source in a new process. `bytes` and `url` are the kernel's own. */
function loadFrom(source: string): unknown {
  const program = `
    import { readFileSync } from 'node:fs';
    import { loadBls } from '@tutti/wasm-bls';
    const url = import.meta.resolve('@tutti/wasm-bls/kernel/tutti_bls_bg.wasm');
    const bytes = readFileSync(new URL(url));
    const answer = await loadBls({ source: ${source} }).then(
      (bls) => bls.verify(bls.publicKey(bls.keyGen(bytes.subarray(0, 32))), bytes, bls.sign(bls.keyGen(bytes.subarray(0, 32)), bytes)),
      ({ name, code }) => ({ name, code }),
    );
    console.log(JSON.stringify(answer));
  `;
  const { stdout, stderr } = inNewNode(program);
  return stdout === '' ? stderr : JSON.parse(stdout);
}

test.each([
  ['an address', 'new URL(url)'],
  ['an address as text', 'url'],
  ['bytes', 'bytes'],
  ['an ArrayBuffer', 'new Uint8Array(bytes).buffer'],
  ['a compiled module', 'new WebAssembly.Module(bytes)'],
  ['the text in its code', "'inline'"],
])('loadBls accepts its kernel as %s', (_, source) => expect(loadFrom(source)).toBe(true));

/** A kernel whose signature domain has another letter. It starts, and every signature is wrong. */
const wrongKernel = "Buffer.from(bytes.toString('latin1').replaceAll('SSWU_RO_POP_', 'SSWU_RO_PUP_'), 'latin1')";

test('a custom kernel with wrong answers is refused, then and later', () => {
  expect(loadFrom(wrongKernel)).toEqual({ name: 'BlsLoadError', code: 'kernel-rejected' });
  const again = `await loadBls({ source: ${wrongKernel} }).catch(() => undefined)`;
  expect(loadFrom(`(${again}, undefined)`)).toEqual({ name: 'BlsLoadError', code: 'kernel-rejected' });
});

test('a call that begins while the kernel of another call fails to start loads its own kernel', () => {
  const other = "void loadBls({ source: 'kernel' }).catch(() => {})";
  expect(loadFrom(`(${other}, bytes)`)).toBe(true);
});

test.skipIf(process.platform === 'win32')('without address space, the error states it', () => {
  const program =
    "import('@tutti/wasm-bls').then(({ loadBls }) => loadBls()).catch(({ message }) => console.log(message))";
  // Node itself starts with 1.4 GB of address space.
  const limited = spawnSync('sh', ['-c', 'ulimit -v 1400000 && exec "$0" -e "$1"', process.execPath, program], {
    cwd: packageFolder,
    encoding: 'utf8',
  });
  // The output is empty if Node does not start either, or if the system ignores the limit.
  if (limited.stdout !== '') expect(limited.stdout).toMatch(/no address space is available/);
});

test.each([
  ['an address without a file', "new URL('nothing.wasm', url)", 'kernel-missing'],
  ['a text that is no address', "'kernel'", 'kernel-missing'],
  ['bytes that are not WebAssembly', 'new Uint8Array(8)', 'kernel-rejected'],
  ['a module of another kind', 'new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))', 'kernel-rejected'],
])('loadBls refuses %s', (_, source, code) => expect(loadFrom(source)).toEqual({ name: 'BlsLoadError', code }));
