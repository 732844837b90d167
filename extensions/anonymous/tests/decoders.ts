import { type FuzzedDecoder, hold } from '../../../tests/fuzz/fuzz.ts';
import { mutatedBytes } from '../../../tests/fuzz/mutate.ts';
import { decodeRing, linkable, type RingScheme, traceable } from '../src/ring.ts';
import { decodeRegistration, encodeRegistration } from '../src/transports/registration.ts';
import { insecureIdentities, ringOf } from './rings.ts';

const identities = insecureIdentities(2);

const aRing: FuzzedDecoder<Uint8Array> = {
  name: 'a ring of identity keys',
  share: 1 / 4,
  draw: (random) =>
    mutatedBytes(random, [Uint8Array.from(identities.flatMap(({ publicKey }) => Array.from(publicKey)))]),
  decode(bytes) {
    const keys = [bytes.subarray(0, 32), bytes.subarray(32)];
    const read = decodeRing(keys);
    if (!read.ok) return read.code;
    const written = read.ring.points.map((point) => point.toBytes());
    hold(
      written.every((key, i) => Buffer.compare(key, keys[i]!) === 0),
      'only the canonical encoding is read',
    );
    return 'value';
  },
};

const ring = ringOf(identities);
const [event, message] = [Uint8Array.of(1), Uint8Array.of(2)];
const signedBy = (scheme: RingScheme) =>
  scheme.sign(ring, identities[1]!.secretKey, event, message, new Uint8Array(32));

/** All bytes other than the created signature are invalid, because no other signature on the message is known. */
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
 * Decoder that checks only the form of a signature, and is two hundred times as fast: scalars below the group order,
 * and an element in its only encoding.
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
            Buffer.compare(alone.ring.points[0]!.toBytes(), part) === 0,
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

const validRegistrations = (
  [
    ['udp', '127.0.0.1'],
    ['udp', '2001:db8::1'],
    ['tcp', `${'a'.repeat(56)}.onion`],
  ] as const
).map(([transport, host], i) =>
  encodeRegistration({
    ring: i % 2,
    entry: {
      publicKey: new Uint8Array(48).fill(1),
      proofOfPossession: new Uint8Array(96).fill(2),
      networkKey: new Uint8Array(32).fill(3),
      networkKeyProof: new Uint8Array(96).fill(4),
      transport,
      endpoint: { host, port: 9000 },
    },
    networkSignature: new Uint8Array(64).fill(7),
    ringSignature: new Uint8Array([64, 96][i % 2]!).fill(5),
    seal: new Uint8Array(96).fill(6),
  }),
);

const registration: FuzzedDecoder<Uint8Array> = {
  name: 'a registration of a set-up',
  draw: (random) => mutatedBytes(random, validRegistrations),
  decode(bytes) {
    const udp = decodeRegistration(bytes, [64, 96], 'udp');
    const read = udp.ok ? udp : decodeRegistration(bytes, [64, 96], 'tcp');
    if (!read.ok) return read.code;
    hold(
      Buffer.compare(encodeRegistration(read.registration), bytes) === 0,
      'only the canonical encoding of a registration is read',
    );
    return 'value';
  },
};

/** Decoders tested by the fuzzer. */
export const decoders = [
  aRing,
  aRingSignature(linkable),
  aRingSignature(traceable),
  aRingSignatureForm(linkable, 32),
  aRingSignatureForm(traceable, 0),
  registration,
];
