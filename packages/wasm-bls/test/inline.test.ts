import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { KERNELS } from '../scripts/kernel-source.mjs';
import { arithmetics } from '../src/arithmetic.ts';
import { inlined } from '../src/inlined.ts';
import { loadBls } from '../src/load.ts';

test('the inlined kernels equal the files byte for byte', async () => {
  for (const arithmetic of arithmetics) {
    const file = readFileSync(new URL(`../kernel/${KERNELS[arithmetic]}`, import.meta.url));
    const bytes = Buffer.from(await inlined(arithmetic));
    expect(bytes.equals(file), `${arithmetic}: run scripts/kernel-glue.mjs`).toBe(true);
  }
});

test('the inlined kernel needs no request, and has both variants', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const message = new TextEncoder().encode('tutti');
  for (const variant of ['min-pk', 'min-sig'] as const) {
    const bls = await loadBls({ variant, source: 'inline' });
    const secret = bls.keyGen(new Uint8Array(32).fill(1));
    expect(bls.verify(bls.publicKey(secret), message, bls.sign(secret, message))).toBe(true);
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});
