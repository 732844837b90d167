import { expect, it } from 'vitest';
import { until } from '../../test/compliance.ts';
import { Channel } from '../channel/channel.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { MemoryNetwork } from '../transport/memory.ts';
import { SharedTransport } from './sharedTransport.ts';

const sessionOf = (fill: number) => new Uint8Array(32).fill(fill);
const publicKeys = [1, 2].map((fill) => nodeCrypto.keyAgreement(new Uint8Array(32).fill(fill)).publicKey);

function packetOf(fill: number) {
  const own = { self: 1, secret: new Uint8Array(32).fill(2), publicKeys };
  return new Channel({ crypto: nodeCrypto, session: sessionOf(fill), ...own }).seal(0, new Uint8Array(8));
}

function shared() {
  const network = new MemoryNetwork();
  const transport = network.open();
  const other = network.open({ maxPacketBytes: 9000 });
  const strays: Uint8Array[] = [];
  const sessions = new SharedTransport(transport, (packet) => strays.push(packet));
  /** Sends packets, and resolves when all have arrived. */
  const send = async (...packets: readonly Uint8Array[]) => {
    const before = transport.counters.packetsReceived;
    for (const packet of packets) other.send(transport.local, packet);
    await until(() => transport.counters.packetsReceived === before + packets.length);
  };
  return { network, transport, other, sessions, strays, send };
}

it('delivers to each session its own packets', async () => {
  const { sessions, send, other } = shared();
  const heard: object[] = [];
  for (const session of [1, 2])
    sessions.open(sessionOf(session)).onPacket((_, from) => heard.push({ session, ...from }));
  await send(packetOf(2), packetOf(1), packetOf(2));
  expect(heard).toEqual([2, 1, 2].map((session) => ({ session, ...other.local })));
  expect(sessions.strays).toEqual({});
});

it('counts packets of no open session by code, and hands over those that are well-formed', async () => {
  const { sessions, strays, send } = shared();
  await send(packetOf(1));
  const view = sessions.open(sessionOf(1));
  let heard = 0;
  view.onPacket(() => heard++);
  await send(packetOf(3), ...[3, 5000, 100].map((length) => new Uint8Array(length)), packetOf(1));
  await view.close();
  await send(packetOf(1));
  expect(heard).toBe(1);
  // The codes are the same while no session is open.
  await send(new Uint8Array(3));
  expect(sessions.strays).toEqual({ 'too-long': 1, 'too-short': 2, 'wrong-session': 3, 'wrong-version': 1 });
  expect(strays.map(({ length }) => length)).toEqual([1, 3, 1].map((session) => packetOf(session).length));
});

it('a closed session sends nothing more and leaves the transport open for the others', async () => {
  const { sessions, transport, other } = shared();
  const [first, second] = [sessions.open(sessionOf(1)), sessions.open(sessionOf(2))];
  await first.close();
  first.send(other.local, Uint8Array.of(1));
  second.send(other.local, Uint8Array.of(1));
  await until(() => transport.counters.packetsSent > 0);
  expect(transport.counters.packetsSent).toBe(1);
  expect(second.local).toEqual(transport.local);
  await sessions.close();
});

it('forwards the addresses that the listener of a session verified', () => {
  const heard: ((packet: Uint8Array, from: { host: string; port: number }) => unknown)[] = [];
  const { transport } = shared();
  const sessions = new SharedTransport({
    ...transport,
    maxPacketBytes: 1200,
    onPacket: (listener) => heard.push(listener),
    send: () => {},
    close: async () => {},
  });
  sessions.open(sessionOf(1)).onPacket(() => true);
  expect(heard[0]!(packetOf(1), transport.local)).toBe(true);
  expect(heard[0]!(packetOf(2), transport.local)).toBe(false);
});
