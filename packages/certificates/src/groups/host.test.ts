import { expect, it } from 'vitest';
import { defaultKernel } from './host.node.ts';

it('reports that the package of the kernels is not installed only if its import does not find it', async () => {
  const absent = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(defaultKernel(() => Promise.reject(absent))).rejects.toMatchObject({
    name: 'TypeError',
    message: expect.stringContaining('@tutti/wasm-bls to be installed'),
    cause: absent,
  });
  const broken = new Error('out of memory');
  await expect(defaultKernel(() => Promise.reject(broken))).rejects.toBe(broken);
});
