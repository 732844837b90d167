import { expect, test, vi } from 'vitest';
import { type Engine, insecureSeed, loadBls } from './index.ts';
import { type Arithmetic, loadG1 } from './kernel.ts';
import { importFailed, loadOne } from './load.ts';

test('loadBls returns the WASM kernel by default', async () => {
  expect((await loadBls()).name).toBe('blst-wasm');
  expect((await loadBls({ engine: undefined })).name).toBe('blst-wasm');
  expect((await loadBls({ engine: 'noble' })).name).toBe('noble-curves');
});

test.each([
  ['fast', '"fast"'],
  [new Uint8Array(100_000), '100000 bytes'],
  ['k'.repeat(100_000), `"${'k'.repeat(77)}..."`],
])('loadBls refuses an unknown engine in a readable line, and loads no other instead', async (engine, shown) => {
  const message = `engine: expected 'wasm', 'noble' or 'native', got ${shown}`;
  const error = { name: 'BlsLoadError', code: 'kernel-unknown', message };
  await expect(loadBls({ engine: engine as Engine })).rejects.toMatchObject(error);
});

test('the refusal of an engine names the only one that there is', async () => {
  await expect(loadOne({ engine: 'noble' }, { wasm: async () => 1 })).rejects.toThrow(
    /^engine: expected 'wasm', got "noble"$/,
  );
});

test.each([
  ['loadBls', loadBls],
  ['loadG1', loadG1],
])('%s refuses an unknown option, and an arithmetic that is unknown or not that of the thread', async (_, load) => {
  const misspelt = { kernal: 'noble' } as object;
  await expect((async () => load(misspelt))()).rejects.toThrow(/^options: expected no fields but .*, got "kernal"$/);
  await expect(load({ arithmetic: 'fast' as Arithmetic })).rejects.toThrow(/^arithmetic: expected .*, got "fast"$/);
  await loadBls();
  await expect(load({ arithmetic: 'upstream' })).rejects.toThrow(/^arithmetic: expected \w+, .* got upstream$/);
});

test('a failed import is named with its cause', () => {
  expect(() => importFailed(new ReferenceError('WeakRef is not\n defined'))).toThrow(
    expect.objectContaining({
      code: 'kernel-missing',
      message: 'BLS kernel: its JavaScript cannot be loaded (WeakRef is not defined)',
    }),
  );
  expect(() => importFailed(undefined)).toThrow('BLS kernel: its JavaScript cannot be loaded');
});

test('a runtime without FinalizationRegistry keeps points nevertheless', async () => {
  vi.resetModules();
  vi.stubGlobal('FinalizationRegistry', undefined);
  try {
    const { loadBls } = await import('./load.ts');
    for (const kernel of ['noble', 'wasm'] as const) {
      const bls = await loadBls({ engine: kernel });
      const store = bls.pointStore(4);
      const secret = bls.keyGen(new Uint8Array(32).fill(1));
      expect(store.readKey(bls.publicKey(secret)).ok).toBe(true);
      store.free();
    }
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});

test('insecureSeed returns 32 bytes that depend on purpose, seed and index only', () => {
  const seeds = [insecureSeed('a', 1, 2), insecureSeed('b', 1, 2), insecureSeed('a', 2, 2), insecureSeed('a', 1, 3)];
  expect(new Set(seeds.map((seed) => seed.toString())).size).toBe(4);
  expect(seeds[0]).toHaveLength(32);
  expect(insecureSeed('a', 1, 2)).toEqual(seeds[0]);
});
