/** Failures of other projects' aggregators as properties. Each test names the discussion with the report. */
import { minWeight, type Share } from '@tutti/core';
import type { Transport } from '@tutti/transports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import {
  bls,
  bytesOf,
  certificateBy,
  closeAll,
  listedEntry,
  lyingKernel,
  negativeOf,
  runInVirtualTime,
  share,
  until,
  worldOf,
} from '../../test/certifyingWorld.ts';
import { formatRegistry, verifiedRegistry } from '../registry/registryFile.ts';
import { type CertificateRegistry, verifyCertificate } from '../verification/certificate.ts';
import type { CertifyingGroup } from './joinGroup.ts';
import type { Certified } from './storedCertificates.ts';

runInVirtualTime();

const bytes = bytesOf('block 17');

/** Arbitrary of weights with the distributions that occur in committees. */
const weightsOf = (size: number): fc.Arbitrary<readonly bigint[]> =>
  fc.oneof(
    fc.constant(Array(size).fill(1n)),
    fc.constant(Array.from({ length: size }, (_, place) => 2_520n / BigInt(place + 1))),
    // One member outweighs all other members together, with a total weight close to 2^63.
    fc
      .nat({ max: size - 1 })
      .map((giant) => Array.from({ length: size }, (_, one) => (one === giant ? 2n ** 62n : 3n))),
    fc.array(fc.bigInt({ min: 1n, max: 2n ** 40n }), { minLength: size, maxLength: size }),
  );

const shares = fc.constantFrom(share(1n, 3n), share(1n, 2n), share(67n, 100n), share(1n, 1n));

/** Roles of members: a member signs, is absent, signs something else, or sends bytes that are not packets. */
const roles = fc.oneof(
  { arbitrary: fc.constant('honest' as const), weight: 5 },
  { arbitrary: fc.constantFrom('absent' as const, 'liar' as const, 'garbler' as const), weight: 2 },
);

const committees = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.record({
    weights: weightsOf(size),
    threshold: shares,
    roles: fc.array(roles, { minLength: size, maxLength: size }),
    /** Index of the requesting member, counted among the honest members. */
    asker: fc.nat(),
    /** Honest member to kill, and the number of packets before the kill. It rejoins without state and asks again. */
    killed: fc.nat(),
    killedAt: fc.nat({ max: 60 }),
    /** Interval of packet loss: every n-th packet is lost. */
    lossEvery: fc.constantFrom(Number.POSITIVE_INFINITY, 10, 4),
  }),
);

type Committee = typeof committees extends fc.Arbitrary<infer T> ? T : never;

const sumOf = (weights: readonly bigint[], members: readonly number[]): bigint =>
  members.reduce((sum, member) => sum + weights[member]!, 0n);

const membersWho = (roles: readonly string[], ...done: readonly string[]): number[] =>
  [...roles.keys()].filter((one) => done.includes(roles[one]!));

/** Returns whether the honest members are a quorum on their own. */
function isEnough({ weights, threshold, roles }: Committee): boolean {
  const total = sumOf(weights, [...weights.keys()]);
  return sumOf(weights, membersWho(roles, 'honest')) * threshold.denominator >= threshold.numerator * total;
}

/** Committees that need every member's weight: without any one member, at least a weight of 1 is missing. */
const committeesOneShort = (size: number) =>
  fc
    .record({ weights: weightsOf(size), last: fc.nat({ max: size - 1 }) })
    .map(({ weights, last }) => ({ weights, last, least: sumOf(weights, [...weights.keys()]) - weights[last]! + 1n }));

/** Creates a network that reports and may lose packets, and flips a bit in each packet of a garbling member. */
function lossy(every: number, roles: readonly string[], onPacket: () => void) {
  let packets = 0;
  return (transport: Transport, index: number): Transport => {
    const send = transport.send.bind(transport);
    transport.send = (to, packet) => {
      onPacket();
      if (++packets % every === 0) return;
      const sent = packet.slice();
      if (roles[index] === 'garbler') sent[packets % sent.length]! ^= 1;
      send(to, sent);
    };
    return transport;
  };
}

