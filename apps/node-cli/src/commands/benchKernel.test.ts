import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

it('tutti bench kernel --only refuses an unknown operation with the list of operations', async () => {
  const { code, err } = await runMain(['bench', 'kernel', '--only', 'pairing']);
  expect(code).not.toBe(0);
  expect(err).toMatch(/--only: expected one of key-derivation, .*batch-128.*, got "pairing"/);
});
