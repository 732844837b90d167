import { type AgreedRegistry, defaultThreshold, registryDigest } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { describe, expect, it } from 'vitest';
import { listedEntry } from '../../test/certifyingWorld.ts';

const entries = [0, 1, 2].map(listedEntry);

describe('the digest of a registry', () => {
  const digestOf = (given: Partial<AgreedRegistry> = {}) => toHex(registryDigest(nodeCrypto, { entries, ...given }));
  const share = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });
  const sig = { ...entries[0]!, publicKey: new Uint8Array(96).fill(1) };
  const pixel = { ...entries[0]!, publicKey: new Uint8Array(49).fill(1) };

  it('each relevant field changes the digest, and changes of different fields give different digests', () => {
    const weighed = (...weights: bigint[]) => entries.map((entry, index) => ({ ...entry, weight: weights[index]! }));
    const registries: Partial<AgreedRegistry>[] = [
      {},
      { epoch: 1n },
      { epoch: 2n ** 64n - 1n },
      { threshold: share(1n, 10n) },
      { threshold: share(10n, 10n) },
      { threshold: share(67n, 101n) },
      { margin: share(1n, 10n) },
      { margin: share(67n, 100n) },
      { entries: entries.slice(1) },
      { entries: [...entries].reverse() },
      { entries: weighed(1n, 1n, 2n) },
      { entries: weighed(2n, 1n, 1n) },
      { entries: [{ ...entries[0]!, publicKey: entries[1]!.publicKey }, ...entries.slice(1)] },
      { entries: [{ ...entries[0]!, networkKey: entries[1]!.networkKey }, ...entries.slice(1)] },
      { entries: [sig] },
      { entries: [pixel] },
    ];
    expect(new Set(registries.map(digestOf)).size).toBe(registries.length);
  });

  it.each([
    ['BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_', entries[0]!],
    ['BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_', sig],
    ['PIXEL_BLS12381G2_POP', pixel],
  ])('covers the fields of docs/reference/registry.md, with the name of the suite %s', (suite, entry) => {
    const integer = (value: number): Uint8Array => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, value);
    const expected = nodeCrypto.sha256([
      ...[Buffer.from('tutti registry v3'), Uint8Array.of(suite.length), Buffer.from(suite)],
      ...[3, 67, 100, 1, 10, 1].map(integer),
      ...[entry.publicKey, entry.networkKey, integer(5)],
    ]);
    const terms = { epoch: 3n, margin: share(1n, 10n) };
    expect(digestOf({ entries: [{ ...entry, weight: 5n }], ...terms })).toBe(toHex(expected));
  });

  it('is the same for an omitted term and for its default, and for any address of a member', () => {
    const named = { epoch: 0n, threshold: defaultThreshold, entries: entries.map((one) => ({ ...one, weight: 1n })) };
    expect(digestOf(named)).toBe(digestOf());
    expect(digestOf({ entries: entries.map((one) => ({ ...one, endpoint: { host: '::1', port: 1 } })) })).toBe(
      digestOf(),
    );
  });

  it.each<[string, Partial<AgreedRegistry>]>([
    ['entries: expected public keys of', { entries: [] }],
    ['entries: expected public keys of', { entries: [{ ...entries[0]!, publicKey: new Uint8Array(47) }] }],
    ['entries[1].publicKey: expected 48 bytes, got 96', { entries: [entries[0]!, sig] }],
    ['entries[0].networkKey: expected 32 bytes', { entries: [{ ...entries[0]!, networkKey: new Uint8Array(31) }] }],
    ['epoch: expected a bigint', { epoch: -1n }],
    ['epoch: expected a bigint', { epoch: 2n ** 64n }],
    ['epoch: expected a bigint', { epoch: 1 as never }],
    ['threshold: expected a share', { threshold: share(0n, 1n) }],
    ['threshold: expected a share', { threshold: share(2n, 1n) }],
    ['threshold.denominator: expected a bigint', { threshold: share(1n, 2n ** 64n) }],
    ['margin: expected a share', { margin: share(-1n, 1n) }],
    ['margin.numerator: expected a bigint', { margin: share(2n ** 64n, 2n ** 64n) }],
  ])('refuses a value that no registry can contain: %s (%#)', (message, given) => {
    expect(() => digestOf(given)).toThrow(message);
  });
});