/** Starts a committee with its honest and faulty members. In the result, `all` returns the honest members. */
async function certifying({ weights, threshold, roles, asker, killed, killedAt, lossEvery }: Committee) {
  const honest = membersWho(roles, 'honest');
  const seen: Certified[] = [];
  let packets = 0;
  let onKill = (): void => {};
  const world = worldOf(weights.length, {
    weights,
    threshold,
    of: (index) => (roles[index] === 'liar' ? { kernel: lyingKernel } : {}),
    through: lossy(lossEvery, roles, () => {
      if (packets++ === killedAt) onKill();
    }),
  });
  const members = new Map<number, CertifyingGroup>();
  const join = async (index: number) => {
    const member = await world.join(index);
    if (honest.includes(index)) member.on('certificate', (certificate) => void seen.push(certificate));
    members.set(index, member);
    return member;
  };
  await Promise.all(membersWho(roles, 'honest', 'liar', 'garbler').map(join));
  const all = () => honest.map((index) => members.get(index)!);
  const asks = honest[asker % honest.length]!;
  const ask = (index = asks) =>
    void members
      .get(index)!
      .certify(bytes)
      .catch(() => {});
  const dies = honest[killed % honest.length]!;
  const kill = async () => {
    await members.get(dies)!.close();
    await join(dies);
    // If all members had signed, no other member announces the message to the rejoined member any more.
    ask(dies);
  };
  onKill = () => setImmediate(() => void kill());
  return { world, honest, seen, all, ask };
}

describe('a group', () => {
  it('certifies what an honest quorum signs, in spite of Byzantine and crashed members (sui#26553, aligned_layer#247, icm-services#1326)', async () => {
    let certificates = 0;
    await fc.assert(
      fc.asyncProperty(committees, async (committee) => {
        fc.pre(committee.roles.includes('honest') && isEnough(committee));
        const { world, honest, seen, all, ask } = await certifying(committee);
        ask();
        await until(() => all().every(({ counts }) => counts.stored === 1));
        await closeAll();
        expect(seen.length).toBeGreaterThanOrEqual(honest.length);
        for (const { certificate } of seen)
          expect(verifyCertificate({ registry: world.registry, bytes, certificate, kernel: bls }).ok).toBe(true);
        certificates += seen.length;
      }),
      { numRuns: isWhole ? 25 : 5, endOnFailure: true },
    );
    expect(certificates).toBeGreaterThan(0);
  });

  it('gives no certificate while the weight of honest members is too low, and gives one after another member joins (icm-services#1381)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 6 }).chain(committeesOneShort), async ({ weights, least, last }) => {
        const total = sumOf(weights, [...weights.keys()]);
        const world = worldOf(weights.length, { weights, threshold: share(least, total) });
        const first = await Promise.all([...weights.keys()].filter((one) => one !== last).map(world.join));
        const asked = first[0]!.certify(bytes);
        // At this point all members have received the message, and have answered more than once.
        await until(() => first.every((one) => one.counts.open === 1 && one.totals().messagesSent > first.length));
        expect(first.map(({ counts }) => counts.stored)).toEqual(first.map(() => 0));
        await world.join(last);
        const verdict = verifyCertificate({ registry: world.registry, ...(await asked), bytes, kernel: bls });
        expect(verdict).toEqual({ ok: true, signers: weights.length, weight: total, total });
        await closeAll();
      }),
      { numRuns: isWhole ? 10 : 3, endOnFailure: true },
    );
  });

  it('refuses a key and its negative, whose signatures add up to the identity (firedancer#11397)', async () => {
    const { registry, join, keys } = worldOf(3);
    Object.assign(registry.entries[2]!, { publicKey: bls.publicKey(negativeOf(keys[0]!.secretKey)) });
    await expect(join(1)).rejects.toThrow('registry entry 2: publicKey is that of entry 0 or its negative');
  });
});

