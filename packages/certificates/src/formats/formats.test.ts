import { fromHex, toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { certificateBy, negativeOf, bytesOf as text } from '../../test/certifyingWorld.ts';
import {
  type CertificateRegistry,
  decodeCertificate,
  encodeCertificate,
  verifyCertificate,
} from '../verification/certificate.ts';
import {
  decodeSignedWarp,
  encodeSignedWarp,
  encodeWarpBits,
  encodeWarpMessage,
  verifySignedWarp,
  warpSetOf,
} from './avalanche.ts';
import {
  type CertificateForm,
  certificateForms,
  convertCertificate,
  g1ForEip2537,
  g2ForEip2537,
  readCertificate,
} from './convert.ts';
import {
  attestationDataRoot,
  attestationRoot,
  encodeAttestation,
  encodeSyncAggregate,
  syncAggregateRoot,
} from './ssz.ts';

const bls = await loadBls();
const minSig = await loadBls({ variant: 'min-sig' });
const hex = (text: string): Uint8Array => fromHex(text, text.length / 2)!;
const secretOf = (key: number): Uint8Array => hex(key.toString(16).padStart(64, '0'));
const secrets = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(secretOf);
const infinity = [0xc0, ...new Uint8Array(95)];
/** Returns a different coordinate of 64 bytes that equals the given one modulo the prime. */
function plusModulus(coordinate: Uint8Array): Uint8Array {
  const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
  return hex((BigInt(`0x${toHex(coordinate)}`) + modulus).toString(16).padStart(128, '0'));
}

const uncompressed = (key: Uint8Array): Uint8Array => {
  const read = bls.decodePublicKey(key);
  if (!read.ok) throw new Error(read.code);
  return read.point;
};

/** Vectors from avalanchego v1.15.0, secret keys 1 to 9. Key k weighs 10 k, key 1 15; those without a key 45. */
describe('warp messages of Avalanche', () => {
  const weightOf = (key: number): bigint => (key === 1 ? 15n : 10n * BigInt(key));
  const set = warpSetOf(
    [
      ...secrets.map((secret, index) => ({ publicKey: bls.publicKey(secret), weight: weightOf(index + 1) })),
      { weight: 45n },
    ],
    uncompressed,
  );
  const members = [2, 6, 8, 3, 4, 5, 1, 7, 9];
  const chain = Uint8Array.from({ length: 32 }, (_, index) => index);
  const unsigned = encodeWarpMessage({ network: 5, chain, payload: text('tutti') });
  const signedBy = (places: readonly number[]): Uint8Array =>
    bls.aggregateSignatures(places.map((place) => bls.sign(secrets[members[place]! - 1]!, unsigned)));
  const quorum = { network: 5, numerator: 67n, denominator: 100n };

  it('are ordered by uncompressed keys, and include the weight of members without a key in the total', () => {
    expect(set.members.map(({ weight }) => weight)).toEqual(members.map(weightOf));
    expect(set.total).toBe(500n);
    expect(toHex(unsigned)).toBe(`000000000005${toHex(chain)}000000057475747469`);
  });

  it.each([
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], '01ff', '9830be2fa8e2759127e6fb5666677c61', 153, 455n],
    [[2, 3, 5, 6, 7, 8], '01ec', '86c7c7e4d6fa7ea58509131f8b65207f', 153, 335n],
    [[0, 1, 3, 4, 5, 6, 7], 'fb', 'abde35744e6ceb19849863a5c954f9fc', 152, undefined],
  ])('members %o: signers %s', (places, bits, signature, length, weight) => {
    const bytes = encodeSignedWarp(unsigned, places, signedBy(places));
    const read = decodeSignedWarp(bytes)!;
    expect([toHex(read.bits), toHex(read.signature).slice(0, 32), bytes.length]).toEqual([bits, signature, length]);
    expect(verifySignedWarp(bytes, set, quorum, bls)).toEqual(
      weight === undefined ? { ok: false, code: 'under-weight' } : { ok: true, weight },
    );
  });

  it('are refused for every reason for which avalanchego refuses, with the name of the reason', () => {
    const all = members.map((_, place) => place);
    const good = encodeSignedWarp(unsigned, all, signedBy(all));
    const withBits = (bits: string): Uint8Array => {
      const tail = hex(`00000000${(bits.length / 2).toString(16).padStart(8, '0')}${bits}`);
      return Uint8Array.from([...unsigned, ...tail, ...signedBy(all)]);
    };
    const codeOf = (bytes: Uint8Array, of = quorum): unknown => {
      const verdict = verifySignedWarp(bytes, set, of, bls);
      return verdict.ok ? 'accepted' : verdict.code;
    };
    expect(codeOf(withBits('01ff'))).toBe('accepted');
    expect(codeOf(withBits('0001ff'))).toBe('invalid-bitset');
    expect(codeOf(withBits('0200'))).toBe('unknown-validator');
    expect(codeOf(withBits(''), { ...quorum, numerator: 0n })).toBe('no-signers');
    expect(codeOf(good, { ...quorum, network: 1 })).toBe('wrong-network');
    expect(codeOf(good.slice(0, -1))).toBe('malformed');
    expect([[], [8], all].map((places) => toHex(encodeWarpBits(places)))).toEqual(['', '0100', '01ff']);
    expect(encodeWarpBits(Array.from({ length: 200_000 }, (_, place) => place))).toHaveLength(25_000);
  });

  it('keep the largest network number, and a number that does not fit is refused', () => {
    const of = (network: number) => encodeWarpMessage({ network, chain, payload: text('tutti') });
    expect(decodeSignedWarp(encodeSignedWarp(of(2 ** 32 - 1), [], new Uint8Array(96)))!.network).toBe(2 ** 32 - 1);
    expect(() => of(2 ** 32)).toThrow('network: expected an integer from 0 to 4294967295, got 4294967296');
  });

  it('are refused if the keys add up to infinity', () => {
    const pair = warpSetOf(
      [secrets[0]!, negativeOf(secrets[0]!)].map((key) => ({ publicKey: bls.publicKey(key), weight: 1n })),
      uncompressed,
    );
    const bytes = encodeSignedWarp(unsigned, [0, 1], Uint8Array.from(infinity));
    expect(verifySignedWarp(bytes, pair, quorum, bls)).toEqual({ ok: false, code: 'invalid-signature' });
  });
});

