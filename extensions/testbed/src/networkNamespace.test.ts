import { afterEach, expect, it, vi } from 'vitest';
import { NetworkNamespace } from './networkNamespace.ts';

afterEach(() => vi.unstubAllEnvs());

it('a namespace whose program cannot be started is refused with one error', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(NetworkNamespace.open()).rejects.toMatchObject({ code: 'tool-failed' });
});
