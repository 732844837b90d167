import { verifyEntry } from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { freshSecrets, insecureSecrets, registryEntry } from './nodeKeys.ts';

const bls = await loadBls({ engine: 'noble' });

it('insecure secrets depend on seed and position, and differ between both', () => {
  const hex = (seed: number, index: number) => Buffer.from(insecureSecrets(bls, seed, index).secretKey).toString('hex');
  expect(hex(1, 2)).toBe(hex(1, 2));
  expect(new Set([hex(1, 2), hex(2, 1), hex(1, 12), hex(11, 2)]).size).toBe(4);
});

it('fresh secrets are new each time', () => {
  expect(freshSecrets(bls)).not.toEqual(freshSecrets(bls));
});

it('an entry made from secrets is valid', () => {
  verifyEntry(registryEntry(bls, insecureSecrets(bls, 1, 0), { host: '127.0.0.1', port: 1 }), 0, bls);
});