/** Test vectors from @lodestar/types 1.50.0 with @chainsafe/ssz 1.9.0. */
describe("Ethereum's SSZ", () => {
  const data = {
    slot: 1n,
    index: 0n,
    beaconBlockRoot: new Uint8Array(32).fill(1),
    source: { epoch: 0n, root: new Uint8Array(32).fill(2) },
    target: { epoch: 1n, root: new Uint8Array(32).fill(3) },
  };
  const bits = [...'1011000010'].map((bit) => bit === '1');
  const attestation = {
    data,
    votes: [
      { committee: 0, voted: bits.slice(0, 5) },
      { committee: 63, voted: bits.slice(5) },
    ],
    signature: new Uint8Array(96).fill(0xaa),
  };

  it('is written and read for an attestation', () => {
    const bytes = encodeAttestation(attestation);
    expect(bytes).toHaveLength(238);
    expect(toHex(bytes).startsWith('ec000000')).toBe(true);
    expect(toHex(bytes).endsWith('01000000000000800d05')).toBe(true);
    expect(toHex(attestationDataRoot(data))).toBe('634373eedbddc661096bc9e50898481812998867d0e9aa47a05d483d36414f2f');
    expect(toHex(attestationRoot(attestation))).toBe(
      'c8cc9fdbc180c47edd149763af4a2e1cea72721f3dd2ccf4811ea1e9dd991776',
    );
  });

  it('refuses an attestation whose fields the format cannot represent', () => {
    const votes = [{ committee: 3, voted: [false, false] }];
    const long = [{ committee: 3, voted: new Array<boolean>(131_073).fill(true) }];
    for (const write of [encodeAttestation, attestationRoot])
      for (const [fields, message] of [
        [{ votes }, 'committee 3: expected a vote in it, got none'],
        [{ votes: [...attestation.votes].reverse() }, 'ascending'],
        [{ votes: long }, 'votes: expected at most 131072 flags, got 131073'],
        [{ votes: [{ committee: 0.5, voted: [true] }] }, 'ascending integers under 64, got 0.5'],
        [{ signature: new Uint8Array(48) }, 'signature: expected 96 bytes, got 48'],
        [{ data: { ...data, slot: 2n ** 64n } }, 'integer: expected 0 to 2^64 - 1, got 18446744073709551616'],
        [{ data: { ...data, target: { ...data.target, epoch: -1n } } }, 'integer: expected 0 to 2^64 - 1, got -1'],
        [{ data: { ...data, beaconBlockRoot: new Uint8Array(31) } }, 'root: expected 32 bytes, got 31'],
        [{ data: { ...data, source: { epoch: 0n, root: new Uint8Array(31) } } }, 'root: expected 32 bytes, got 31'],
      ] as const)
        expect(() => write({ ...attestation, ...fields })).toThrow(message);
  });

  it('is written and read for a sync aggregate', () => {
    const signed = Array.from({ length: 512 }, (_, index) => index % 3 === 0);
    const signature = new Uint8Array(96).fill(0xbb);
    expect(toHex(encodeSyncAggregate(signed, signature)).slice(0, 6)).toBe('499224');
    expect(encodeSyncAggregate(signed, signature)).toHaveLength(160);
    expect(() => syncAggregateRoot(signed.slice(1), signature)).toThrow('signed: expected 512 places, got 511');
    expect(toHex(syncAggregateRoot(signed, signature))).toBe(
      '07cd7229dce34cffa7e31594b6ff4bf8b8ca5a34b3db2c488afcc7f2b274001e',
    );
  });
});

