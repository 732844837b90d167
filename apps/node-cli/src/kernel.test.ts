import { afterEach, expect, it, vi } from 'vitest';
import { kernelName, loadKernel } from './kernel.ts';

afterEach(() => void vi.unstubAllEnvs());

it('native blst is used if it is installed, for its operations', async () => {
  vi.stubEnv('TUTTI_BLS', '');
  expect([kernelName(), kernelName(false)]).toEqual(['native', 'wasm']);
  expect((await loadKernel()).name).toBe('blst-native');
  expect(await loadKernel('min-sig')).toMatchObject({ name: 'blst-wasm', variant: 'min-sig' });
});

it('an engine in TUTTI_BLS is used, or refused if it lacks the variant', async () => {
  vi.stubEnv('TUTTI_BLS', 'wasm');
  expect((await loadKernel()).name).toBe('blst-wasm');
  vi.stubEnv('TUTTI_BLS', 'native');
  await expect(loadKernel('min-sig')).rejects.toThrow(/^engine native: expected variant min-pk.*got min-sig; choose/);
});
