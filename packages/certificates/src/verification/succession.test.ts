import type { ProvenEntry } from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import {
  bls,
  certificateBy,
  type Given,
  negativeOf,
  provenBy,
  runInVirtualTime,
  share,
  until,
  worldOf,
} from '../../test/certifyingWorld.ts';
import type { ProvenRegistry } from '../registry/verifyRegistry.ts';
import type { CertificateRegistry } from './certificate.ts';
import { followRegistries, looksLikeSuccession, successionStatement } from './succession.ts';

runInVirtualTime();

/** Creates a generation of members with new keys, and proofs of its entries. */
const generation = (size: number, seed: number, given: Given = {}) => {
  const world = worldOf(size, { ...given, seed });
  const entries = world.registry.entries.map((entry, index) => ({
    ...entry,
    ...provenBy(world.keys[index]!.secretKey, entry.networkKey),
  }));
  const registry: ProvenRegistry = { ...world.registry, entries };
  return { ...world, registry };
};

describe('a succession of registries', () => {
  const first = generation(4, 1, { of: () => ({ approveSuccession: () => true }) });
  const second = generation(3, 2, { epoch: 1n, weights: [5n, 1n, 1n] });
  const agree = (next: ProvenRegistry): Uint8Array =>
    certificateBy({ ...first, signers: [0, 1, 2, 3], bytes: successionStatement(first.registry, next) });
  const codeOf = (next: ProvenRegistry, certificate = agree(next)): string => {
    const followed = followRegistries(first.registry, [{ registry: next, certificate }], bls);
    return followed.ok ? 'followed' : followed.code;
  };

  it('is accepted if a quorum of the previous members signed it', async () => {
    const members = await first.all();
    const { certificate } = await members[0]!.certify(successionStatement(first.registry, second.registry));
    const followed = followRegistries(first.registry, [{ registry: second.registry, certificate }], bls);
    expect(followed).toEqual({ ok: true, registry: second.registry });
    expect(() => successionStatement(first.registry, { ...second.registry, epoch: 2n })).toThrow('epoch: expected 1');
  });

  it('cannot change the threshold on the way: one member of ten takes over nothing', () => {
    const honest = [generation(10, 3), generation(10, 4, { epoch: 1n, threshold: share(67n, 100n) })] as const;
    const thief = generation(1, 5, { epoch: 2n });
    const [r0, r1] = [honest[0].registry, honest[1].registry];
    const c1 = certificateBy({ ...honest[0], signers: [0, 1, 2, 3, 4, 5, 6], bytes: successionStatement(r0, r1) });
    /** Follows a registry to that of the thief, with a certificate that one member signs for a stated registry. */
    const followed = (registry: ProvenRegistry, stated: ProvenRegistry) => {
      const bytes = successionStatement(stated, thief.registry);
      const c2 = certificateBy({ ...honest[1], registry: stated, signers: [3], bytes });
      const last = { registry: thief.registry, certificate: c2 };
      return followRegistries(r0, [{ registry, certificate: c1 }, last], bls);
    };
    for (const given of [{ threshold: share(1n, 10n) }, { threshold: share(1n, 10n), margin: share(1n, 10n) }]) {
      const lied = { ...r1, ...given };
      expect(followed(lied, lied)).toEqual({ ok: false, at: 0, code: 'wrong-message' });
      expect(followed(r1, lied)).toEqual({ ok: false, at: 1, code: 'wrong-registry' });
    }
    expect(followed(r1, r1)).toEqual({ ok: false, at: 1, code: 'under-weight' });
  });

  it('includes the previous registry: a succession of one registry is invalid for another registry of the same members', () => {
    const other = { ...first.registry, threshold: share(1n, 2n) };
    const bytes = successionStatement(other, second.registry);
    const followed = (registry: CertificateRegistry) => {
      const certificate = certificateBy({ ...first, registry, signers: [0, 1, 2, 3], bytes });
      return followRegistries(first.registry, [{ registry: second.registry, certificate }], bls);
    };
    expect(followed(other)).toMatchObject({ code: 'wrong-registry' });
    expect(followed(first.registry)).toMatchObject({ code: 'wrong-message' });
    expect(bytes).not.toEqual(successionStatement(first.registry, second.registry));
  });

  it('has its members verified although a quorum signed it', () => {
    const [one, two, three] = second.registry.entries as [ProvenEntry, ProvenEntry, ProvenEntry];
    const negative = provenBy(negativeOf(second.keys[0]!.secretKey), two.networkKey);
    const cases: [string, ProvenRegistry['entries']][] = [
      ['registry-duplicate', [one, one]],
      ['registry-duplicate', [one, { ...two, networkKey: one.networkKey }]],
      ['registry-duplicate', [one, { ...two, ...negative }]],
      ['registry-bad-proof', [one, two, { ...three, proofOfPossession: two.proofOfPossession }]],
      ['registry-bad-network-proof', [one, { ...two, networkKeyProof: one.networkKeyProof }]],
      ['registry-weak-network-key', [one, { ...two, networkKey: new Uint8Array(32) }]],
      ['registry-bad-field', [one, { ...two, weight: undefined } as never]],
      ['registry-bad-field', [one, { ...two, weight: 2n ** 63n }]],
      ['registry-bad-field', []],
      ['registry-bad-field', [one, { publicKey: two.publicKey, networkKey: two.networkKey, weight: 1n } as never]],
    ];
    const certificate = agree(second.registry);
    for (const [code, entries] of cases) {
      const next = { ...second.registry, entries };
      // Members cannot agree on a registry that has no digest.
      const agreed = code === 'registry-bad-field' ? certificate : agree(next);
      expect(codeOf(next, agreed), code).toBe(code);
    }
    expect(codeOf({ ...second.registry, threshold: share(3n, 2n) }, certificate)).toBe('registry-bad-field');
    expect(codeOf({ ...second.registry, epoch: 2n }, certificate)).toBe('wrong-epoch');
    expect(codeOf(second.registry, certificate)).toBe('followed');
  });

  it('requires keys of the variant of the verifier', async () => {
    const minSig = await loadBls({ variant: 'min-sig' });
    const entries = second.registry.entries.map((entry, index) => ({
      ...entry,
      publicKey: minSig.publicKey(second.keys[index]!.secretKey),
      proofOfPossession: minSig.provePossession(second.keys[index]!.secretKey),
    }));
    expect(codeOf({ ...second.registry, entries })).toBe('registry-bad-proof');
  });
});

