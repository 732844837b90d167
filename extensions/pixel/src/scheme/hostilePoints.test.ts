import { insecureSeed } from '@tutti/wasm-bls';
import { loadG1 } from '@tutti/wasm-bls/kernel';
import { expect, it } from 'vitest';
import { pointOf } from '../../../../packages/wasm-bls/test/fixtures.ts';
import { isWhole } from '../../../../tests/sampled.ts';
import { loadPixel } from '../index.ts';
import { size } from './curve.ts';
import { loadKernelCurve } from './kernelCurve.ts';
import { nobleCurve } from './nobleCurve.ts';

const message = new TextEncoder().encode('hostile');
const curves = { wasm: await loadKernelCurve(), noble: nobleCurve };
const made = await loadPixel({ engine: 'wasm', suite: 'reference' });
const { publicKey, secretKey } = made.keyGen(insecureSeed('identity', 1, 1));
const signature = made.sign(secretKey, message);

/** Returns a copy with one byte set to zero. No compressed point begins with zero. */
const spoilt = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? 0 : byte));
/** Returns the signature after replacing the point at this offset with the point at infinity. */
function withInfinity(begin: number): Uint8Array {
  const end = begin === size.header ? begin + size.g1 : signature.length;
  return signature.map((byte, i) => (i < begin || i >= end ? byte : i === begin ? 0xc0 : 0));
}
const claimOf = (signature: Uint8Array) => ({ first: 0, bits: Uint8Array.of(1), signature });
/** noble-curves takes seconds for this test, so it runs in CI only. */
const kernels = it.each(isWhole ? (['wasm', 'noble'] as const) : (['wasm'] as const));

kernels('keys, signatures and sub-keys with an invalid point are invalid, on %s', async (kernel) => {
  const pixel = await loadPixel({ engine: kernel, suite: 'reference' });
  const badKey = spoilt(publicKey, size.suite);
  const otherSuite = publicKey.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
  const read = [publicKey, badKey, otherSuite, publicKey.subarray(1)].map((key) => pixel.validatePublicKey(key));
  expect(read.map((one) => (one.ok ? 'ok' : one.code))).toEqual(['ok', 'encoding', 'wrong-suite', 'length']);
  const points = size.header;
  const badSignatures = [points, points + size.g1].map((at) => spoilt(signature, at));
  expect([
    pixel.verify(publicKey, 1, message, signature),
    ...[badKey, otherSuite].map((key) => pixel.verify(key, 1, message, signature)),
    ...badSignatures.map((bad) => pixel.verify(publicKey, 1, message, bad)),
  ]).toEqual([true, false, false, false, false]);
  const first = secretKey.length - 33 * size.g2 - size.g1;
  const badSecrets = [first, first + size.g1, secretKey.length - size.g2].map((at) => spoilt(secretKey, at));
  expect([
    pixel.verifySecretKey(badKey, secretKey),
    ...badSecrets.map((bad) => pixel.verifySecretKey(publicKey, bad)),
  ]).toEqual([false, false, false, false]);
  for (const bad of badSecrets)
    expect(() => pixel.sign(bad, message)).toThrow(/^secretKey: expected points that were checked, got /);
  expect(() => pixel.round([badKey], 1, message)).toThrow(
    /^publicKeys\[0\]: expected a valid public key, got encoding$/,
  );
  const round = pixel.round([publicKey], 1, message);
  const claims = round.readClaims([withInfinity(points), ...badSignatures, signature].map(claimOf));
  expect([...claims.places]).toEqual([3]);
  expect(claims.hold(0, 1)).toBe(true);
  claims.free();
  expect(() => claims.hold(0, 1)).toThrow(/^claims: expected live claims/);
  round.free();
  expect(() => round.verify(0, Uint8Array.of(1), signature)).toThrow(/^round: expected a live round/);
});

it.each(['wasm', 'noble'] as const)('refuses a signature with the point at infinity, on %s', async (kernel) => {
  const pixel = await loadPixel({ engine: kernel, suite: 'reference' });
  const round = pixel.round([publicKey], 1, message);
  const infinite = [size.header, size.header + size.g1].map(withInfinity);
  const claims = [signature, ...infinite].map(claimOf);
  expect(claims.map((claim) => round.verifyBatch([claim]))).toEqual([true, false, false]);
  expect(claims.map(({ first, bits, signature }) => round.verify(first, bits, signature))).toEqual([
    true,
    false,
    false,
  ]);
  round.free();
});

kernels('points that were never checked are refused by the curve, on %s', (kernel) => {
  const curve = curves[kernel];
  const invalid = (length: number) => new Uint8Array(length).fill(0xff);
  const valid = pointOf(curve.decodeSignature(signature.subarray(size.header)));
  for (const bad of [invalid(size.points), invalid(5)]) {
    expect(() => curve.encodeSignature(bad)).toThrow(/^point: expected points that were checked, got /);
    expect(() => curve.addSignatures(valid, bad)).toThrow(/^(a, )?b: expected points that were checked, got /);
    expect(() => curve.addSignatures(bad, valid)).toThrow(/^a(, b)?: expected points that were checked, got /);
    expect(() => curve.sumKeys([bad.subarray(0, size.g1)])).toThrow(
      /^publicKeys\[0\]: expected a valid public key, got /,
    );
  }
  for (const bad of [invalid(3 * size.g2Point), new Uint8Array(3 * size.g2Point)])
    expect(() => curve.open(bad)).toThrow(/^parameters: expected points of G2, got an invalid point$/);
  const h = nobleCurve.hashToG2(message, 'hostile');
  const generators = curve.open(Uint8Array.from([...h, ...h, ...h, ...h]));
  for (const key of [invalid(size.g1Point), invalid(size.g1Point).fill(0).fill(0x40, 0, 1)])
    expect(() => generators.round([key], Uint8Array.of(1), message)).toThrow(
      /^publicKeys(\[0\])?: .* got an invalid point$/,
    );
});

it('refuses a sum with an invalid point', async () => {
  const { combine } = await loadG1({ engine: 'noble' });
  expect(() => combine(new Uint8Array(96).fill(0xff), [1n])).toThrow(
    'points[0]: expected an uncompressed point of G1, got none',
  );
});