describe('a verifier', () => {
  const world = worldOf(9);
  const encoded = (registry: CertificateRegistry, signers: readonly number[], claimed = signers): Uint8Array =>
    certificateBy({ registry, bytes, keys: world.keys, signers, claimed });
  const registryOf = (weights: readonly bigint[], threshold: Share): CertificateRegistry => ({
    entries: weights.map((weight, index) => ({ ...world.registry.entries[index]!, weight })),
    threshold,
  });
  const verdictOf = (registry: CertificateRegistry, certificate: Uint8Array) =>
    verifyCertificate({ registry, bytes, certificate, kernel: bls });
  const signed = fc.integer({ min: 1, max: 9 }).chain((size) =>
    fc.record({
      weights: weightsOf(size),
      signers: fc.uniqueArray(fc.nat({ max: size - 1 }), { minLength: 1 }),
      claimed: fc.uniqueArray(fc.nat({ max: size - 1 }), { minLength: 1 }),
      threshold: shares,
    }),
  );

  it('accepts exactly the certificates with sufficient weight, and none with signers other than those stated', () => {
    fc.assert(
      fc.property(signed, ({ weights, signers, claimed, threshold }) => {
        const registry = registryOf(weights, threshold);
        const total = sumOf(weights, [...weights.keys()]);
        const heavy = (members: readonly number[]): boolean =>
          sumOf(weights, members) * threshold.denominator >= threshold.numerator * total;
        expect(verdictOf(registry, encoded(registry, signers)).ok).toBe(heavy(signers));
        const isSame = new Set([...signers, ...claimed]).size === signers.length && claimed.length === signers.length;
        const verdict = verdictOf(registry, encoded(registry, signers, claimed));
        expect(verdict.ok).toBe(isSame && heavy(claimed));
        if (!verdict.ok) expect(verdict.code).toBe(heavy(claimed) ? 'invalid-signature' : 'under-weight');
      }),
      { numRuns: isWhole ? 100 : 20 },
    );
  });

  it.each([2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n])(
    'accepts exactly 67 of 100 of %s, and refuses 66 (icm-services#729)',
    (total) => {
      const least = minWeight(total, 67n, 100n);
      for (const weight of [least, least - 1n]) {
        const registry = registryOf([weight - 1n, 1n, total - weight], share(67n, 100n));
        expect(verdictOf(registry, encoded(registry, [0, 1]))).toMatchObject({ ok: weight === least });
      }
    },
  );

  it('refuses a certificate of another registry with this reason, not with an invalid signature (icm-services#1382)', () => {
    const changes = fc.constantFrom('joined', 'left', 'gained', 'moved', 'epoch' as const);
    fc.assert(
      fc.property(signed, changes, fc.nat(), ({ weights, threshold }, change, place) => {
        const former = registryOf(weights, threshold);
        const at = place % weights.length;
        const { entries } = former;
        const another = { ...worldOf(1, { seed: 2 }).registry.entries[0]!, weight: 1n };
        const heavier = { ...entries[at]!, weight: entries[at]!.weight! + 1n };
        const next: CertificateRegistry = {
          joined: { ...former, entries: [...entries, another] },
          left: { ...former, entries: entries.toSpliced(at, 1) },
          gained: { ...former, entries: entries.with(at, heavier) },
          moved: { ...former, entries: [...entries.slice(1), entries[0]!] },
          epoch: { ...former, epoch: 1n },
        }[change]!;
        fc.pre(next.entries.length > 0 && !(change === 'moved' && weights.length === 1));
        const code = change === 'epoch' ? 'wrong-epoch' : 'wrong-registry';
        expect(verdictOf(next, encoded(former, [...weights.keys()]))).toEqual({ ok: false, code });
      }),
      { numRuns: isWhole ? 100 : 15 },
    );
  });

  it('refuses a registry whose keys have no verified proof of possession (monorepo#2873)', () => {
    const entries = [0, 1, 2].map(listedEntry);
    expect(verifiedRegistry(formatRegistry(entries), bls).entries).toHaveLength(3);
    const rogue = entries.map((entry, index) => {
      const { proofOfPossession } = entries[(index + 1) % 3]!;
      return { ...entry, proofOfPossession };
    });
    const refusal = 'registry entry 0: proofOfPossession is not valid';
    expect(() => verifiedRegistry(formatRegistry(rogue), bls)).toThrow(refusal);
  });
});
