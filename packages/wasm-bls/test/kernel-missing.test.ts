import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

/** loadBls of a copy of the compiled package, beside whatever kernel/ the test laid there. */
async function loadThere(): Promise<unknown> {
  const index = pathToFileURL(join(folder, 'dist', 'index.js')).href;
  return (await import(/* @vite-ignore */ index)).loadBls();
}

function layGlue(): void {
  mkdirSync(join(folder, 'kernel'));
  cpSync(join(packageFolder, 'kernel', 'tutti_bls.js'), join(folder, 'kernel', 'tutti_bls.js'));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tutti-no-kernel-'));
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('without its glue the kernel is missing', async () => {
  await expect(loadThere()).rejects.toMatchObject({ name: 'BlsLoadError', code: 'kernel-missing' });
});

test('without its WebAssembly the kernel is missing, and the cause says which file', async () => {
  layGlue();
  await expect(loadThere()).rejects.toMatchObject({ code: 'kernel-missing', cause: { code: 'ENOENT' } });
});

test('what is no WebAssembly is rejected, with the cause', async () => {
  layGlue();
  writeFileSync(join(folder, 'kernel', 'tutti_bls_bg.wasm'), 'no kernel');
  await expect(loadThere()).rejects.toMatchObject({ code: 'kernel-rejected', cause: { name: 'CompileError' } });
});
