import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { loadPixel } from '../index.ts';

/** Returns a signature in which the point at this offset is replaced by the point at infinity. */
function withInfinity(signature: Uint8Array, at: number): Uint8Array {
  const begin = signature.length - 48 - 96 + at;
  const end = at === 0 ? begin + 48 : signature.length;
  return signature.map((byte, i) => (i < begin || i >= end ? byte : i === begin ? 0xc0 : 0));
}

it.each(['wasm', 'noble'] as const)('refuses a signature with infinity in it, on %s', async (kernel) => {
  const pixel = await loadPixel({ engine: kernel, suite: 'reference' });
  const { publicKey, secretKey } = pixel.keyGen(insecureSeed('identity', 1, 1));
  const signature = pixel.sign(secretKey, Uint8Array.of(1));
  const round = pixel.round([publicKey], 1, Uint8Array.of(1));
  const of = (bytes: Uint8Array) => ({ first: 0, bits: Uint8Array.of(1), signature: bytes });
  const claims = [signature, withInfinity(signature, 0), withInfinity(signature, 48)].map(of);
  expect(claims.map((claim) => round.verifyBatch([claim]))).toEqual([true, false, false]);
  expect(claims.map(({ first, bits, signature }) => round.verify(first, bits, signature))).toEqual([
    true,
    false,
    false,
  ]);
  round.free();
});
