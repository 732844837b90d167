import { insecureSeed } from '@tutti/wasm-bls';
import { type FuzzedDecoder, hold } from '../../../tests/fuzz/fuzz.ts';
import { mutatedBytes } from '../../../tests/fuzz/mutate.ts';
import { loadPixel, type Pixel, type PixelDecoded } from '../src/index.ts';

const suite = 'reference';
const [noblePixel, otherPixel] = await Promise.all([loadPixel({ engine: 'noble', suite }), loadPixel({ suite })]);
const pairs = [1, 2].map((fill) => otherPixel.keyGen(insecureSeed('signing', 1, fill)));
const pixelSignatures = pairs.map(({ secretKey }) => otherPixel.sign(secretKey, new Uint8Array(3)));

const publicKeys = pairs.map(({ publicKey }) => publicKey);
const secretKeys = pairs.map(({ secretKey }) => secretKey);

/**
 * A decoder that only the faster library runs, 1,000 times as often as the others. Encoding an accepted value again
 * gives the same bytes.
 */
function byOneLibrary(
  name: string,
  valid: readonly Uint8Array[],
  decode: (bytes: Uint8Array) => PixelDecoded,
  encode: (point: Uint8Array, bytes: Uint8Array) => Uint8Array,
): FuzzedDecoder<Uint8Array> {
  return {
    name: `${name}, by one library`,
    draw: (random) => mutatedBytes(random, valid),
    decode(bytes) {
      const read = decode(bytes);
      if (!read.ok) return read.code;
      hold(Buffer.compare(encode(read.point, bytes), bytes) === 0, 'only the canonical encoding is read');
      return 'value';
    },
  };
}

/** A decoder for which both libraries must give the same result. */
function byBothLibraries(
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
export const decoders: FuzzedDecoder<Uint8Array>[] = [
  byOneLibrary(
    'a Pixel signature',
    pixelSignatures,
    (bytes) => otherPixel.decodeSignature(bytes),
    (point) => otherPixel.encodeSignature(point),
  ),
  byOneLibrary(
    'a Pixel public key',
    publicKeys,
    (bytes) => otherPixel.validatePublicKey(bytes),
    (_, bytes) => otherPixel.aggregatePublicKeys([bytes]),
  ),
  {
    name: 'a Pixel secret key',
    draw: (random) => mutatedBytes(random, secretKeys),
    decode: (bytes) => otherPixel.secretKeyFault(bytes) ?? 'value',
  },
  byBothLibraries('a Pixel signature', pixelSignatures, (scheme, bytes) => scheme.decodeSignature(bytes)),
  byBothLibraries('a Pixel public key', publicKeys, (scheme, bytes) => scheme.validatePublicKey(bytes)),
];
