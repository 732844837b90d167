import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { digestOf, drawn, lengthsRefused, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { lastTime, loadPixel, type Pixel } from '../index.ts';
import { Randomness } from './randomness.ts';
import { readSecretKey, secretKeyBytes } from './secretKey.ts';
import { stolenKeyReport } from './stolenKey.ts';
import { heldPaths, pathTime, requireTime, timePath } from './timeTree.ts';

const utf8 = new TextEncoder();

/** A signature of which the point that begins there is infinity. */
function withInfinity(signature: Uint8Array, at: number): Uint8Array {
  const begin = signature.length - 48 - 96 + at;
  const end = at === 0 ? begin + 48 : signature.length;
  return signature.map((byte, i) => (i < begin || i >= end ? byte : i === begin ? 0xc0 : 0));
}
const entropy = utf8.encode('entropy');

/** Keys of both ends of time, what they sign, and what is made of all that; of a few bits spoilt. */
function tell(pixel: Pixel, starts: readonly number[], spoils: number): unknown {
  return starts.map((first, index) => {
    const seed = insecureSeed('identity', 1, index + 1);
    const pairs = [0, 1].map((which) => pixel.keyGen(insecureSeed('identity', index + 1, which + 1)));
    const [one, other] = pairs as [(typeof pairs)[0], (typeof pairs)[0]];
    const key = first === 1 ? one.secretKey.slice() : pixel.update(one.secretKey.slice(), first, entropy);
    const next = pixel.update(key.slice(), first + 1, new Uint8Array());
    const second = first === 1 ? other.secretKey.slice() : pixel.update(other.secretKey.slice(), first, entropy);
    const message = utf8.encode('pinned');
    const [a, b] = [pixel.sign(key, message), pixel.sign(second, message)];
    const sum = pixel.aggregateSignatures([a, b]);
    const keys = pixel.aggregatePublicKeys([one.publicKey, other.publicKey]);
    const committee = pixel.committee([one.publicKey, other.publicKey]);
    const round = pixel.round([one.publicKey, other.publicKey], first, message);
    const decoded = [a, b, sum].map((signature) => pixel.decodeSignature(signature));
    const points = decoded.map((read) => (read.ok ? read.point : undefined));
    const claims = [
      { first: 0, bits: Uint8Array.of(3), signature: sum },
      { first: 1, bits: Uint8Array.of(1), signature: b },
      { first: 0, bits: Uint8Array.of(1), signature: b },
      { first: 0, bits: Uint8Array.of(1), signature: a.subarray(1) },
      ...[0, 48].map((at) => ({ first: 0, bits: Uint8Array.of(1), signature: withInfinity(a, at) })),
    ];
    const spoilt = drawn(spoils, (draw) => {
      const flip = (bytes: Uint8Array) => {
        const copy = bytes.slice();
        copy[draw.chance(0.5) ? draw.integer(0, 9) : draw.integer(0, copy.length - 1)]! ^= 1 << draw.integer(0, 7);
        return copy;
      };
      const [badKey, badSignature, badSecret] = [flip(one.publicKey), flip(a), flip(key)];
      return [
        [
          pixel.validatePublicKey(badKey),
          pixel.verify(badKey, first, message, a),
          pixel.verify(one.publicKey, first, message, badSignature),
        ],
        [
          pixel.decodeSignature(badSignature),
          pixel.secretKeyFault(badSecret),
          pixel.verifySecretKey(one.publicKey, badSecret),
        ],
        [
          pixel.verifyPossession(one.publicKey, flip(one.proofOfPossession)),
          pixel.verifyPossession(badKey, one.proofOfPossession),
        ],
      ];
    });
    const told = [
      [
        pairs,
        key,
        next,
        a,
        sum,
        keys,
        points,
        points[0] && points[1] && pixel.encodeSignature(pixel.addSignatures(points[0], points[1])),
      ],
      [
        pixel.timeOf(next),
        pixel.subkeyTimes(next),
        pixel.verifySecretKey(one.publicKey, next),
        pixel.verifySecretKey(other.publicKey, next),
      ],
      [
        pixel.verify(keys, first, message, sum),
        pixel.verify(keys, first, seed, sum),
        committee.verify(first, message, sum),
        committee.verify(first, message, a),
      ],
      [
        round.verify(0, Uint8Array.of(3), sum),
        round.verify(0, Uint8Array.of(1), b),
        round.verifyBatch(claims),
        round.readClaims(claims),
      ],
      [
        pixel.verifyPossession(one.publicKey, one.proofOfPossession),
        pixel.verifyPossession(other.publicKey, one.proofOfPossession),
        spoilt,
      ],
      [
        outcomeOf(() => pixel.update(key.slice(), first - 1, entropy)),
        outcomeOf(() => pixel.update(key.slice(), lastTime + 1, entropy)),
      ],
    ];
    committee.free();
    round.free();
    return told;
  });
}

it.each(['reference', 'rfc9380'] as const)(
  'the %s suite makes, signs, adds, judges and refuses what it did',
  async (suite) => {
    const pixel = await loadPixel({ kernel: 'wasm', suite });
    expect(digestOf(pixel.parameters)).toMatchSnapshot();
    expect((tell(pixel, suite === 'reference' ? [2] : [lastTime - 4], 4) as unknown[]).map(digestOf)).toMatchSnapshot();
  },
);

it('what a thief of a key can do is what it was', async () => {
  const pixel = await loadPixel({ kernel: 'wasm' });
  const { publicKey, secretKey } = pixel.keyGen(insecureSeed('identity', 1, 1));
  const stolen = pixel.update(secretKey, lastTime - 6, entropy);
  const periods = [1, lastTime - 8, lastTime - 6, lastTime - 5];
  expect(
    digestOf(stolenKeyReport(pixel, publicKey, stolen, periods, (period) => utf8.encode(`${period}`))),
  ).toMatchInlineSnapshot(`"875969ee5ae0"`);
});

it('times, paths, secret keys and randomness are what they were, and refused with the words they were', () => {
  const small = Array.from({ length: 31 }, (_, at) => at + 1).map((time) => [
    timePath(time, 5),
    heldPaths(time, 5),
    pathTime(timePath(time, 5), 5),
  ]);
  const large = [1, 2, 3, 2 ** 31, 2 ** 31 + 1, lastTime - 1, lastTime].map((time) => [
    timePath(time),
    heldPaths(time),
    pathTime(timePath(time)),
  ]);
  const wrong = [-1, 0, 0.5, 1, 31, 32, lastTime, lastTime + 1, Number.NaN, 'x'];
  const refused = wrong.map((time) => [
    outcomeOf(() => timePath(time as number, 5)),
    outcomeOf(() => requireTime('it', time as number, 2)),
    outcomeOf(() => requireTime('it', time as number)),
  ]);
  const pins = drawn(12, (draw) => {
    const randomness = Randomness.from(draw.bytes(33), draw.bytes(4));
    const out = [
      randomness.sample(draw.bytes(3)),
      randomness.sampleThenUpdate(draw.bytes(3)),
      randomness.state.slice(),
    ];
    randomness.rerandomize(draw.bytes(draw.one([0, 9])), draw.bytes(2));
    return [out, randomness.state.slice()];
  });
  const spoilt = drawn(60, (draw) => {
    const paths = heldPaths(lastTime - 4);
    const subkeys = paths.map((path) => ({
      time: pathTime(path),
      path,
      points: draw.bytes(48 + 96 * (33 - path.length)),
    }));
    const bytes = secretKeyBytes(1, draw.bytes(64), subkeys);
    const cut = draw.chance(0.3)
      ? bytes.subarray(0, draw.integer(0, bytes.length))
      : Uint8Array.of(...bytes, ...draw.bytes(draw.one([0, 0, 0, 1])));
    if (draw.chance(0.4) && cut.length > 71) cut[draw.one([0, 1, 66, 67, 68, 69, 70])]! ^= 1 << draw.integer(0, 7);
    return readSecretKey(cut, 1);
  });
  expect([small, large, refused, pins, spoilt].map(digestOf)).toMatchInlineSnapshot(`
    [
      "1f4db12a85f4",
      "443f67f0af99",
      "a94a4b116bc6",
      "2dcdad37e40e",
      "d3a0523bcaf0",
    ]
  `);
});

it('arguments of the wrong kind are refused with the words they were', async () => {
  const pixel = await loadPixel({ kernel: 'wasm', suite: 'reference' });
  const { publicKey, secretKey, proofOfPossession } = pixel.keyGen(insecureSeed('identity', 1, 1));
  const [message, signature] = [utf8.encode('pinned'), pixel.sign(secretKey, utf8.encode('pinned'))];
  const valid: Partial<Record<keyof Pixel, readonly unknown[]>> = {
    keyGen: [insecureSeed('identity', 1, 1)],
    update: [secretKey.slice(), 2, new Uint8Array(32)],
    sign: [secretKey, message],
    verify: [publicKey, 1, message, signature],
    verifyPossession: [publicKey, proofOfPossession],
    validatePublicKey: [publicKey],
    decodeSignature: [signature],
    secretKeyFault: [secretKey],
    verifySecretKey: [publicKey, secretKey],
    timeOf: [secretKey],
    subkeyTimes: [secretKey],
    aggregateSignatures: [[signature]],
    aggregatePublicKeys: [[publicKey]],
    committee: [[publicKey]],
    round: [[publicKey], 1, message],
  };
  const calls = Object.entries(valid).map(([name, given]) => {
    const call = pixel[name as keyof Pixel] as (...all: never[]) => unknown;
    return [name, [call.bind(pixel), ...given]] as const;
  });
  expect(digestOf(refusalsOf(Object.fromEntries(calls)))).toMatchSnapshot();
  expect(digestOf(lengthsRefused(Object.fromEntries(calls)))).toMatchSnapshot();
});

it.each(['wasm', 'noble'] as const)('no signature with infinity in it is one, on %s', async (kernel) => {
  const pixel = await loadPixel({ kernel, suite: 'reference' });
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
