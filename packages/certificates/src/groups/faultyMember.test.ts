/** Attacks by one member of a group on the other members, outside the rounds. */
import { expect, it, vi } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import {
  bls,
  bytesOf,
  certificateBy,
  type Given,
  kernelWith,
  lyingKernel,
  runInVirtualTime,
  share,
  until,
  worldOf,
} from '../../test/certifyingWorld.ts';
import { verifyCertificate } from '../verification/certificate.ts';
import { maxStatementBytes } from './announcer.ts';
import { AnnouncedKind } from './ask.ts';

runInVirtualTime();

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Creates a kernel that records the certificates that it verifies. */
function counting() {
  const kernel = kernelWith({});
  return { kernel, verified: vi.spyOn(kernel, 'fastAggregateVerify') };
}

/** Creates a world in which some members have joined, by default the first one, and member 3 is faulty. */
async function attacked(given: Given = {}, joined: readonly number[] = [0]) {
  const world = worldOf(4, given);
  const members = await Promise.all(joined.map(world.join));
  return { world, members, victim: members[0]!, faulty: world.faulty(3) };
}

/** Returns a forged certificate in which all bits are set and the signature is by one key on another message. */
function forgedOf({ registry, keys }: ReturnType<typeof worldOf>, bytes: Uint8Array): Uint8Array {
  return certificateBy({ registry, bytes, keys, kernel: lyingKernel, signers: [3], claimed: [...keys.keys()] });
}

it('300 forged certificates are counted, cost one verification and cause the ban of their sender', async () => {
  const { kernel, verified } = counting();
  const { world, victim, faulty } = await attacked({ of: () => ({ kernel }) });
  const bytes = bytesOf('block 17');
  void victim.certify(bytes).catch(() => {});
  await until(() => victim.counts.open === 1);
  for (let time = 0; time < 300; time++) faulty.certificate(0, forgedOf(world, bytes));
  await until(() => (victim.totals().refused.blacklisted ?? 0) === 299);
  expect(verified).toHaveBeenCalledOnce();
  expect(victim.members().map(({ invalid }) => invalid)).toEqual([0, 0, 0, 1]);
  expect(victim.totals().refused).toMatchObject({ 'invalid-certificate': 1 });
});

it('a ban ends after some rounds, and another forged certificate causes a longer ban', async () => {
  const { kernel, verified } = counting();
  const { world, members, faulty } = await attacked({ of: () => ({ kernel }) }, [0, 1, 2]);
  for (let number = 0; number < 14; number++) {
    const bytes = bytesOf(`block ${number}`);
    const asked = members[0]!.certify(bytes);
    for (let time = 0; time < 5; time++) faulty.certificate(0, forgedOf(world, bytes));
    await asked;
    await turns(5);
  }
  // The faulty member is banned in rounds 0, 2 or 3, and 6 to 8, for 2, 4 and 8 rounds.
  expect(members[0]!.members()[3]!.invalid).toBeLessThanOrEqual(4);
  expect(verified.mock.calls.length).toBeLessThanOrEqual(4 + 14);
});

it('bytes that are not a certificate ban their sender, and a certificate of an unknown message does not', async () => {
  const { world, victim, faulty } = await attacked();
  faulty.certificate(0, forgedOf(world, bytesOf('never heard of')));
  await turns(5);
  expect(victim.members()[3]!.invalid).toBe(0);
  faulty.certificate(0, Uint8Array.of(1, 2, 3));
  await until(() => victim.members()[3]!.invalid === 1);
});

it('a forged certificate of a height bans its sender, and a certificate of a height other than that of the round does not', async () => {
  const { world, victim, faulty } = await attacked();
  const bytes = bytesOf('block 17');
  void victim.certify(bytes, { height: 9n }).catch(() => {});
  await until(() => victim.counts.open === 1);
  for (const height of [undefined, 8n]) faulty.certificate(0, forgedOf(world, bytes), height);
  await turns(5);
  expect([victim.members()[3]!.invalid, victim.totals().refused['invalid-certificate']]).toEqual([0, undefined]);
  faulty.certificate(0, forgedOf(world, bytes), 9n);
  await until(() => victim.members()[3]!.invalid === 1);
  faulty.certificate(0, forgedOf(world, bytes), 9n);
  await until(() => victim.totals().refused.blacklisted === 1);
  expect(victim.totals().refused['invalid-certificate']).toBe(1);
});

it('a certificate that is shorter than its height bans its sender; such a message and an unknown kind are counted', async () => {
  const { victim: member, faulty } = await attacked();
  faulty.announcer.announce(0, AnnouncedKind.messageOfHeight, new Uint8Array(7));
  for (const kind of [0, 5]) faulty.announcer.announce(0, kind, new Uint8Array(9));
  await until(() => member.totals().refused['malformed-request'] === 3);
  expect(member.members()[3]!.invalid).toBe(0);
  faulty.announcer.announce(0, AnnouncedKind.certificateOfHeight, new Uint8Array(7));
  await until(() => member.members()[3]!.invalid === 1);
});

