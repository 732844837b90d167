import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { kernel as scalar } from '../kernel/inline/scalar.js';
import { kernel as simd } from '../kernel/inline/simd.js';
import { kernel as wide } from '../kernel/inline/wide.js';
import { loadBls } from '../src/inline.ts';

test('what is inlined is the kernels, to the byte', () => {
  for (const [text, name] of [
    [scalar, 'tutti_bls_bg.wasm'],
    [simd, 'tutti_bls_simd_bg.wasm'],
    [wide, 'tutti_bls_wide_bg.wasm'],
  ] as const) {
    const file = readFileSync(new URL(`../kernel/${name}`, import.meta.url));
    expect(gunzipSync(Buffer.from(text, 'base64')).equals(file), `${name}: run scripts/kernel-glue.mjs`).toBe(true);
  }
});

test('the door with the kernel inlined fetches nothing, and has both variants', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const message = new TextEncoder().encode('tutti');
  for (const variant of ['min-pk', 'min-sig'] as const) {
    const bls = await loadBls({ variant });
    const secret = bls.keyGen(new Uint8Array(32).fill(1));
    expect(bls.verify(bls.publicKey(secret), message, bls.sign(secret, message))).toBe(true);
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
  await expect(loadBls({ source: 'elsewhere' } as never)).rejects.toThrow('options: expected no fields but arithmetic');
});
