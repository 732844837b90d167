import type { Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { closing, describeTransport, until } from '../../test/compliance.ts';
import { hasIpv6, noIpv6 } from '../../test/ipv6.ts';
import { closed, introduction, openDeaf, rawConnection, rawServer, tcpStranger } from '../../test/rawTcp.ts';
import { maxFramedBytes, maxHelloBytes, packetHeader, pingFrame, pongFrame, streamPreface } from './framing.ts';
import { openTcp, type TcpOptions, type TcpTransport } from './tcp.ts';

for (const [name, host] of Object.entries({ IPv4: '127.0.0.1', IPv6: '::1' }))
  describe.skipIf(host === '::1' && !hasIpv6)(host === '::1' && !hasIpv6 ? noIpv6 : name, () => {
    describeTransport(`tcp over ${name}`, {
      open: (options) => openTcp({ host, ...options }),
      openDeaf: () => openDeaf(host),
      stranger: tcpStranger,
    });
  });

const open = async (options: Partial<TcpOptions> = {}) => closing(await openTcp({ host: '127.0.0.1', ...options }));

/** Opens a transport that records packets, and vouches for those whose first byte is 1. */
async function openVouching(options: Partial<TcpOptions> = {}) {
  const transport = await open(options);
  const arrivals: { byte: number; from: Endpoint }[] = [];
  transport.onPacket((bytes, from) => {
    arrivals.push({ byte: bytes[0]!, from });
    return bytes[0] === 1;
  });
  return { transport, arrivals };
}

type Vouching = Awaited<ReturnType<typeof openVouching>>;

/** Sends a packet. @returns the address from which it arrived. */
async function sent(from: { readonly transport: TcpTransport }, to: Vouching, packet: Uint8Array) {
  const before = to.arrivals.length;
  from.transport.send(to.transport.local, packet);
  await until(() => to.arrivals.length === before + 1);
  return to.arrivals.at(-1)!.from;
}

/** Opens two vouching transports, of which the first has sent the packet to the second. */
async function connected(packet: Uint8Array, options: Partial<TcpOptions> = {}) {
  const [a, b] = [await openVouching(), await openVouching(options)];
  await sent(a, b, packet);
  return [a, b] as const;
}

/** Opens a connection that sends bytes and stays open until the test ends. */
function rawPeer(to: Endpoint, ...bytes: readonly number[]): Socket {
  const socket = rawConnection(to);
  closing({ close: () => socket.destroy() });
  socket.write(Uint8Array.from(bytes));
  return socket;
}

const genuine = Uint8Array.of(1);
const unproven = Uint8Array.of(2);

const sendUntil = (from: TcpTransport, to: Endpoint, isMet: () => boolean) =>
  until(() => {
    if (isMet()) return true;
    from.send(to, unproven);
    return false;
  });

describe('the connections of two nodes', () => {
  it('are one connection for both directions after the listener has verified its opener', async () => {
    const [a, b] = await connected(genuine);
    expect(await sent(b, a, genuine)).toEqual(b.transport.local);
    expect([a.transport.connections, b.transport.connections]).toEqual([1, 1]);
    expect(b.transport.counters.connectionsOpened).toBe(0);
  });

  it('are one connection per direction while no address is verified', async () => {
    const [a, b] = await connected(unproven);
    await sent(b, a, unproven);
    expect([a.transport.connections, b.transport.connections]).toEqual([2, 2]);
  });

  it('become one connection after both opened at the same time', async () => {
    const [a, b] = [await openVouching(), await openVouching()];
    do await Promise.all([sent(a, b, genuine), sent(b, a, genuine)]);
    while (a.transport.connections !== 1 || b.transport.connections !== 1);
    expect(a.transport.counters.connectionsOpened + b.transport.counters.connectionsOpened).toBe(2);
  });

  it('lead to the registered address, not to a node that claims it', async () => {
    const [b, victim] = [await openVouching(), await openVouching()];
    const thief = rawPeer(b.transport.local, ...introduction(victim.transport.local), ...packetHeader(1), 2);
    const stolen: number[] = [];
    thief.on('data', (chunk: Buffer) => stolen.push(...chunk));
    await until(() => b.arrivals.length === 1);
    expect(b.arrivals[0]!.from).toEqual(victim.transport.local);
    await sent(b, victim, genuine);
    thief.end();
    await closed(thief);
    expect(stolen).toEqual([...streamPreface]);
  });

  it('are closed when idle, and opened again for the next packet', async () => {
    const options = { idleTimeoutMs: 20 };
    const [a, b] = [await openVouching(options), await openVouching(options)];
    for (const _ of [1, 2, 3]) {
      await sent(a, b, unproven);
      await until(() => a.transport.connections + b.transport.connections === 0);
    }
    expect(a.transport.counters.connectionsOpened).toBe(3);
    expect(a.transport.counters.connectionsIdle + b.transport.counters.connectionsIdle).toBeGreaterThanOrEqual(3);
    expect(a.transport.counters.connectionsStalled + b.transport.counters.connectionsStalled).toBe(0);
  });

  it('are opened again to a node that restarted', async () => {
    const [a, b] = await connected(unproven);
    await b.transport.close();
    await until(() => a.transport.connections === 0);
    a.transport.send(b.transport.local, unproven);
    await until(() => a.transport.counters.sendErrors === 1);
    const again = await openVouching({ port: b.transport.local.port });
    await sendUntil(a.transport, b.transport.local, () => again.arrivals.length > 0);
    expect(again.arrivals[0]!.from).toEqual(a.transport.local);
  });

  it('announce the public address if there is one', async () => {
    const publicEndpoint = { host: `${'a'.repeat(56)}.onion`, port: 9 };
    const transport = await open({ publicEndpoint });
    expect(transport.local).toEqual(publicEndpoint);
    expect(await sent({ transport }, await openVouching(), unproven)).toEqual(publicEndpoint);
  });

  it('announce their source address if the listener is bound to every address', async () => {
    const transport = await open({ host: '0.0.0.0' });
    const { port } = transport.local;
    expect(await sent({ transport }, await openVouching(), unproven)).toEqual({ host: '127.0.0.1', port });
  });
});

describe('the number of connections of a transport is limited', () => {
  it('an untrusted connection is closed for a new one, and a verified connection stays', async () => {
    const [a, b] = await connected(genuine, { maxConnections: 4 });
    const strangers = Array.from({ length: 10 }, () => rawPeer(b.transport.local));
    await Promise.all(strangers.slice(0, 7).map(closed));
    expect(b.transport.connections).toBe(4);
    expect(b.transport.counters.connectionsCrowdedOut).toBe(7);
    await sent(b, a, genuine);
    expect(b.transport.counters.connectionsOpened).toBe(0);
  });

  it('a peer has one lasting connection, however many it opens', async () => {
    const b = await openVouching({ maxConnections: 4 });
    const claim = introduction({ host: '127.0.0.1', port: 1 });
    for (let opened = 1; opened <= 10; opened++) {
      rawPeer(b.transport.local, ...claim, ...packetHeader(1), ...genuine);
      await until(() => b.arrivals.length === opened);
    }
    expect(b.transport.connections).toBeLessThanOrEqual(4);
  });

  it('a new connection over the limit closes the least recently used one after its queued packets', async () => {
    const a = await open({ maxConnections: 2 });
    const peers = await Promise.all(Array.from({ length: 6 }, () => openVouching()));
    for (const { transport } of peers) a.send(transport.local, unproven);
    await until(() => a.counters.packetsSent + a.counters.sendErrors === 6);
    for (const { transport, arrivals } of peers) await sendUntil(a, transport.local, () => arrivals.length > 0);
    expect(a.counters.connectionsCrowdedOut).toBeGreaterThanOrEqual(4);
    await until(() => a.connections <= 2);
  });
});

describe('a connection is dropped and counted', () => {
  it('when its opener sends no hello', async () => {
    const b = await open({ replyTimeoutMs: 20 });
    await closed(rawPeer(b.local, streamPreface[0]!));
    await until(() => b.counters.connectionsStalled === 1);
  });

  it('when its opener announces more than a hello, before any byte of it arrives', async () => {
    const b = await open();
    await closed(rawPeer(b.local, ...streamPreface, ...packetHeader(maxHelloBytes + 1)));
    await until(() => b.counters.malformed === 1);
    // The longest hello is accepted, as is the longest packet after it.
    const longest = [...packetHeader(maxFramedBytes), ...new Uint8Array(maxFramedBytes)];
    rawPeer(b.local, ...introduction({ host: 'a'.repeat(255), port: 1 }), ...longest);
    await until(() => b.counters.packetsReceived === 1);
  });

  it('when a packet is not complete in time, even if bytes arrive slowly', async () => {
    const b = await open({ idleTimeoutMs: 40 });
    const slow = rawPeer(b.local, ...introduction({ host: '127.0.0.1', port: 1 }), ...packetHeader(60_000));
    const drip = setInterval(() => slow.write(Uint8Array.of(0)), 5);
    await closed(slow);
    clearInterval(drip);
    await until(() => b.counters.connectionsStalled === 1);
    expect(b.counters.packetsReceived).toBe(0);
  });

  it('when the other side accepts packets and never answers a ping', async () => {
    const silent = closing(await rawServer('127.0.0.1', (socket) => socket.resume().write(streamPreface)));
    const a = await open({ replyTimeoutMs: 20 });
    await sendUntil(a, silent.endpoint, () => a.counters.connectionsStalled > 0);
    expect(a.counters.packetsSent).toBeGreaterThan(0);
  });

  it('when the other side reads nothing', async () => {
    const deaf = closing(await openDeaf('127.0.0.1'));
    const a = await open({ idleTimeoutMs: 50, queueBound: 16 });
    while (a.counters.queueDropped === 0) {
      for (let i = 0; i < 8; i++) a.send(deaf.endpoint, new Uint8Array(1000));
      await new Promise((turn) => setImmediate(turn));
    }
    await until(() => a.counters.connectionsStalled >= 1);
  });

  it('but not while the other side answers pings', async () => {
    let asked = 0;
    const answering = await rawServer('127.0.0.1', (socket) => {
      let pings = 0;
      socket.write(streamPreface);
      socket.on('data', (chunk) => {
        if (!chunk.includes(Buffer.from(pingFrame))) return;
        socket.write(pongFrame);
        asked = Math.max(asked, ++pings);
      });
    });
    closing(answering);
    await sendUntil(await open({ replyTimeoutMs: 50 }), answering.endpoint, () => asked >= 2);
  });

  it('and answers one ping of the other side, however many arrive', async () => {
    const b = await open();
    const heard: number[] = [];
    const claim = introduction({ host: '127.0.0.1', port: 1 });
    const asking = rawPeer(b.local, ...claim, ...pingFrame, ...pingFrame);
    await closed(asking.on('data', (chunk: Buffer) => heard.push(...chunk)).end());
    expect(heard).toEqual([...streamPreface, ...pongFrame]);
  });
});

it('a failed attempt is repeated after a pause that doubles each time, and packets in the pause are counted', async () => {
  const [a, gone] = [await open(), await open()];
  await gone.close();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let sent = 0;
  const failedAfter = async (packets: number) => {
    for (let i = 0; i < packets; i++) {
      a.send(gone.local, genuine);
      sent++;
      await until(() => a.counters.sendErrors === sent);
    }
    return a.counters.connectionsFailed;
  };
  expect(await failedAfter(10)).toBe(1);
  for (const [attempts, pauseMs] of [100, 200, 400].entries()) {
    vi.advanceTimersByTime(pauseMs - 1);
    expect(await failedAfter(5)).toBe(attempts + 1);
    vi.advanceTimersByTime(1);
    expect(await failedAfter(5)).toBe(attempts + 2);
  }
  expect(a.counters.packetsSent).toBe(0);
});

it('openTcp refuses an address of another machine and a packet length over the frame limit', async () => {
  await expect(openTcp({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'address-unavailable' });
  await expect(openTcp({ host: '127.0.0.1', maxPacketBytes: 65535 })).rejects.toThrow(
    new RangeError('maxPacketBytes: expected an integer from 1 to 65534, got 65535'),
  );
});