it('a message one byte over the limit counts as a malformed request, with or without a height', async () => {
  const { victim, faulty } = await attacked({ of: () => ({ approve: () => false }) });
  const longest = new Uint8Array(maxStatementBytes);
  for (const [place, height] of [undefined, 9n].entries()) {
    faulty.announce(0, longest, faulty.ask(longest, place, 3, height));
    await until(() => victim.totals().refused['not-approved'] === place + 1);
  }
  const longer = new Uint8Array(maxStatementBytes + 1);
  faulty.announce(0, longer, faulty.ask(longer, 5));
  await until(() => victim.totals().refused['malformed-request'] === 1);
});

it('a request of a height is forwarded with its height, and a changed height bans the member that forwards it', async () => {
  const asked: string[] = [];
  const of = (index: number) => ({
    approve: (bytes: Uint8Array, from: number, height?: bigint) =>
      asked.push(`${index} asked by ${from}: ${new TextDecoder().decode(bytes)} of ${height}`) > 0,
  });
  const { world, members, faulty: origin } = await attacked({ of }, [0, 1]);
  const faulty = world.faulty(2);
  const bytes = bytesOf('block');
  const request = origin.ask(bytes, 5, 3, 9n);
  for (const height of [undefined, 8n]) faulty.announce(1, bytes, { ...request, height });
  await until(() => members[1]!.members()[2]!.invalid === 1);
  origin.announce(0, bytes, request);
  await until(() => members[1]!.counts.open === 1);
  expect(asked).toEqual(['0 asked by 3: block of 9', '1 asked by 3: block of 9']);
  expect(members.map((one) => one.members()[3]!.invalid)).toEqual([0, 0]);
});

it("a request in another member's name bans its sender and is not passed to approve", async () => {
  const asked: string[] = [];
  const approve = (bytes: Uint8Array, from: number) => asked.push(`${from} ${new TextDecoder().decode(bytes)}`) > 0;
  const { victim, faulty } = await attacked({ of: () => ({ approve }) });
  const bytes = bytesOf('in the name of 1');
  for (let time = 0; time < 50; time++) faulty.announce(0, bytes, faulty.ask(bytes, time, 1));
  await until(() => (victim.totals().refused.blacklisted ?? 0) === 49);
  expect([asked, victim.members()[3]!.invalid, victim.members()[1]!.invalid]).toEqual([[], 1, 0]);
  expect(victim.totals().refused['forged-request']).toBe(1);
});

it('a request with an invalid signature of its origin is not forwarded, and bans only its origin', async () => {
  const { members, faulty } = await attacked({}, [0, 1]);
  const bytes = bytesOf('told to one');
  faulty.announce(0, bytes, { ...faulty.ask(bytes, 5), sequence: 6 });
  await until(() => members[0]!.members()[3]!.invalid === 1);
  await turns(2000);
  expect(members[1]!.counts).toMatchObject({ open: 0, waiting: 0 });
  for (const one of members) expect(one.members()[0]!.invalid + one.members()[1]!.invalid).toBe(0);
});

it('pending approvals of one member are limited, and a valid message is approved at the same time', async () => {
  let pending = 0;
  let most = 0;
  const approve = (_: Uint8Array, from: number) => {
    if (from !== 3) return true;
    most = Math.max(most, ++pending);
    return new Promise<boolean>(() => {});
  };
  const { members, faulty } = await attacked({ of: () => ({ approve }) }, [0, 1, 2]);
  for (let number = 0; number < 300; number++) {
    const bytes = new Uint8Array(1000);
    new DataView(bytes.buffer).setUint32(0, number);
    faulty.announce(0, bytes, faulty.ask(bytes, number));
  }
  await until(() => members[0]!.totals().refused['too-many-of-one'] === 284);
  expect(most).toBe(16);
  expect((await members[1]!.certify(bytesOf('honest'))).signers).toBeGreaterThanOrEqual(3);
  await until(() => members[0]!.counts.stored === 1);
});

it('a refused message is not passed to approve again, after any number of other messages', async () => {
  const asked: string[] = [];
  const approve = (bytes: Uint8Array) => asked.push(new TextDecoder().decode(bytes)) < 0;
  const { world, victim, faulty } = await attacked({ of: () => ({ approve, maxWaiting: 16, maxOpen: 2 }) });
  const honest = world.faulty(1);
  const first = bytesOf('honest');
  const request = honest.ask(first, 5);
  const flood = Array.from({ length: 60 }, (_, number) => {
    const bytes = bytesOf(`flood ${number}`);
    return { bytes, ask: faulty.ask(bytes, number) };
  });
  honest.announce(0, first, request);
  await until(() => asked.length === 1);
  for (let round = 0; round < 2; round++)
    for (const { bytes, ask } of flood) {
      faulty.announce(0, bytes, ask);
      await turns(2);
    }
  honest.announce(0, first, request);
  await turns(20);
  expect([asked.length, new Set(asked).size]).toEqual([61, 61]);
  expect(victim.totals().refused['not-approved']).toBe(61);
});

