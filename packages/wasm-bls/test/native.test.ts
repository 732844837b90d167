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

  test('loads the library if it is installed', () => {
    installChanged('');
    expect(loadThere()).toEqual([true, null, null, null]);
  });

  const missing =
    "expected Node and @chainsafe/blst 2 installed, got none; install it, or choose the engine 'wasm' or 'noble'";
  const broken = 'expected @chainsafe/blst 2 to load, got an error (no binary for this platform)';
  const wrong = 'expected the known answers from @chainsafe/blst 2, got other answers';

  test.each<[string, code: string | undefined, reason: string]>([
    ['is not installed', undefined, missing],
    ['has a binary that fails to load', "throw new Error('no binary\\n for this platform');", broken],
    [
      'signs wrongly',
      'module.exports.SecretKey = { fromBytes: () => real.SecretKey.fromKeygen(Buffer.alloc(32)) };',
      wrong,
    ],
    ['accepts every signature', 'module.exports.verify = () => true;', wrong],
    ['rejects every signature', 'module.exports.verify = () => false;', wrong],
    [
      'drops a claim',
      'module.exports.aggregateWithRandomness = ([set]) => real.aggregateWithRandomness([set]);',
      wrong,
    ],
    [
      'checks no subgroup',
      'module.exports.PublicKey = { fromBytes: (bytes) => real.PublicKey.fromBytes(bytes) };',
      wrong,
    ],
    ['has another interface', 'delete module.exports.aggregateWithRandomness;', wrong],
  ])('refuses a library that %s, and loads no other', (_, code, reason) => {
    if (code !== undefined) installChanged(code);
    const advice = code === undefined ? '' : "; choose the engine 'wasm' or 'noble'";
    expect(loadThere()).toEqual([
      code !== undefined,
      'BlsLoadError',
      reason === wrong ? 'kernel-rejected' : 'kernel-missing',
      `engine native: ${reason}${advice}`,
    ]);
  });
});
