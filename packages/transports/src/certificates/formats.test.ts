import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../hex.ts';
import {
  decodeSignedWarp,
  encodeSignedWarp,
  encodeWarpBits,
  encodeWarpMessage,
  verifySignedWarp,
  warpSetOf,
} from './avalanche.ts';
import {
  type CertificateRegistry,
  certificateRegistryDigest,
  encodeCertificate,
  membersOf,
  messageHash,
  verifyCertificate,
} from './certificate.ts';
import { certificateForms, convertCertificate, readCertificate } from './convert.ts';
import { g1ForEip2537, g2ForEip2537 } from './eip2537.ts';
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
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const secretOf = (key: bigint): Uint8Array => hex(key.toString(16).padStart(64, '0'));
const uncompressed = (key: Uint8Array): Uint8Array => {
  const read = bls.decodePublicKey(key);
  if (!read.ok) throw new Error(read.code);
  return read.point;
};

/** Vectors of avalanchego v1.15.0: secret keys 1 to 9; key k weighs 10 k, but 15 for k = 1; and 45 without a key. */
describe("Avalanche's warp messages", () => {
  const secrets = Array.from({ length: 9 }, (_, index) => secretOf(BigInt(index + 1)));
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

  it('are ordered by uncompressed keys, and count who has no key in the total', () => {
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

  it('are refused for what avalanchego refuses, by name', () => {
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
    expect([[], [8], [0, 1, 2, 3, 4, 5, 6, 7, 8]].map((places) => toHex(encodeWarpBits(places)))).toEqual([
      '',
      '0100',
      '01ff',
    ]);
  });

  it('are refused where the keys add up to infinity', () => {
    const pair = warpSetOf(
      [1n, order - 1n].map((key) => ({ publicKey: bls.publicKey(secretOf(key)), weight: 1n })),
      uncompressed,
    );
    const infinity = new Uint8Array(96);
    infinity[0] = 0xc0;
    const bytes = encodeSignedWarp(unsigned, [0, 1], infinity);
    expect(verifySignedWarp(bytes, pair, quorum, bls)).toEqual({ ok: false, code: 'invalid-signature' });
  });
});

/** Vectors of @lodestar/types 1.50.0 with @chainsafe/ssz 1.9.0. */
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

  it('of an attestation', () => {
    const bytes = encodeAttestation(attestation);
    expect(bytes).toHaveLength(238);
    expect(toHex(bytes).startsWith('ec000000')).toBe(true);
    expect(toHex(bytes).endsWith('01000000000000800d05')).toBe(true);
    expect(toHex(attestationDataRoot(data))).toBe('634373eedbddc661096bc9e50898481812998867d0e9aa47a05d483d36414f2f');
    expect(toHex(attestationRoot(attestation))).toBe(
      'c8cc9fdbc180c47edd149763af4a2e1cea72721f3dd2ccf4811ea1e9dd991776',
    );
  });

  it('of an attestation without a vote in a named committee is refused', () => {
    const votes = [{ committee: 3, voted: [false, false] }];
    expect(() => encodeAttestation({ ...attestation, votes })).toThrow('committee 3: expected a vote in it, got none');
    expect(() => encodeAttestation({ ...attestation, votes: [...attestation.votes].reverse() })).toThrow('ascending');
  });

  it('of a sync aggregate', () => {
    const signed = Array.from({ length: 512 }, (_, index) => index % 3 === 0);
    const signature = new Uint8Array(96).fill(0xbb);
    expect(toHex(encodeSyncAggregate(signed, signature)).slice(0, 6)).toBe('499224');
    expect(encodeSyncAggregate(signed, signature)).toHaveLength(160);
    expect(toHex(syncAggregateRoot(signed, signature))).toBe(
      '07cd7229dce34cffa7e31594b6ff4bf8b8ca5a34b3db2c488afcc7f2b274001e',
    );
  });
});

/** The generators, as EIP-2537's own vectors have them. */
describe('points for EIP-2537', () => {
  it('have the real part of a coordinate first, and no flags', () => {
    const g1 = toHex(g1ForEip2537(uncompressed(bls.publicKey(secretOf(1n)))));
    expect(g1.startsWith(`${'0'.repeat(32)}17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58`)).toBe(
      true,
    );
    const key = minSig.decodePublicKey(minSig.publicKey(secretOf(1n)));
    const g2 = toHex(g2ForEip2537(key.ok ? key.point : new Uint8Array()));
    expect(g2.startsWith(`${'0'.repeat(32)}024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d177`)).toBe(
      true,
    );
    expect(
      g2
        .slice(128, 256)
        .startsWith(`${'0'.repeat(32)}13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049`),
    ).toBe(true);
  });
});

describe('a certificate in every form', () => {
  const secrets = Array.from({ length: 9 }, (_, index) => secretOf(BigInt(index + 1)));
  const bytes = encodeWarpMessage({ network: 5, chain: new Uint8Array(32), payload: text('tutti') });
  const bits = Uint8Array.of(0b1111_1011, 1);

  it.each(['min-pk', 'min-sig'] as const)('is read as it was written, and verifies, %s', (variant) => {
    const kernel = variant === 'min-pk' ? bls : minSig;
    const registry: CertificateRegistry = {
      entries: secrets.map((secret, index) => ({
        publicKey: kernel.publicKey(secret),
        networkKey: new Uint8Array(32).fill(index + 1),
        weight: BigInt(index + 1),
      })),
    };
    const subject = { registry, bytes, kernel };
    const signature = kernel.aggregateSignatures(membersOf(bits).map((member) => kernel.sign(secrets[member]!, bytes)));
    const certificate = encodeCertificate({
      registry: certificateRegistryDigest(registry),
      epoch: 0n,
      message: messageHash(bytes),
      size: 9,
      bits,
      signature,
    });
    for (const form of certificateForms) {
      if (variant === 'min-sig' && (form === 'avalanche' || form === 'sync-aggregate')) continue;
      const written = convertCertificate(form, certificate, subject);
      expect(readCertificate(form, written, subject), form).toEqual(certificate);
      expect(verifyCertificate({ ...subject, certificate: readCertificate(form, written, subject)! }).ok).toBe(true);
      const isValid = (some: Uint8Array, of: typeof subject) => {
        const read = readCertificate(form, some, of);
        return read !== undefined && verifyCertificate({ ...of, certificate: read }).ok;
      };
      const spoilt = [written.slice(1), written.slice(0, -1), Uint8Array.from([...written, 0]), new Uint8Array(0)];
      for (const some of spoilt) expect(isValid(some, subject), form).toBe(false);
      expect(isValid(written, { ...subject, bytes: text('another') }), form).toBe(false);
    }
  });

  it('is refused where a form has no place for it', () => {
    const entries = [{ publicKey: bls.publicKey(secretOf(1n)), networkKey: new Uint8Array(32).fill(1) }];
    const subject = { registry: { entries }, bytes: text('no warp message'), kernel: bls };
    const certificate = encodeCertificate({
      registry: certificateRegistryDigest({ entries }),
      epoch: 0n,
      message: messageHash(subject.bytes),
      size: 1,
      bits: Uint8Array.of(1),
      signature: bls.sign(secretOf(1n), subject.bytes),
    });
    expect(() => convertCertificate('avalanche', certificate, subject)).toThrow('expected an unsigned warp message');
    expect(() => convertCertificate('tutti', text('none'), subject)).toThrow('certificate: expected one');
  });
});