describe('a member', () => {
  const next = generation(1, 7, { epoch: 1n });

  it('signs no succession that another member requests, although it approves every message', async () => {
    const world = worldOf(4);
    const members = await world.all();
    const statement = successionStatement(world.registry, next.registry);
    expect(looksLikeSuccession(statement)).toBe(true);
    const asked = members[3]!.certify(statement).catch((error: Error) => error);
    await until(() => members.slice(0, 3).every((one) => (one.totals().refused['not-approved'] ?? 0) === 1));
    expect(members.map(({ counts }) => counts.open)).toEqual([0, 0, 0, 1]);
    await members[3]!.close();
    expect(await asked).toMatchObject({ code: 'group-closed' });
  });

  it('signs a succession that it requested itself or that approveSuccession accepts', async () => {
    const seen: string[] = [];
    const of = (index: number) => ({
      approve: () => seen.push('approve') > 0,
      ...(index === 1 && {
        approveSuccession: (bytes: Uint8Array, from: number) =>
          seen.push(`succession ${looksLikeSuccession(bytes)} from ${from}`) > 0,
      }),
    });
    const world = worldOf(4, { of });
    const members = await world.all();
    const statement = successionStatement(world.registry, next.registry);
    const asked = [0, 2].map((index) => members[index]!.certify(statement));
    const { certificate } = (await Promise.all(asked))[0]!;
    const followed = followRegistries(world.registry, [{ registry: next.registry, certificate }], bls);
    expect(followed.ok).toBe(true);
    expect(seen).toEqual([expect.stringMatching(/^succession true from [02]$/)]);
  });
});
