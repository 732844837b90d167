import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { isNativeInstalled, loadBls } from '../src/index.ts';
import { copyForEachTest, inNewNode, installedModules } from './packageCopy.ts';

test('native blst is one instance, and refuses in one line a variant that the library lacks', async () => {
  expect(isNativeInstalled()).toBe(true);
  expect(await loadBls({ engine: 'native' })).toBe(await loadBls({ engine: 'native', variant: 'min-pk' }));
  await expect(loadBls({ engine: 'native', variant: 'min-sig' })).rejects.toMatchObject({
    code: 'kernel-rejected',
    message:
      "engine native: expected variant min-pk, the only one of @chainsafe/blst, got min-sig; choose the engine 'wasm' or 'noble'",
  });
});

describe('a copy of the package next to another installation', () => {
  const folder = copyForEachTest('dist', 'kernel');

  beforeEach(() => {
    mkdirSync(join(folder(), 'node_modules'));
    symlinkSync(join(installedModules, '@noble'), join(folder(), 'node_modules', '@noble'), 'junction');
  });

  /** Returns whether the copy finds native blst, and the error of loading it. */
  function loadThere(): unknown {
    const program = `
      const { isNativeInstalled, loadBls } = await import('./dist/index.js');
      const error = await loadBls({ engine: 'native' }).then(() => undefined, (error) => error);
      console.log(JSON.stringify([isNativeInstalled(), error?.name, error?.code, error?.message]));
    `;
    const { stdout, stderr } = inNewNode(program, folder());
    return stdout === '' ? stderr : JSON.parse(stdout);
  }

  /** Installs a copy of the real library that some code has changed. */
  function installChanged(code: string): void {
    const real = fileURLToPath(import.meta.resolve('@chainsafe/blst'));
    const there = join(folder(), 'node_modules', '@chainsafe', 'blst');
    mkdirSync(there, { recursive: true });
    writeFileSync(
      join(there, 'index.js'),
      `const real = require(${JSON.stringify(real)});\nmodule.exports = { ...real };\n${code}\n`,
    );
  }

  test('refuses the engine without the library, and loads no other', () => {
    expect(loadThere()).toEqual([
      false,
      'BlsLoadError',
      'kernel-missing',
      "engine native: expected Node and @chainsafe/blst 2 installed, got none; install it, or choose the engine 'wasm' or 'noble'",
    ]);
  });

  test('refuses a library whose binary fails to load, and loads no other', () => {
    installChanged("throw new Error('no binary\\n for this platform');");
    expect(loadThere()).toEqual([
      true,
      'BlsLoadError',
      'kernel-missing',
      "engine native: expected @chainsafe/blst 2 to load, got an error (no binary for this platform); choose the engine 'wasm' or 'noble'",
    ]);
  });

  test('loads the library if it is installed', () => {
    installChanged('');
    expect(loadThere()).toEqual([true, null, null, null]);
  });

  test.each([
    ['signs wrongly', 'module.exports.SecretKey = { fromBytes: () => real.SecretKey.fromKeygen(Buffer.alloc(32)) };'],
    ['accepts every signature', 'module.exports.verify = () => true;'],
    ['rejects every signature', 'module.exports.verify = () => false;'],
    ['drops a claim', 'module.exports.aggregateWithRandomness = ([set]) => real.aggregateWithRandomness([set]);'],
    ['checks no subgroup', 'module.exports.PublicKey = { fromBytes: (bytes) => real.PublicKey.fromBytes(bytes) };'],
    ['has another interface', 'delete module.exports.aggregateWithRandomness;'],
  ])('refuses a library that %s', (_, code) => {
    installChanged(code);
    expect(loadThere()).toEqual([
      true,
      'BlsLoadError',
      'kernel-rejected',
      "engine native: expected the known answers from @chainsafe/blst 2, got other answers; choose the engine 'wasm' or 'noble'",
    ]);
  });
});
