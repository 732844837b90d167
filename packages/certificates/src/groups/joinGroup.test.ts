import { identityStatement } from '@tutti/core';
import type { Transport } from '@tutti/transports';
import { openUdp } from '@tutti/transports/node';
import { insecureSecretKey } from '@tutti/wasm-bls';
import { describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../../../tests/freePorts.ts';
import { isWhole } from '../../../../tests/sampled.ts';
import {
  bls,
  bytesOf,
  kernelWith,
  lyingKernel,
  runInVirtualTime,
  share,
  until,
  worldOf,
} from '../../test/certifyingWorld.ts';
import { memorySignedLog, type SignedStatement } from '../log/signedLog.ts';
import { messageHash, verifyCertificate } from '../verification/certificate.ts';
import { joinGroup } from './joinGroup.ts';

runInVirtualTime();

it.each([
  ...['maxOpen', 'maxWaiting', 'maxStored'].flatMap((name) =>
    [0, Number.NaN, 1.5].map(
      (value) => [name, value, `expected an integer from 1 to 4294967295, got ${value}`] as const,
    ),
  ),
  ['giveUpMs', 0, 'expected a number from 1 to 4294967295, got 0'],
  ['beacon', 'ab', 'expected a Uint8Array, got a text of 2 characters'],
  ...[0, 31].map((length) => {
    const key = { secretKey: insecureSecretKey(bls, 1, 0), networkSecret: new Uint8Array(length) };
    return ['key', key, `secret: expected 32 bytes, got ${length}`] as const;
  }),
  [
    'key',
    { secretKey: insecureSecretKey(bls, 1, 0), networkSecret: new Uint8Array(32) },
    "key.networkSecret: expected the secret of this member's networkKey, got that of 2fe57da347cd",
  ],
  ['signedLog', { close() {} }, 'signedLog.record: expected a function, got undefined'],
] as const)('a group refuses the option %s of %s', async (name, value, message) => {
  await expect(worldOf(1, { of: () => ({ [name]: value }) }).join(0)).rejects.toThrow(message);
});

it('a group that closes ends its log although its transport cannot be closed, and certifies nothing afterwards', async () => {
  const signedLog = { record() {}, close: vi.fn() };
  const through = (transport: Transport) => {
    vi.spyOn(transport, 'close').mockRejectedValueOnce(new Error('EIO'));
    return transport;
  };
  const group = await worldOf(1, { of: () => ({ signedLog }), through }).join(0);
  await group.certify(bytesOf('a'), { height: 1n });
  await expect(group.close()).rejects.toThrow('EIO');
  expect(signedLog.close).toHaveBeenCalledOnce();
  await expect(group.certify(bytesOf('a'), { height: 1n })).rejects.toMatchObject({ code: 'group-closed' });
});

it('a group that fails to join releases the address that it opened', async () => {
  const { keys, registry } = worldOf(2);
  const [port] = await freePorts(1);
  const [first] = registry.entries;
  const endpoint = { host: '127.0.0.1', port: port! };
  const twice = { entries: [first!, first!].map((entry) => ({ ...entry, endpoint })) };
  const joining = joinGroup({ registry: twice, key: keys[0]!, kernel: bls, transport: 'udp' });
  await expect(joining).rejects.toMatchObject({ code: 'registry-duplicate' });
  await (await openUdp(endpoint)).close();
});

describe('a group that certifies messages', () => {
  it('signs one message per height, whichever member requests it', async () => {
    const log = memorySignedLog();
    const heightOf = (bytes: Uint8Array) => BigInt(bytes[0]!);
    const of = (index: number) => ({ heightOf, ...(index === 0 && { signedLog: log }) });
    const [first, second] = await worldOf(3, { of }).all();
    await first!.certify(Uint8Array.of(7, 1));
    await expect(first!.certify(Uint8Array.of(7, 2))).rejects.toThrow('height 7');
    second!.certify(Uint8Array.of(9, 1)).catch(() => {});
    await until(() => first!.counts.open >= 2);
    await expect(first!.certify(Uint8Array.of(9, 2))).rejects.toMatchObject({ code: 'already-signed' });
  });

  it("never records a member's own statement of an identity, whichever member requests it", async () => {
    const recorded: Uint8Array[] = [];
    const signedLog = { record: ({ message }: SignedStatement) => void recorded.push(message), close() {} };
    const { all, registry } = worldOf(3, { of: () => ({ signedLog }) });
    const [first] = await all();
    const [{ publicKey, networkKey }] = registry.entries as [(typeof registry.entries)[0]];
    const statement = identityStatement(publicKey, networkKey);
    await expect(first!.certify(statement)).rejects.toMatchObject({ code: 'reserved-message' });
    await first!.certify(bytesOf('another'));
    expect(recorded.map(String)).not.toContain(String(messageHash(statement)));
    expect(recorded.map(String)).toContain(String(messageHash(bytesOf('another'))));
  });

  it('closes the protocol of a round without new signers, and still sends the result to late members', async () => {
    const world = worldOf(5, { of: (index) => (index === 3 ? { approve: () => false } : {}) });
    const members = await Promise.all([0, 1, 2, 3].map((index) => world.join(index)));
    const fifth = await world.join(4);
    await members[0]!.certify(bytesOf('never complete'));
    await until(() => fifth.counts.stored === 1);
    await fifth.close();
    // Each of three members has a timer for announcements, and one for periods if it runs the protocol.
    await until(() => vi.getTimerCount() === 3);
    expect(members.map(({ counts }) => counts.open)).toEqual([1, 1, 1, 0]);
    const heard = await world.join(4);
    await until(() => heard.counts.stored === 1);
    expect((await members[3]!.certify(bytesOf('never complete'))).signers).toBe(4);
  });

  it('records a waiting message of another member as soon as its own program requests it', async () => {
    const recorded: string[] = [];
    const signedLog = { record: ({ message }: SignedStatement) => void recorded.push(String(message)), close() {} };
    const of = (index: number) => (index === 0 ? { signedLog, maxOpen: 1 } : { approve: () => false });
    const { join } = worldOf(3, { of });
    const [first, second] = [await join(0), await join(1)];
    first.certify(bytesOf('open')).catch(() => {});
    second.certify(bytesOf('waiting')).catch(() => {});
    await until(() => first.counts.waiting === 1);
    first.certify(bytesOf('waiting')).catch(() => {});
    expect(recorded).toEqual([bytesOf('open'), bytesOf('waiting')].map((bytes) => String(messageHash(bytes))));
  });

  it('limits its open messages, and certifies waiting messages in order', async () => {
    const members = await worldOf(3, { of: () => ({ maxOpen: 2, maxStored: 4 }) }).all();
    const names = await Promise.all(
      Array.from({ length: 9 }, async (_, number) => {
        const { name } = await members[number % 3]!.certify(Uint8Array.of(1, number));
        for (const { counts } of members) expect(counts.open).toBeLessThanOrEqual(2);
        return name;
      }),
    );
    expect(new Set(names).size).toBe(9);
    for (const { counts } of members) expect([counts.stored <= 4, counts.waiting]).toEqual([true, 0]);
  });

  it.runIf(isWhole)('with more requests than places, begins the same messages everywhere, and few twice', async () => {
    const members = await worldOf(6, { of: () => ({ maxOpen: 2 }) }).all();
    const asked: Promise<unknown>[] = [];
    for (let number = 0; number < 20; number++) {
      asked.push(members[number % 6]!.certify(Uint8Array.of(2, number)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(asked);
    await until(() => members.every(({ counts }) => counts.stored === 20));
    const started = members.map((one) => one.totals().roundsStarted).reduce((sum, one) => sum + one, 0);
    expect(started).toBeLessThan(1.25 * 6 * 20);
    for (const { counts } of members) expect(counts.waiting).toBe(0);
  });

  it('sends the certificate to a member whose round is still open after the others have finished', async () => {
    let isCutOff = false;
    const world = worldOf(4, {
      of: () => ({ maxOpen: 1 }),
      through: (transport, index) => {
        const [send, onPacket] = [transport.send.bind(transport), transport.onPacket.bind(transport)];
        const changes: Partial<Transport> = {
          onPacket: (listener) => onPacket((bytes, from) => (isCutOff ? false : listener(bytes, from))),
          send: (to, bytes) => isCutOff || send(to, bytes),
        };
        return index === 3 ? Object.assign(transport, changes) : transport;
      },
    });
    const members = await world.all();
    const first = members[0]!.certify(bytesOf('a'));
    await until(() => members[3]!.counts.open === 1);
    isCutOff = true;
    await first;
    await members[1]!.certify(bytesOf('b'));
    isCutOff = false;
    const sinceMs = performance.now();
    await until(() => members[3]!.counts.stored === 1);
    // In virtual time, this point is before any member's next announcement.
    expect(performance.now() - sinceMs).toBeLessThan(100);
    expect(members[3]!.totals().roundsReached).toBe(0);
  });

  it('sends a certificate only when its weight exceeds the threshold by the margin', async () => {
    const { registry, join } = worldOf(10, { margin: share(30n, 100n) });
    const first = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(join));
    const waits = first[0]!.certify(bytesOf('a'));
    await until(() => first.every(({ counts }) => counts.open === 1));
    await join(8);
    await join(9);
    const { certificate } = await waits;
    const verdict = verifyCertificate({ registry, bytes: bytesOf('a'), certificate, kernel: bls });
    expect(verdict).toMatchObject({ ok: true, signers: 10 });
  });

  it('reports which messages each member signed and which members sent invalid contributions', async () => {
    const members = await worldOf(5, { of: (index) => (index === 3 ? { kernel: lyingKernel } : {}) }).all();
    for (const words of ['a', 'b', 'c']) await members[0]!.certify(bytesOf(words));
    await until(() => members.some((one) => one.members()[3]!.invalid > 0));
    const records = members[0]!.members();
    expect(records[3]).toMatchObject({ index: 3, weight: 1n, signed: 0, certificates: 3, missedLast: 3 });
    expect(records[0]).toMatchObject({ invalid: 0 });
    for (const one of members) for (const { index, invalid } of one.members()) if (index !== 3) expect(invalid).toBe(0);
  });

  /** Runs a group in which member 2 signs something else than the chosen messages. */
  const withLiesAbout = (lied: (words: string) => boolean, given = {}) => {
    const kernel = kernelWith({
      sign: (key, message) => bls.sign(key, lied(new TextDecoder().decode(message)) ? bytesOf('another') : message),
    });
    return worldOf(5, { ...given, of: (index) => (index === 2 ? { kernel } : {}) });
  };

  it.runIf(isWhole)('verifies the contributions of a repeatedly invalid member less often in each round', async () => {
    const members = await withLiesAbout(() => true).all();
    const messages = 12;
    for (let number = 0; number < messages; number++) await members[0]!.certify(bytesOf(`block ${number}`));
    for (const [index, one] of members.entries())
      if (index !== 2) {
        expect(one.members()[2]!.invalid).toBeLessThanOrEqual(4);
        expect(one.totals().refused.blacklisted).toBeGreaterThan(0);
      }
  });

  it('accepts a banned member if there is no quorum without it', async () => {
    const members = await withLiesAbout((words) => words === 'a', { threshold: share(1n, 1n) }).all();
    void members[0]!.certify(bytesOf('a')).catch(() => {});
    await until(() => members.some((one) => one.members()[2]!.invalid > 0));
    expect(await members[0]!.certify(bytesOf('b'))).toMatchObject({ signers: 5 });
  });
});
