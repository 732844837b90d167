import { formatRegistry, parseRegistry } from '@tutti/certificates';
import { RandomStream } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { Channel, MemoryNetwork, networkKey, splitMessage } from '@tutti/transports';
import { monotonicClock, monotonicNs, nodeCrypto } from '@tutti/transports/node';
import { insecureSeed } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../../../packages/transports/test/compliance.ts';
import { sampled } from '../../../../tests/sampled.ts';
import { anonymousPackets, hostileRegistrations } from '../../tests/hostileRegistrations.ts';
import { anonymousEntry, setupOf } from '../../tests/setup.ts';
import { linkable, type RingScheme, traceable } from '../ring.ts';
import { defaultSetupConfig, SetupMessage } from '../setup.ts';
import { anonymousRegistry, SetupRuntime, type SetupRuntimeOptions } from './setupRuntime.ts';

const memberCount = 4;
const runtimes: SetupRuntime[] = [];
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
});

interface Opened {
  readonly members?: number;
  readonly scheme?: RingScheme;
  /** Members that are created without a runtime. */
  readonly hostile?: readonly number[];
}

/** Creates members on an in-memory network. They share verification, so that each registration is verified once. */
function opened({ members: count = memberCount, scheme, hostile = [] }: Opened = {}) {
  const network = new MemoryNetwork();
  const setup = setupOf(count, scheme);
  const registrations = setup.registrations();
  const inboxes = Array.from({ length: count }, () => network.open());
  const session = new Uint8Array(32).fill(5);
  const members = inboxes.map(({ local }, i) => ({
    networkKey: networkKey(nodeCrypto, insecureSeed('network', 1, i)).publicKey,
    endpoint: local,
  }));
  const optionsOf = (index: number, own: readonly Uint8Array[]): SetupRuntimeOptions => ({
    ...{ crypto: nodeCrypto, index, members, session, registrations, own },
    networkSecret: insecureSeed('network', 1, index),
    inbox: inboxes[index]!,
    hidden: network.open(),
    clock: monotonicClock(monotonicNs()),
    config: { ...defaultSetupConfig, periodMs: 5, contacts: 2, maxAnonymous: 256 },
  });
  const runtimeOf = (index: number, own: readonly Uint8Array[]) =>
    runtimes.push(new SetupRuntime(optionsOf(index, own)));
  for (let index = 0; index < count; index++)
    if (!hostile.includes(index)) runtimeOf(index, [setup.register(index, 1 + index)]);
  return { network, setup, registrations, inboxes, session, members, optionsOf, runtimeOf };
}

const runAll = async () => {
  for (const runtime of runtimes) runtime.start();
  await until(() => runtimes.every((runtime) => runtime.ended));
  return runtimes.map((runtime) => runtime.report());
};

