import { insecureSeed } from '@tutti/wasm-bls';
import { type FuzzedDecoder, hold } from '../../../tests/fuzz/fuzz.ts';
import { mutatedBytes } from '../../../tests/fuzz/mutate.ts';
import { loadPixel, type Pixel, type PixelDecoded } from '../src/index.ts';

const suite = 'reference';
const [noblePixel, otherPixel] = await Promise.all([loadPixel({ engine: 'noble', suite }), loadPixel({ suite })]);
const pairs = [1, 2].map((fill) => otherPixel.keyGen(insecureSeed('signing', 1, fill)));
const pixelSignatures = pairs.map(({ secretKey }) => otherPixel.sign(secretKey, new Uint8Array(3)));

/**
 * A decoder that only the faster library runs, 1,000 times as often as the others. Encoding an accepted signature again
 * gives the same bytes.
 */
const aPixelSignature: FuzzedDecoder<Uint8Array> = {
  name: 'a Pixel signature, by one library',
  draw: (random) => mutatedBytes(random, pixelSignatures),
  decode(bytes) {
    const read = otherPixel.decodeSignature(bytes);
    if (!read.ok) return read.code;
    hold(Buffer.compare(otherPixel.encodeSignature(read.point), bytes) === 0, 'only the canonical encoding is read');
    return 'value';
  },
};

const aPixelKey: FuzzedDecoder<Uint8Array> = {
  name: 'a Pixel public key, by one library',
  draw: (random) =>
    mutatedBytes(
      random,
      pairs.map(({ publicKey }) => publicKey),
    ),
  decode(bytes) {
    const read = otherPixel.validatePublicKey(bytes);
    if (!read.ok) return read.code;
    hold(Buffer.compare(otherPixel.aggregatePublicKeys([bytes]), bytes) === 0, 'only the canonical encoding is read');
    return 'value';
  },
};

const aPixelSecretKey: FuzzedDecoder<Uint8Array> = {
  name: 'a Pixel secret key',
  draw: (random) =>
    mutatedBytes(
      random,
      pairs.map(({ secretKey }) => secretKey),
    ),
  decode: (bytes) => otherPixel.secretKeyFault(bytes) ?? 'value',
};

function pixel(
  name: string,
  valid: readonly Uint8Array[],
  decode: (pixel: Pixel, bytes: Uint8Array) => PixelDecoded,
): FuzzedDecoder<Uint8Array> {
  return {
    name,
    share: 1 / 1000,
    draw: (random) => mutatedBytes(random, valid),
    decode(bytes) {
      const [one, two] = [decode(noblePixel, bytes), decode(otherPixel, bytes)];
      hold(
        JSON.stringify(one) === JSON.stringify(two),
        'both libraries read the same points, or refuse them with one code',
      );
      return one.ok ? 'value' : one.code;
    },
  };
}

/** Decoders that the fuzzer tests. */
export const decoders = [
  aPixelSignature,
  aPixelKey,
  aPixelSecretKey,
  pixel('a Pixel signature', pixelSignatures, (scheme, bytes) => scheme.decodeSignature(bytes)),
  pixel(
    'a Pixel public key',
    pairs.map(({ publicKey }) => publicKey),
    (scheme, bytes) => scheme.validatePublicKey(bytes),
  ),
];
