import { type Bls, loadBls } from '@tutti/wasm-bls';
import { loadPixel, type Pixel, type PixelDecoded } from '@tutti/wasm-bls/pixel';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedBytes } from './mutate.ts';

/** noble-curves, and what this machine runs: blst in WebAssembly, where it was built. */
const [noble, other] = await Promise.all([loadBls({ kernel: 'noble' }), loadBls()]);
const secrets = [1, 2].map((fill) => noble.keyGen(new Uint8Array(32).fill(fill)));

function point(
  name: string,
  valid: readonly Uint8Array[],
  decode: (bls: Bls, bytes: Uint8Array) => ReturnType<Bls['decodeSignature']>,
): FuzzedDecoder<Uint8Array> {
  return {
    name,
    share: 1 / 1000,
    draw: (random) => mutatedBytes(random, valid),
    decode(bytes) {
      const [one, two] = [decode(noble, bytes), decode(other, bytes)];
      hold(
        JSON.stringify(one) === JSON.stringify(two),
        'both libraries read the same point, or refuse it with one code',
      );
      return one.ok ? 'value' : one.code;
    },
  };
}

const suite = 'reference';
const [noblePixel, otherPixel] = await Promise.all([loadPixel({ kernel: 'noble', suite }), loadPixel({ suite })]);
const pairs = [1, 2].map((fill) => otherPixel.keyGen(new Uint8Array(32).fill(fill)));
const pixelSignatures = pairs.map(({ secretKey }) => otherPixel.sign(secretKey, new Uint8Array(3)));

/** What only the faster library is asked, a thousand times as often; what is read, it writes as it was. */
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

export const signatureDecoders = [
  aPixelSignature,
  aPixelKey,
  aPixelSecretKey,
  pixel('a Pixel signature', pixelSignatures, (scheme, bytes) => scheme.decodeSignature(bytes)),
  pixel(
    'a Pixel public key',
    pairs.map(({ publicKey }) => publicKey),
    (scheme, bytes) => scheme.validatePublicKey(bytes),
  ),
  point(
    'a public key',
    secrets.map((secret) => noble.publicKey(secret)),
    (bls, bytes) => bls.decodePublicKey(bytes),
  ),
  point(
    'a signature',
    secrets.map((secret) => noble.sign(secret, new Uint8Array(3))),
    (bls, bytes) => bls.decodeSignature(bytes),
  ),
];