describe('runtimes of a set-up', { timeout: 30_000 }, () => {
  it('end with one registry, in the order of its keys, after verifying each registration', async () => {
    const { registrations } = opened();
    const reports = await runAll();
    const keys = [1, 2, 3, 4].map((fill) => toHex(anonymousEntry(fill).publicKey)).sort();
    for (const report of reports) {
      expect(report.entries.map(({ publicKey }) => toHex(publicKey))).toEqual(keys);
      expect(report).toMatchObject({ doubles: [], agreeing: memberCount });
    }
    expect(registrations.verified).toBe(memberCount);
  });

  it('refuse a list with more names than members can have', async () => {
    const { inboxes, members, session } = opened({ hostile: [3] });
    const channel = new Channel({
      ...{ crypto: nodeCrypto, session, self: 3, secret: insecureSeed('network', 1, 3) },
      publicKeys: members.map(({ networkKey }) => networkKey),
      maxPacketBytes: inboxes[3]!.maxPacketBytes,
    });
    const tell = (names: number) => {
      const list = Uint8Array.from({ length: 2 + 16 * names }, (_, i) =>
        i === 0 ? SetupMessage.list : i === 1 ? 1 : (i - 2) >> 4,
      );
      for (const piece of splitMessage(list, channel.maxPayloadBytes, channel.nextNumber(0)))
        inboxes[3]!.send(inboxes[0]!.local, channel.seal(0, piece));
    };
    tell(2 * memberCount);
    tell(2 * memberCount + 1);
    await until(() => inboxes[0]!.counters.packetsReceived === 2);
    expect(runtimes[0]!.report().refused).toEqual({ 'bad-list': 1 });
  });

  it('send nothing after close', async () => {
    opened();
    const [open, closed] = runtimes;
    await closed!.close();
    for (const runtime of [open!, closed!]) runtime.start();
    expect(open!.report().messagesSent).toBeGreaterThan(0);
    expect(closed!.report().messagesSent).toBe(0);
  });

  it.each(['timer', 'verification'])('report a failure of a %s', async (part) => {
    const { setup, registrations, optionsOf } = opened({ hostile: [0] });
    const broken = new Error('broken');
    let isClockBroken = false;
    if (part === 'verification') vi.spyOn(registrations, 'verify').mockRejectedValue(broken);
    const nowUs = () => {
      if (isClockBroken) throw broken;
      return 0;
    };
    const failed = new Promise<Error>((onFailure) => {
      const options = optionsOf(0, [setup.register(0, 1)]);
      const config = { ...options.config, contacts: memberCount };
      const runtime = new SetupRuntime({ ...options, config, clock: { nowUs }, onFailure });
      runtimes.push(runtime);
      runtime.start();
      isClockBroken = part === 'timer';
    });
    expect(await failed).toBe(broken);
  });

  it('refuse invalid options in one line', () => {
    const { setup, optionsOf } = opened({ hostile: [0] });
    const whole = optionsOf(0, [setup.register(0, 1)]);
    for (const [wrong, error] of [
      [{ own: [Uint8Array.of(9)] }, new RangeError('own: expected registrations, got one that is truncated')],
      [{ own: 5 }, new TypeError('own: expected an array, got 5')],
      [{ inbox: {} }, new TypeError('inbox.onPacket: expected a function, got undefined')],
      [{ hidden: {} }, new TypeError('hidden.send: expected a function, got undefined')],
      [{ clock: {} }, new TypeError('clock.nowUs: expected a function, got undefined')],
      [{ registrations: {} }, new TypeError('registrations.decode: expected a function, got undefined')],
      [{ members: 5 }, new TypeError('members: expected an array, got 5')],
      [{ members: [{}] }, new TypeError('members[0].networkKey: expected a Uint8Array, got undefined')],
      [{ index: 4 }, new RangeError('self: expected an integer from 0 to 3, got 4')],
      [{ index: -1 }, new RangeError('self: expected an integer from 0 to 3, got -1')],
      [{ session: 5 }, new TypeError('session: expected a Uint8Array, got 5')],
      [{ networkSecret: 5 }, new TypeError('secret: expected a Uint8Array, got 5')],
      [{ crypto: {} }, new TypeError('crypto.randomBytes: expected a function, got undefined')],
      [{ config: {} }, new RangeError('periodMs: expected a number from 1 to 3600000, got undefined')],
    ] as const)
      expect(() => new SetupRuntime({ ...whole, ...wrong } as never)).toThrow(error);
  });

  it('count packets of other sessions, and continue', async () => {
    const { network, inboxes, session } = opened();
    const stranger = network.open();
    const anonymous = (...bytes: number[]) => Uint8Array.from([0xa1, ...session.subarray(0, 4), ...bytes]);
    for (const packet of [
      Uint8Array.of(0xa1, 1, 2, 3, 4, 0),
      anonymous(),
      anonymous(0, 1, 0, 77),
      anonymous(0, 3, 0, 77),
      anonymous(0, 3, 0),
      anonymous(0, 9, 0, 1),
      Uint8Array.of(2),
    ])
      stranger.send(inboxes[0]!.local, packet);
    await until(() => inboxes[0]!.counters.packetsReceived === 7);
    const [first] = await runAll();
    expect(first!.refused).toEqual({
      ...{ 'wrong-session': 1, 'unknown-framing': 1, truncated: 2, 'bad-list': 1, 'too-short': 1 },
      'sender-out-of-range': 1,
    });
    expect(first!.entries.length).toBe(memberCount);
  });
});

