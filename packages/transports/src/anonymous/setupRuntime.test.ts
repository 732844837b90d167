import { defaultSetupConfig } from '@tutti/core/anonymous';
import { insecureSeed } from '@tutti/wasm-bls';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../test/compliance.ts';
import { anonymousEntry, setupOf } from '../../test/setup.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { monotonicClock, monotonicNs } from '../runtime/clock.ts';
import { MemoryNetwork } from '../transport/memory.ts';
import { anonymousRegistry, SetupRuntime } from './setupRuntime.ts';

const memberCount = 4;
const runtimes: SetupRuntime[] = [];
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
});

/** Members in memory, of whom the first `cheats` register twice; together they verify each registration once. */
function opened(cheats = 0) {
  const network = new MemoryNetwork();
  const setup = setupOf(memberCount);
  const registrations = setup.registrations();
  const inboxes = Array.from({ length: memberCount }, () => network.open());
  const session = new Uint8Array(32).fill(5);
  const members = inboxes.map(({ local }, i) => ({
    networkKey: networkKey(nodeCrypto, insecureSeed('network', 1, i)).publicKey,
    endpoint: local,
  }));
  for (const [index, inbox] of inboxes.entries()) {
    const own = [setup.register(index, 1 + index), ...(index < cheats ? [setup.register(index, 11 + index)] : [])];
    runtimes.push(
      new SetupRuntime({
        ...{
          crypto: nodeCrypto,
          index,
          networkSecret: insecureSeed('network', 1, index),
          members,
          session,
          inbox,
          registrations,
          own,
        },
        hidden: network.open(),
        clock: monotonicClock(monotonicNs()),
        config: { ...defaultSetupConfig, periodMs: 5, contacts: 2 },
      }),
    );
  }
  return { network, setup, registrations, inboxes, session };
}

const play = async (those = runtimes) => {
  for (const runtime of runtimes) runtime.start();
  await until(() => those.every((runtime) => runtime.ended));
  return those.map((runtime) => runtime.report());
};

describe('runtimes of a set-up', { timeout: 30_000 }, () => {
  it('end with one registry, in the order of its keys, having verified each registration', async () => {
    const { registrations } = opened();
    const reports = await play();
    const keys = [1, 2, 3, 4].map((fill) => toHex(anonymousEntry(fill).publicKey)).sort();
    for (const report of reports) {
      expect(report.entries.map(({ publicKey }) => toHex(publicKey))).toEqual(keys);
      expect(report).toMatchObject({ doubles: [], agreeing: memberCount, ended: true });
    }
    expect(registrations.verified).toBe(memberCount);
  });

  it('discard both keys of a cheat', async () => {
    opened(1);
    for (const { entries, doubles } of await play(runtimes.slice(1))) {
      expect(entries.map(({ publicKey }) => toHex(publicKey))).toEqual(
        [2, 3, 4].map((fill) => toHex(anonymousEntry(fill).publicKey)).sort(),
      );
      expect(doubles).toEqual([{ author: undefined }]);
    }
  });

  it('count what is none of their packets, and go on', async () => {
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
    const [first] = await play();
    expect(first!.refused).toEqual({
      ...{ 'wrong-session': 1, 'unknown-framing': 1, truncated: 2, 'bad-list': 1, 'too-short': 1 },
      'sender-out-of-range': 1,
    });
    expect(first!.entries.length).toBe(memberCount);
  });
});

it('the anonymous registry has each BLS key and each network key once', () => {
  const [a, b] = [anonymousEntry(1), anonymousEntry(2)];
  const twin = { ...b, networkKey: a.networkKey };
  expect(anonymousRegistry([a, b, a]).length).toBe(2);
  expect(anonymousRegistry([a, twin]).length).toBe(1);
  expect(anonymousRegistry([b, a])).toEqual(anonymousRegistry([a, b]));
});