/** The generators, as in the test vectors of EIP-2537. */
describe('points for EIP-2537', () => {
  it('have the real part of a coordinate first and no flags', () => {
    const g1 = toHex(g1ForEip2537(uncompressed(bls.publicKey(secrets[0]!))));
    expect(g1.slice(0, 96)).toBe(`${'0'.repeat(32)}17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58`);
    const key = minSig.decodePublicKey(minSig.publicKey(secrets[0]!));
    const g2 = toHex(g2ForEip2537(key.ok ? key.point : new Uint8Array()));
    expect(g2.slice(0, 96)).toBe(`${'0'.repeat(32)}024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d177`);
    expect(g2.slice(128, 224)).toBe(
      `${'0'.repeat(32)}13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049`,
    );
  });
});

describe('a certificate in every format', () => {
  const bytes = encodeWarpMessage({ network: 5, chain: new Uint8Array(32), payload: text('tutti') });
  const keys = secrets.map((secretKey) => ({ secretKey }));
  const signers = [0, 1, 3, 4, 5, 6, 7, 8];

  type Subject = Parameters<typeof readCertificate>[2] & { readonly kernel: typeof bls };
  /** Returns whether bytes in a format are read as a valid certificate of the subject. */
  const isRead = (form: CertificateForm, some: Uint8Array, subject: Subject) => {
    const certificate = readCertificate(form, some, subject);
    return certificate !== undefined && verifyCertificate({ ...subject, certificate }).ok;
  };

  it.each(['min-pk', 'min-sig'] as const)('decodes to the encoded certificate and verifies, %s', (variant) => {
    const kernel = variant === 'min-pk' ? bls : minSig;
    const registry: CertificateRegistry = {
      entries: secrets.map((secret, index) => ({
        publicKey: kernel.publicKey(secret),
        networkKey: new Uint8Array(32).fill(index + 1),
        weight: BigInt(index + 1),
      })),
    };
    const subject = { registry, bytes, kernel };
    const certificate = certificateBy({ ...subject, keys, signers });
    for (const form of certificateForms) {
      if (variant === 'min-sig' && (form === 'avalanche' || form === 'sync-aggregate')) {
        expect(() => convertCertificate(form, certificate, subject), form).toThrow(RangeError);
        continue;
      }
      const written = convertCertificate(form, certificate, subject);
      expect(readCertificate(form, written, subject), form).toEqual(certificate);
      expect(isRead(form, written, subject)).toBe(true);
      const spoilt = [written.slice(1), written.slice(0, -1), Uint8Array.from([...written, 0]), new Uint8Array(0)];
      for (const some of spoilt) expect(isRead(form, some, subject), form).toBe(false);
      expect(isRead(form, written, { ...subject, bytes: text('another') }), form).toBe(false);
    }
  });

  /** Returns a certificate by members 0, 1, 3 to 8 of nine, and a test whether other bytes are read as valid. */
  const certified = (form: CertificateForm, size = 9) => {
    const entries = secrets
      .slice(0, size)
      .map((secret, index) => ({ publicKey: bls.publicKey(secret), networkKey: new Uint8Array(32).fill(index + 1) }));
    const subject = { registry: { entries }, bytes, kernel: bls };
    const certificate = certificateBy({ ...subject, keys, signers: signers.filter((member) => member < size) });
    const isValid = (some: Uint8Array) => isRead(form, some, subject);
    return { written: convertCertificate(form, certificate, subject), isValid };
  };
  const altered = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
    const changed = bytes.slice();
    changed.set(values, at);
    return changed;
  };
  const spliced = (bytes: Uint8Array, at: number, length: number, ...values: number[]): Uint8Array =>
    Uint8Array.from([...bytes.slice(0, at), ...values, ...bytes.slice(at + length)]);
  const little = (value: number): number[] => [value & 255, value >> 8, 0, 0];
  const big = (value: number): number[] => [...new Uint8Array(30), value >> 8, value & 255];

  /** For each format, other bytes that a lenient reader would accept as the same or another certificate. */
  const others: Record<CertificateForm, (written: Uint8Array) => Record<string, Uint8Array>> = {
    tutti: (written) => ({
      'offset one more': altered(written, 170, ...little(175)),
      'offset one less': altered(written, 170, ...little(173)),
      'offset one more, and a byte before the signers': spliced(written, 170, 4, ...little(175), 0),
      'offset of zero': altered(written, 170, ...little(0)),
      'offset over the end': altered(written, 170, 255, 255, 255, 255),
      'no end bit': altered(written, written.length - 1, 1),
      'end bit one further': altered(written, written.length - 1, 0b101),
      'a byte of zeros behind the end bit': Uint8Array.from([...written, 0]),
      'an empty byte with an end bit more': Uint8Array.from([...written, 1]),
      'version 0': altered(written, 0, 0),
      'version 2': altered(written, 0, 2),
      'the other suite': altered(written, 1, 1),
      'suite 2': altered(written, 1, 2),
      'the signature without its flag': altered(written, 74, written[74]! & 0x7f),
      'the negative of the signature': altered(written, 74, written[74]! ^ 0x20),
      'an infinite signature': altered(written, 74, ...infinity),
      'big-endian epoch': altered(written, 41, 1),
    }),
    avalanche: (written) => ({
      'a zero before the bits': spliced(written, bytes.length + 7, 1, 3, 0),
      'a bit beyond the members': altered(written, bytes.length + 8, 0b11),
      'another codec': altered(written, 1, 1),
      'another type of signature': altered(written, bytes.length + 3, 1),
      'one byte of bits less': spliced(written, bytes.length + 7, 2, 1),
      'length of the bits over the end': altered(written, bytes.length + 4, 255),
      'another length of the payload': altered(written, 41, 4),
    }),
    'sync-aggregate': (written) => ({
      'a bit beyond the members': altered(written, 1, written[1]! | 0b10),
      'a bit of the last place': altered(written, 63, 0x80),
      'a place less': spliced(written, 63, 1),
      'an infinite signature': altered(written, 64, ...infinity),
    }),
    eip2537: (written) => ({
      'the offset of the bits one word more': altered(written, 0, ...big(96)),
      'a word between head and bits': spliced(written, 0, 64, ...big(96), ...big(160), ...big(0)),
      'a word between bits and signature': spliced(altered(written, 32, ...big(160)), 128, 0, ...big(0)),
      'signature first': altered(written, 0, ...big(352), ...big(64), ...written.slice(128), ...written.slice(64, 128)),
      'padding that is not zero': altered(written, 127, 1),
      'a bit beyond the members': altered(written, 97, written[97]! | 0b10),
      'bits one byte longer': altered(written, 64, ...big(3)),
      'bits one byte shorter': altered(written, 64, ...big(1)),
      'the signature one byte longer': altered(written, 128, ...big(257)),
      'a word after the signature': Uint8Array.from([...written, ...big(0)]),
      'padding of a coordinate': altered(written, 160, 1),
      'a coordinate with the modulus added': altered(written, 160, ...plusModulus(written.slice(160, 224))),
      'an infinite signature': altered(written, 160, ...new Uint8Array(256)),
      'real part first': altered(written, 160, ...written.slice(224, 288), ...written.slice(160, 224)),
    }),
  };

  it.each(certificateForms)('has one encoding: %s', (form) => {
    const { written, isValid } = certified(form);
    expect(isValid(written)).toBe(true);
    for (const [name, other] of Object.entries(others[form](written))) expect(isValid(other), name).toBe(false);
    // Each byte matters: if any byte is changed, no reader accepts the result as the same certificate.
    for (const [at, byte] of written.entries()) {
      const changed = altered(written, at, byte ^ (1 << ((at * 5) & 7)));
      expect(isValid(changed), `byte ${at} of ${written.length}`).toBe(false);
    }
    expect(isValid(Uint8Array.from([0, ...written]))).toBe(false);
  });

  it('has one encoding if the members fill whole bytes', () => {
    for (const form of certificateForms) {
      const { written, isValid } = certified(form, 8);
      expect(isValid(written), form).toBe(true);
      expect(isValid(Uint8Array.from([...written, 0])), form).toBe(false);
      expect(isValid(written.slice(0, -1)), form).toBe(false);
    }
    const { written, isValid } = certified('tutti', 8);
    expect(written.at(-1)).toBe(1);
    expect(isValid(altered(written, written.length - 1, 2))).toBe(false);
    expect(isValid(altered(written, written.length - 1, 3))).toBe(false);
  });

  it('a certificate is encoded only if all its fields can be decoded', () => {
    const good = {
      ...{ registry: new Uint8Array(32), epoch: 0n, message: new Uint8Array(32), size: 9 },
      ...{ bits: Uint8Array.of(1, 1), signature: new Uint8Array(96) },
    };
    const largest = { ...good, epoch: 2n ** 64n - 1n, size: 2 ** 20, bits: new Uint8Array(2 ** 17).fill(1) };
    for (const one of [good, largest]) expect(decodeCertificate(encodeCertificate(one))).toEqual(one);
    for (const [fields, message] of [
      [{ epoch: 2n ** 64n }, 'epoch: expected a bigint from 0 to 2^64 - 1'],
      [{ epoch: -1n }, 'epoch: expected'],
      [{ size: 2 ** 20 + 1, bits: new Uint8Array(2 ** 17 + 1) }, 'size: expected an integer from 1 to 1048576'],
      [{ size: 0, bits: new Uint8Array(0) }, 'size: expected'],
      [{ size: 8.5 }, 'size: expected'],
      [{ bits: Uint8Array.of(1, 2) }, 'bits: expected none beyond 9'],
      [{ bits: Uint8Array.of(1, 1, 0) }, 'bits: expected 2 bytes, got 3'],
      [{ signature: new Uint8Array(97) }, 'signature: expected 96 or 48 bytes, got 97'],
      [{ registry: new Uint8Array(31) }, 'registry: expected 32 bytes, got 31'],
    ] as const)
      expect(() => encodeCertificate({ ...good, ...fields })).toThrow(message);
    const tooMany = new Uint8Array(174 + 2 ** 17 + 1);
    tooMany.set(encodeCertificate(largest));
    expect(decodeCertificate(altered(tooMany, tooMany.length - 1, 1))).toEqual({ ...largest, bits: expect.anything() });
    expect(decodeCertificate(altered(tooMany, tooMany.length - 1, 2))).toBeUndefined();
  });

  it('a certificate is refused if its registry has more members than the format supports', () => {
    const entries = Array.from({ length: 513 }, (_, index) => ({
      publicKey: altered(new Uint8Array(48), 0, index & 255, index >> 8),
      networkKey: new Uint8Array(32).fill(1),
    }));
    const of = (size: number) => ({ registry: { entries: entries.slice(0, size) }, bytes, kernel: bls });
    expect(readCertificate('sync-aggregate', new Uint8Array(160), of(512))).toBeDefined();
    expect(readCertificate('sync-aggregate', new Uint8Array(160), of(513))).toBeUndefined();
  });

  it('is refused if the format has no field for one of its values', () => {
    const entries = [{ publicKey: bls.publicKey(secrets[0]!), networkKey: new Uint8Array(32).fill(1) }];
    const subject = { registry: { entries }, bytes: text('no warp message'), kernel: bls };
    const certificate = certificateBy({ ...subject, keys, signers: [0] });
    expect(() => convertCertificate('avalanche', certificate, subject)).toThrow('expected an unsigned warp message');
    expect(() => convertCertificate('tutti', text('none'), subject)).toThrow('certificate: expected one');
  });
});
