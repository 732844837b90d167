import { expect, it } from 'vitest';
import { loadBls } from './index.ts';

it.each(['wasm', 'noble'] as const)('%s describes the value received in place of a signature', async (kernel) => {
  const bls = await loadBls({ engine: kernel });
  const refusal = 'signatures[0]: expected a compressed point of G2, got';
  expect(() => bls.aggregateSignatures([new Uint8Array(96)])).toThrow(`${refusal} a point with a different encoding`);
  expect(() => bls.aggregateSignatures([new Uint8Array(5)])).toThrow(`${refusal} a point with a different length`);
});
