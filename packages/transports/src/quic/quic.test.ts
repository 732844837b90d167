import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeTransport, until } from '../../test/compliance.ts';
import { hasIpv6, NO_IPV6 } from '../../test/ipv6.ts';
import { openSilent, udpStranger } from '../../test/rawUdp.ts';
import { describeSecurity } from '../../test/security.ts';
import { loadQuic } from './library.ts';
import { openQuic, type QuicOptions, type QuicTransport } from './quic.ts';

// The library takes milliseconds a packet, and ten times that on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const missing = await loadQuic().then(
  () => undefined,
  (error: Error) => error.message,
);
const NOT_HERE = `quic: skipped, because this machine has none (${missing})`;

/** A 0-RTT packet of no connection: type and version, two identifiers of 8 bytes, a length, so many bytes. It ends an unguarded process. */
const ZERO_RTT = Uint8Array.of(
  0xd3,
  0,
  0,
  0,
  1,
  8,
  ...new Uint8Array(8),
  8,
  ...new Uint8Array(8),
  64,
  64,
  ...new Uint8Array(64),
);

for (const [name, host] of [
  ['IPv4', '127.0.0.1'],
  ['IPv6', '::1'],
] as const) {
  const reason = missing ? NOT_HERE : host === '::1' && !hasIpv6 ? NO_IPV6 : undefined;
  describe.skipIf(reason)(reason ?? name, () => {
    describeTransport(`quic over ${name}`, {
      open: (options) => openQuic({ host, ...options }),
      openDeaf: () => openSilent(host),
      stranger: { ...udpStranger, delivered: false, lies: [ZERO_RTT] },
    });
  });
}

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((open) => open.close()));
});

async function open(options: Partial<QuicOptions> = {}): Promise<QuicTransport> {
  const transport = await openQuic({ host: '127.0.0.1', ...options });
  toClose.push(transport);
  return transport;
}

describe.skipIf(missing)(missing ? NOT_HERE : 'quic', () => {
  describeSecurity('quic', { open: (options) => openQuic({ host: '127.0.0.1', ...options }) });

  /** Two transports, of which the second takes what `takes` says; `send` sends one packet a call, the same bytes or not. */
  async function pair(takes: () => boolean, options: Partial<QuicOptions> = {}) {
    const [a, b] = [await open(options), await open(options)];
    const heard: number[] = [];
    b.onPacket((bytes) => {
      heard.push(bytes[0]!);
      return takes();
    });
    let sealed = 0;
    const send = (says: number) => a.send(b.local, Uint8Array.of(says, sealed++), Uint8Array.of(says));
    return { a, b, heard, send };
  }

  it('tells nobody twice what was taken, however it is sealed, and nobody less than what is new (v1.03 section 6)', async () => {
    const { a, heard, send } = await pair(() => true);
    for (const says of [1, 1, 1, 2, 2, 1]) send(says);
    await until(() => heard.length === 3);
    for (const says of [1, 3]) send(says);
    await until(() => heard.length === 4);
    expect(heard).toEqual([1, 2, 1, 3]);
    expect(a.counters.repeatsSkipped).toBe(4);
    expect(a.counters.packetsSent).toBe(4);
  });

  it('tells again what was heard and not taken', async () => {
    const { a, heard, send } = await pair(() => false);
    while (heard.length < 3) {
      send(1);
      await new Promise((turn) => setImmediate(turn));
    }
    expect(a.counters.packetsSent).toBeGreaterThanOrEqual(3);
  });

  it('tells again what was taken by one who may have forgotten it: the connection has ended since', async () => {
    const { a, b, send } = await pair(() => true);
    send(1);
    await until(() => b.counters.packetsReceived === 1);
    await b.close();
    const again = await open({ port: b.local.port });
    again.onPacket(() => true);
    while (again.counters.packetsReceived === 0) {
      send(1);
      await new Promise((turn) => setImmediate(turn));
    }
    expect(a.counters.connectionsOpened).toBe(2);
  });

  it('serves both ways by one connection', async () => {
    const { a, b, heard, send } = await pair(() => false);
    send(1);
    await until(() => heard.length === 1);
    b.send(a.local, Uint8Array.of(1));
    await until(() => a.counters.packetsReceived === 1);
    expect(b.counters).toMatchObject({ connectionsOpened: 0, connectionsAccepted: 1 });
  });

  it('makes room for one too many at the cost of one of whom nothing was taken, and can still reach them', async () => {
    const { a, b, heard, send } = await pair(() => heard.length === 1, { maxConnections: 2 });
    send(1);
    await until(() => heard.length === 1);
    const [first, second] = [await open(), await open()];
    first.send(b.local, Uint8Array.of(2));
    await until(() => heard.length === 2);
    second.send(b.local, Uint8Array.of(3));
    await until(() => heard.length === 3);
    expect(b.counters.connectionsCrowdedOut).toBe(1);
    b.send(a.local, Uint8Array.of(4));
    await until(() => a.counters.packetsReceived === 1);
    expect(b.counters.connectionsOpened).toBe(0);
    b.send(first.local, Uint8Array.of(5));
    await until(() => first.counters.packetsReceived === 1);
    expect(b.counters.connectionsOpened).toBe(1);
  });

  it('gives up one who does not answer, counts it, and does not try again for every packet', async () => {
    const silent = await openSilent('127.0.0.1');
    toClose.push(silent);
    const a = await open({ replyTimeoutMs: 50 });
    a.send(silent.endpoint, Uint8Array.of(1));
    await until(() => a.counters.sendErrors === 1);
    expect(a.counters.connectionsFailed).toBe(1);
  });

  it('openQuic on an address of another machine, or with packets longer than are read, says so', async () => {
    await expect(openQuic({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'address-unavailable' });
    await expect(openQuic({ host: '127.0.0.1', maxPacketBytes: 65536 })).rejects.toThrow(
      new RangeError('maxPacketBytes: expected at most 65535, got 65536'),
    );
  });
});