it.runIf(isWhole)('a flood that members forward does not prevent the certificate of a valid message', async () => {
  const [honest, liars] = [5, 2];
  const world = worldOf(honest + liars, { of: () => ({ maxOpen: 4, maxWaiting: 4 * (honest + liars) }) });
  const members = await Promise.all(Array.from({ length: honest }, (_, index) => world.join(index)));
  const faulty = Array.from({ length: liars }, (_, index) => world.faulty(honest + index));
  let number = 0;
  let isOver = false;
  const flooding = (async () => {
    while (!isOver) {
      for (const one of faulty)
        for (const to of members.keys()) {
          const bytes = bytesOf(`flood ${number++}`);
          one.announce(to, bytes, one.ask(bytes, number));
        }
      await turns(30);
    }
  })();
  await turns(1000);
  const sinceMs = performance.now();
  for (const index of [0, honest - 1]) await members[index]!.certify(bytesOf(`honest ${index}`));
  isOver = true;
  await flooding;
  // In virtual time, turns take 2 s, and in each turn every member has one message among the first.
  expect(performance.now() - sinceMs).toBeLessThan(2 * 5000);
  expect(number).toBeGreaterThan(100);
});

it.runIf(isWhole)('heights for which a member requested two messages do not prevent later certificates', async () => {
  const heightOf = (bytes: Uint8Array) => BigInt(new TextDecoder().decode(bytes).split(':')[1]!);
  const honest = 6;
  const world = worldOf(honest + 1, { of: () => ({ heightOf, giveUpMs: 5000 }) });
  const members = await Promise.all(Array.from({ length: honest }, (_, index) => world.join(index)));
  const faulty = world.faulty(honest);
  for (let height = 0; height < 16; height++)
    for (const to of members.keys()) {
      const bytes = bytesOf(`h:${height}:${to < honest / 2 ? 'A' : 'B'}`);
      faulty.announce(to, bytes, faulty.ask(bytes, 2 * height + (to < honest / 2 ? 0 : 1)));
    }
  await until(() => members.every(({ counts }) => counts.open > 0));
  for (let height = 100; height < 102; height++) {
    const sinceMs = performance.now();
    await members[height % honest]!.certify(bytesOf(`h:${height}`));
    expect(performance.now() - sinceMs).toBeLessThan(3000);
  }
  await until(() => members.every((one) => one.counts.waiting === 0 && one.totals().gaveUp > 0));
  await until(() => members.every(({ counts }) => counts.open <= counts.stored));
});

it('certificates of earlier rounds are verified when a member joins, and invalid ones are excluded', async () => {
  const { world, members } = await attacked({}, [0, 1, 2]);
  const certified = await members[0]!.certify(bytesOf('stored'));
  const forged = { bytes: bytesOf('block 18'), certificate: forgedOf(world, bytesOf('block 18')) };
  const again = worldOf(4, { of: () => ({ stored: [certified, forged] }) });
  const member = await again.join(0);
  expect(member.counts.stored).toBe(1);
  expect(member.certificate(certified.name)?.certificate).toEqual(certified.certificate);
  const verdict = verifyCertificate({ registry: again.registry, ...forged, kernel: bls });
  expect(verdict).toMatchObject({ ok: false, code: 'invalid-signature' });
});

it('a member that restarted more often than the 16 incarnations of a channel is accepted by a member that did not restart', async () => {
  const restarts = isWhole ? 30 : 18;
  const world = worldOf(3, { threshold: share(1n, 1n) });
  const members = await Promise.all([0, 1].map((index) => world.join(index)));
  for (let restart = 0; restart < restarts; restart++) {
    const one = await world.join(2);
    void one.certify(bytesOf(`restart ${restart}`)).catch(() => {});
    await until(() => members.every(({ counts }) => counts.stored === restart + 1));
    await one.close();
  }
  for (const one of members) expect(one.totals().refused['too-many-incarnations'] ?? 0).toBe(0);
});

it('an abandoned request is not admitted again when other members forward it, and a new request is admitted', async () => {
  const { members, faulty } = await attacked({ of: () => ({ giveUpMs: 1000 }), threshold: share(1n, 1n) }, [0, 1]);
  const bytes = bytesOf('never certified');
  const ask = faulty.ask(bytes, 5);
  faulty.announce(0, bytes, ask);
  await until(() => members.every((one) => one.totals().gaveUp === 1));
  for (let time = 0; time < 20; time++) {
    faulty.announce(0, bytes, ask);
    await turns(50);
  }
  expect(members.map(({ counts }) => counts.open)).toEqual([0, 0]);
  expect(members.map((one) => one.totals().gaveUp)).toEqual([1, 1]);
  faulty.announce(0, bytes, faulty.ask(bytes, 6));
  await until(() => members[0]!.counts.open === 1);
});
