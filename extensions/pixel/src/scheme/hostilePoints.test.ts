import { insecureSeed } from '@tutti/wasm-bls';
import { loadG1 } from '@tutti/wasm-bls/kernel';
import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
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
  expect(badSecrets.map((bad) => outcomeOf(() => pixel.sign(bad, message).length))).toMatchSnapshot();
  expect(outcomeOf(() => pixel.round([badKey], 1, message))).toMatchSnapshot();
  const round = pixel.round([publicKey], 1, message);
  const infinite = [0xc0, ...new Uint8Array(size.g1 - 1)];
  const ofNobody = signature.map((byte, at) => infinite[at - points] ?? byte);
  const claimed = [ofNobody, ...badSignatures, signature].map((bytes) => ({
    ...{ first: 0, bits: Uint8Array.of(1) },
    signature: bytes,
  }));
  const claims = round.readClaims(claimed);
  expect([...claims.places]).toEqual([3]);
  expect(claims.hold(0, 1)).toBe(true);
  claims.free();
  expect(outcomeOf(() => claims.hold(0, 1))).toMatchSnapshot();
  round.free();
  expect(outcomeOf(() => round.verify(0, Uint8Array.of(1), signature))).toMatchSnapshot();
});

kernels('points that were never checked are refused by the curve, on %s', (kernel) => {
  const curve = curves[kernel];
  const none = (length: number) => new Uint8Array(length).fill(0xff);
  const decoded = curve.decodeSignature(signature.subarray(size.header));
  const right = decoded.ok ? decoded.point : none(size.points);
  const h = nobleCurve.hashToG2(message, 'hostile');
  const generators = curve.open(Uint8Array.from([...h, ...h, ...h, ...h]));
  expect([
    ...[none(size.points), none(5)].flatMap((bad) => [
      outcomeOf(() => curve.encodeSignature(bad)),
      outcomeOf(() => curve.addSignatures(right, bad)),
      outcomeOf(() => curve.addSignatures(bad, right)),
      outcomeOf(() => curve.sumKeys([bad.subarray(0, size.g1)])),
    ]),
    outcomeOf(() => curve.open(none(3 * size.g2Point))),
    ...[none(size.g1Point), none(size.g1Point).fill(0).fill(0x40, 0, 1)].map((key) =>
      outcomeOf(() => generators.round([key], Uint8Array.of(1), message)),
    ),
  ]).toMatchSnapshot();
});

it('refuses a sum with an invalid point', async () => {
  const { combine } = await loadG1({ engine: 'noble' });
  expect(() => combine(new Uint8Array(96).fill(0xff), [1n])).toThrow(
    'points[0]: expected an uncompressed point of G1, got none',
  );
});
