import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, test } from 'vitest';
import { ciphersuite, loadBls, type Scheme, suites, type Variant } from '../src/index.ts';
import { engineVariants, hexBytes, infinity, negated, pointOf, toHex, uncompressedInfinity } from './fixtures.ts';

/** The first two secret keys, and the last two messages, of Ethereum's test vectors (bls12-381-tests, main.py). */
const secretKeys = [
  '00000000000000000000000000000000263dbd792f5b1be47ed85f8938c0f29586af0d3ac7b977f21c278fe1462040e3',
  '0000000000000000000000000000000047b8192d77bf871b62e87859d653922725724a5c031afeabc60bcef5ff665138',
].map((hex) => hexBytes(hex.slice(-64)));
const messages = [0x56, 0xab].map((byte) => new Uint8Array(32).fill(byte));

/** Signatures in G2 and their sum by py_ecc 8.0.0. The draft has no vectors, and its authors' are too old. */
const pyEcc: Readonly<Record<Scheme, readonly string[]>> = {
  basic: [
    'a85ec37c3ad44795958e94399a04079a51bdb070bbbf06586fb126310a4726e85dd29a2e56180af97b26d60900f8827c0dc79c4676ce3ad633ecad86e354f029a22fb0a107715e2a4cf9bfff66c3644914c3f3c64dfc468e15b0d83be3e92c87',
    '96d9c4c4af30d6ec41b239860bd37921179eeb56f913d7b9c31607df15e2f393e2db858017637650252e3f7b31f2be3e125b75c9abf20736984ab2b77ca4eede6f7a3a09629af40515298f5ae828b33ed73289788aa9ec42cf31ce51b00b01de',
    '81b1c3341f30f28dd5e99ee1b38c461eac22ef1ccc51416194a74f29f80cf7b815bfd7da6f7a7913ae57c37246c41c740c3eba2c436ae2028295fcf02cb255ef7d43f46d955b3c9b77013067fb24e3f8405f40748ba72d55ab545da6f5f41577',
  ],
  'message-augmentation': [
    'ad0b021a73e81d544cf5d41231138a573f5ed62064446e021b25363dc0d1066ac61b61c7cd4c490c77a8d79d6e4b78e9138ec4548946232ca5f9d12747d59403df013d6004082495ab8e143cb1f5c1f7f62cb501a456eb7f8bf816cc5c35896f',
    'a162f2b32abcf259d49ffa3c5776ae42889f78020077ac06f5bc4c25fa5db5f4b226820f24f9d50ef9f8f7d52e5ef9b314a3d3ae947caa07c6b9fff6f11af6e20bd5eb202d4f2c87226c01aab40c7b08e7c698e209e413ede5b0c7a354388d53',
    '857d7f37e961c4fd021719aaf4d2ed6f084d06be6790ab99e725497c7bf7f82963a40c8ecc76dba30e277e8772b1fabf11b655a9752b0855d2fff2964279836c7c3fb76dd9004449cdd19857d88667062bd5b771f57c50faa0a199482bfdee6c',
  ],
  'proof-of-possession': [
    '882730e5d03f6b42c3abc26d3372625034e1d871b65a8a6b900a56dae22da98abbe1b68f85e49fe7652a55ec3d0591c20767677e33e5cbb1207315c41a9ac03be39c2e7668edc043d6cb1d9fd93033caa8a1c5b0e84bedaeb6c64972503a43eb',
    '9674e2228034527f4c083206032b020310face156d4a4685e2fcaec2f6f3665aa635d90347b6ce124eb879266b1e801d185de36a0a289b85e9039662634f2eea1e02e670bc7ab849d006a70b2f93b84597558a05b879c8d445f387a5d5b653df',
    '9586bd361e5cb3d925aac6d1a63c72b4d11809fd464faefcd84671ed81b0ffcfed5d53dccb193dcd92c59539026eba920db5814309a4aef87965f6bd542bc8fb57aa0d70d496a7b9f41334e8333eb1fcdbdfbc027bb44157562ab47ad22e5d4e',
  ],
};

/** Signatures of noble-curves; the types depend on the groups, but the functions that these tests call do not. */
const nobleSignatures: Readonly<Record<Variant, typeof bls12_381.longSignatures>> = {
  'min-pk': bls12_381.longSignatures,
  'min-sig': bls12_381.shortSignatures as never,
};
const schemes = ['basic', 'message-augmentation', 'proof-of-possession'] as const;

