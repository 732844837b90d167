import { type Bls, insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { decodeRing, identityKeyGen, linkable, type RingScheme, traceable } from '@tutti/wasm-bls/ring';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedBytes } from './mutate.ts';

/** noble-curves, and what this machine runs: blst in WebAssembly, where it was built. */
const [noble, other] = await Promise.all([loadBls({ kernel: 'noble' }), loadBls()]);
const secrets = [1, 2].map((fill) => insecureSecretKey(noble, 1, fill));

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

const identities = [1, 2].map((fill) => identityKeyGen(insecureSeed('identity', 1, fill)));

const aRing: FuzzedDecoder<Uint8Array> = {
  name: 'a ring of identity keys',
  share: 1 / 4,
  draw: (random) =>
    mutatedBytes(random, [Uint8Array.from(identities.flatMap(({ publicKey }) => Array.from(publicKey)))]),
  decode(bytes) {
    const keys = [bytes.subarray(0, 32), bytes.subarray(32)];
    const read = decodeRing(keys);
    if (!read.ok) return read.code;
    const written = read.ring.keys.map((_, i) => read.ring.point(i).toBytes());
    hold(
      written.every((key, i) => Buffer.compare(key, keys[i]!) === 0),
      'only the canonical encoding is read',
    );
    return 'value';
  },
};

const fuzzedRing = decodeRing(identities.map(({ publicKey }) => publicKey));
if (!fuzzedRing.ok) throw new Error(fuzzedRing.code);
const { ring } = fuzzedRing;
const [event, message] = [Uint8Array.of(1), Uint8Array.of(2)];
const signedBy = (scheme: RingScheme) =>
  scheme.sign(ring, identities[1]!.secretKey, event, message, new Uint8Array(32));

/** Whatever is not the one signature that was made is invalid: of a message nothing but it is known to hold. */
function aRingSignature(scheme: RingScheme): FuzzedDecoder<Uint8Array> {
  const valid = signedBy(scheme);
  return {
    name: `a ${scheme.name} ring signature`,
    share: 1 / 200,
    draw: (random) => (random.nextUnit() < 0.1 ? valid : mutatedBytes(random, [valid])),
    decode(bytes) {
      const verified = scheme.verify(ring, event, message, bytes);
      if (!verified.ok) return verified.code;
      hold(Buffer.compare(bytes, valid) === 0, 'no other bytes are a signature');
      return 'value';
    },
  };
}

/** RFC 9496: the order of ristretto255, big-endian. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/**
 * Its form alone, which is read two hundred times as fast: scalars under the group order, and an element's one
 * encoding.
 */
function aRingSignatureForm(scheme: RingScheme, elementAt: number): FuzzedDecoder<Uint8Array> {
  const valid = signedBy(scheme);
  return {
    name: `a ${scheme.name} ring signature, its form`,
    draw: (random) => mutatedBytes(random, [valid]),
    decode(bytes) {
      if (scheme.claimed(ring, event, message, bytes) === undefined) return 'refused';
      hold(bytes.length === scheme.signatureBytes(ring.size), 'only the one length is read');
      for (let at = 0; at < bytes.length; at += 32) {
        const part = bytes.subarray(at, at + 32);
        if (at === elementAt) {
          const alone = decodeRing([part]);
          hold(alone.ok, 'the element is an encoded one, and not the identity');
          hold(
            Buffer.compare(alone.ring.point(0).toBytes(), part) === 0,
            'only the canonical encoding of the element is read',
          );
        } else {
          const scalar = BigInt(`0x${Buffer.from(part).reverse().toString('hex')}`);
          hold(scalar < groupOrder, 'only scalars under the group order are read');
        }
      }
      return 'value';
    },
  };
}

export const signatureDecoders = [
  aRing,
  aRingSignature(linkable),
  aRingSignature(traceable),
  aRingSignatureForm(linkable, 32),
  aRingSignatureForm(traceable, 0),
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