it('the anonymous registry omits all members that share a key, in any encoding, and none that share an address', () => {
  const [a, b, c] = [anonymousEntry(1), anonymousEntry(2), anonymousEntry(3)];
  const twin = { ...b, networkKey: a.networkKey.with(31, a.networkKey[31]! | 0x80) };
  expect(anonymousRegistry([a, b, c, { ...a, networkKey: c.networkKey }])).toEqual([b]);
  expect(anonymousRegistry([a, twin, c])).toEqual([c]);
  const neighbour = { ...b, endpoint: a.endpoint };
  expect(anonymousRegistry([a, neighbour]).length).toBe(2);
  expect(anonymousRegistry([b, a])).toEqual(anonymousRegistry([a, b]));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean(), fc.nat(1))), (drawn) => {
      const all = drawn.map(([key, networkKey, isMarked, port]) => {
        const other = [a, b, c, neighbour][networkKey]!.networkKey;
        return {
          ...[a, b, c, neighbour][key]!,
          networkKey: isMarked ? other.with(31, other[31]! | 0x80) : other,
          endpoint: { host: '127.0.0.1', port: 1 + port },
        };
      });
      const registry = anonymousRegistry(all);
      expect(anonymousRegistry([...all].reverse())).toEqual(registry);
      // Every reader of registries accepts the resulting registry.
      if (registry.length > 0) expect(parseRegistry(formatRegistry(registry)).length).toBe(registry.length);
    }),
  );
});

describe('a set-up with hostile members', { timeout: 120_000 }, () => {
  it.each(sampled([1, 2, 3, 4, 5, 6, 7, 8], 2))(
    'ends with one valid registry with all honest keys: %i',
    async (seed) => {
      const random = new RandomStream(seed, 'hostile registrations');
      const draw = (bound: number) => random.nextBelow(bound);
      const hostile = [3, 4].slice(0, 1 + draw(2));
      const members = 3 + hostile.length;
      const scheme = seed % 2 === 0 ? linkable : traceable;
      const { network, setup, registrations, inboxes, session, runtimeOf } = opened({
        members,
        scheme,
        hostile,
      });
      const honest = [0, 1, 2].map((index) => anonymousEntry(1 + index));
      const made = hostileRegistrations(setup, hostile, honest, draw);
      const stranger = network.open();
      let sent = 0;
      // All registrations by hostile members arrive before any member can end.
      for (const { own, others } of made)
        for (const bytes of [own, ...others])
          for (const inbox of inboxes.slice(0, 3)) {
            if (draw(3) === 0) continue;
            for (const packet of anonymousPackets(session, bytes, stranger.maxPacketBytes)) {
              stranger.send(inbox.local, packet);
              sent++;
            }
          }
      const received = () => inboxes.reduce((sum, { counters }) => sum + counters.packetsReceived, 0);
      await until(() => received() === sent);
      for (const [i, member] of hostile.entries()) runtimeOf(member, [made[i]!.own]);
      // Hostile members first send their registrations, and then follow the protocol.
      const reports = await runAll();
      const keys = new Set(reports.map(({ entries }) => entries.map(({ publicKey }) => toHex(publicKey)).join()));
      expect(keys.size).toBe(1);
      const { entries } = reports[0]!;
      expect(parseRegistry(formatRegistry(entries))).toEqual(entries);
      for (const { publicKey } of honest)
        expect(entries.map((entry) => toHex(entry.publicKey))).toContain(toHex(publicKey));
      if (made.every(({ isExcluded }) => isExcluded)) expect(entries.length).toBe(honest.length);
      // At most three registrations per hostile author, for each of the members that share the verifications.
      expect(registrations.verified).toBeLessThanOrEqual(3 + 3 * 3 * members);
    },
  );
});