describe.each(engineVariants)('ciphersuites on %s, %s', async (engine, variant) => {
  const bls = await loadBls({ engine, variant });
  const { signatureGroup, signatureBytes, publicKeyBytes } = suites[variant];
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));

  test.each([
    ['basic', 'NUL'],
    ['message-augmentation', 'AUG'],
    ['proof-of-possession', 'POP'],
  ] as const)('%s: names, signatures and sums equal the draft’s', (scheme, tag) => {
    const suite = ciphersuite(bls, scheme);
    expect(suite.name).toBe(`BLS_SIG_BLS12381${signatureGroup}_XMD:SHA-256_SSWU_RO_${tag}_`);
    expect([suite.scheme, suite.variant]).toEqual([scheme, variant]);
    const signatures = secretKeys.map((key, i) => suite.sign(key, messages[i]!));
    const sum = suite.aggregateSignatures(signatures);
    if (variant === 'min-pk') expect([...signatures, sum].map(toHex)).toEqual(pyEcc[scheme].map((hex) => `0x${hex}`));
    const signed = tag === 'AUG' ? new Uint8Array([...publicKeys[0]!, ...messages[0]!]) : messages[0]!;
    const theirs = nobleSignatures[variant];
    expect(theirs.sign(theirs.hash(signed, suite.name), secretKeys[0]!).toBytes(true)).toEqual(signatures[0]);

    expect(suite.verify(publicKeys[0]!, messages[0]!, signatures[0]!)).toBe(true);
    expect(suite.verify(publicKeys[1]!, messages[0]!, signatures[0]!)).toBe(false);
    expect(suite.aggregateVerify(publicKeys, messages, sum)).toBe(true);
    if (engine === 'noble') return;
    expect(suite.aggregateVerify(publicKeys, [...messages].reverse(), sum)).toBe(false);
    expect(suite.aggregateVerify(publicKeys, messages.slice(1), sum)).toBe(false);
    expect(suite.aggregateVerify([], [], infinity(signatureBytes))).toBe(false);
    expect(suite.aggregateVerify([infinity(publicKeyBytes)], [messages[0]!], infinity(signatureBytes))).toBe(false);
    expect(suite.aggregateVerify([publicKeys[0]!.subarray(1)], [messages[0]!], signatures[0]!)).toBe(false);
    // A signature of one suite is invalid in the others.
    for (const other of schemes.filter((each) => each !== scheme))
      expect(ciphersuite(bls, other).verify(publicKeys[0]!, messages[0]!, signatures[0]!)).toBe(false);
  });

  test('for equal messages the basic scheme is false, the others are not (draft, 3.1.1, 3.2.3, 3.3)', () => {
    const same = [messages[0]!, messages[0]!];
    for (const scheme of schemes) {
      const suite = ciphersuite(bls, scheme);
      const sum = suite.aggregateSignatures(secretKeys.map((key) => suite.sign(key, messages[0]!)));
      expect(suite.aggregateVerify(publicKeys, same, sum)).toBe(scheme !== 'basic');
    }
  });

  test('only the scheme with proofs of possession has proofs', () => {
    const suite = ciphersuite(bls, 'proof-of-possession');
    const proof = suite.provePossession(secretKeys[0]!);
    expect(suite.verifyPossession(publicKeys[0]!, proof)).toBe(true);
    const sum = suite.aggregateSignatures(secretKeys.map((key) => suite.sign(key, messages[0]!)));
    expect(suite.fastAggregateVerify(publicKeys, messages[0]!, sum)).toBe(true);
    expect(ciphersuite(bls, 'basic')).not.toHaveProperty('fastAggregateVerify');
    expect(() => ciphersuite(bls, 'pop' as never)).toThrow('scheme: expected one of basic');
  });

  test('signPoint and verifyPoints equal sign and aggregateVerify of hashed messages, and check each point', () => {
    const domain = new TextEncoder().encode('a domain of our own');
    const points = messages.map((message) => bls.hashToCurve(message, domain));
    const signatures = secretKeys.map((key, i) => bls.sign(key, messages[i]!, domain));
    expect(bls.signPoint(secretKeys[0]!, points[0]!)).toEqual(signatures[0]);
    const decoded = publicKeys.map((key) => pointOf(bls.validatePublicKey(key)));
    const sum = bls.aggregateSignatures(signatures);
    expect(bls.verifyPoints(decoded, points, sum)).toBe(true);
    expect(bls.aggregateVerify(publicKeys, messages, sum, domain)).toBe(true);
    expect(bls.verifyPoints(decoded, [...points].reverse(), sum)).toBe(false);
    expect(bls.verifyPoints(decoded.slice(1), points, sum)).toBe(false);
    expect(bls.verifyPoints([], [], sum)).toBe(false);
    expect(bls.verifyPoints(decoded, points, negated(sum))).toBe(false);
    const garbage = new Uint8Array(points[0]!.length).fill(1);
    expect(bls.verifyPoints(decoded, [points[0]!, garbage], sum)).toBe(false);
    expect(() => bls.signPoint(secretKeys[0]!, garbage)).toThrow(/^point: expected a point of G[12]/);
    expect(() => bls.signPoint(secretKeys[0]!, uncompressedInfinity(garbage.length))).toThrow('infinity');
    expect(() => bls.signPoint(new Uint8Array(32), points[0]!)).toThrow('a scalar in 1..r-1');
    expect(() => bls.sign(secretKeys[0]!, messages[0]!, new Uint8Array())).toThrow('domain: expected 1 to 255 bytes');
  });
});
