/// <reference path="./simplePeer.d.ts" />

import { beforeEach, expect, it, vi } from 'vitest';
import SimplePeer from '#simple-peer';
import { closing, describeTransport } from '../../test/compliance.ts';
import { MemorySignals, openOn, rtc } from '../../test/memorySignals.ts';
import type { Transport } from '../transport/transport.ts';
import { decodeLinkSignal, encodeLinkSignal, withoutTcp } from './linkSignal.ts';
import { openWebRtc, type WebRtcOptions } from './webrtc.ts';

// Opening a link takes several turns of the libraries' threads. On a loaded machine, these turns may be late.
vi.setConfig({ testTimeout: 60_000 });
const patient = { timeout: 50_000 };

let signals: MemorySignals;
beforeEach(() => {
  signals = new MemorySignals();
});

const open = (options: Partial<WebRtcOptions> = {}, on = signals) => closing(openOn(on, options));

const network = new MemorySignals();
describeTransport('webrtc in Node', {
  open: async ({ host, ...options } = {}) => open({ ...options, ...(host && { name: host }) }, network),
  stranger: {
    write: async (to, bytes) => {
      const stranger = open({ maxPacketBytes: 100_000 }, network);
      stranger.send(to, bytes);
      await vi.waitFor(() => expect(stranger.counters.packetsSent).toBe(1), patient);
    },
    invalidBytes: [],
    delivered: true,
  },
});

const next = (transport: Transport) => new Promise<Uint8Array>((resolve) => transport.onPacket(resolve));

/** Sends a packet of one byte, and expects its arrival. */
async function exchange(from: Transport, to: Transport, byte: number) {
  const arrival = next(to);
  from.send(to.local, Uint8Array.of(byte));
  expect((await arrival)[0]).toBe(byte);
}

it('reports that a platform without WebRTC must provide it', () => {
  expect(() => openWebRtc({ name: 'none', signals: new MemorySignals().join('none') })).toThrow(
    new TypeError('rtc: expected an object with RTCPeerConnection, such as the result of loadNodeRtc, got none'),
  );
});

it('two ends that open at the same time keep one link', async () => {
  const [a, b] = [open(), open()];
  await Promise.all([exchange(a, b, 1), exchange(b, a, 2)]);
  for (const { links } of [a, b]) expect(links).toEqual({ opened: 1, failed: 0, closedIdle: 0, evicted: 0 });
});

it.each([
  ['a', 'b'],
  ['b', 'a'],
])('%s, whose offer is lost, is reached by %s, which also offers', async (lost, other) => {
  let dropped = 0;
  signals.tamper = (from, _to, text) => (from === lost && dropped++ === 0 ? undefined : text);
  const [a, b] = [open({ name: lost }), open({ name: other })];
  const arrivals = Promise.all([next(a), next(b)]);
  a.send(b.local, Uint8Array.of(1));
  await vi.waitFor(() => expect(dropped).toBe(1), patient);
  b.send(a.local, Uint8Array.of(2));
  expect((await arrivals).map(([byte]) => byte)).toEqual([2, 1]);
});

it('six ends that all send to each other at the same time connect at the first attempt', async () => {
  const ends = Array.from({ length: 6 }, () => open());
  const heard = new Set<string>();
  for (const end of ends) {
    end.onPacket((_, from) => heard.add(`${from.host} to ${end.local.host}`));
    for (const other of ends) if (other !== end) end.send(other.local, Uint8Array.of(1));
  }
  await vi.waitFor(() => expect(heard.size).toBe(30), patient);
  for (const { links, refused } of ends) expect([links.opened, links.failed, refused]).toEqual([5, 0, {}]);
});

it('an idle link is closed, and the next packet opens another', async () => {
  const [a, b] = [open({ idleMs: 20 }), open()];
  await exchange(a, b, 1);
  await vi.waitFor(() => expect(a.links.closedIdle).toBe(1), patient);
  await exchange(a, b, 2);
});

it('more peers than links are reached one after the other', async () => {
  const a = open({ maxLinks: 1 });
  for (let count = 0; count < 3; count++) await exchange(a, open(), count);
  expect(a.links).toEqual({ opened: 3, failed: 0, closedIdle: 0, evicted: 2 });
});

it('a peer that does not answer costs one attempt, and packets to it are dropped and counted until the next attempt', async () => {
  const sent: string[] = [];
  signals.tamper = (_from, to) => void sent.push(to);
  const a = open({ openWithinMs: 50, retryAfterMs: 60_000 });
  const nobody = { host: 'nobody', port: 0 };
  a.send(nobody, Uint8Array.of(1));
  await vi.waitFor(() => expect(a.links.failed).toBe(1), patient);
  a.send(nobody, Uint8Array.of(2));
  expect(a.counters).toMatchObject({ sendErrors: 2, packetsSent: 0 });
  expect(sent.length).toBeLessThanOrEqual(1);
});

it('drops and counts the oldest packets that wait for the own address', async () => {
  const a = open({ queueBound: 2 });
  const arrival = next(a);
  for (let count = 1; count <= 3; count++) a.send(a.local, Uint8Array.of(count));
  expect([(await arrival)[0], a.counters.queueDropped]).toEqual([2, 1]);
});

it('invalid signals and unexpected answers are refused and counted', async () => {
  const a = open({ name: 'a' });
  const stranger = signals.join('stranger');
  stranger.send('a', 'v=0');
  stranger.send('a', '{"type":"answer","attempt":1,"sdp":"v=0"}');
  await vi.waitFor(() => expect(a.refused).toEqual({ 'malformed-signal': 1, 'unexpected-answer': 1 }), patient);
});

it('a message that is not bytes is counted, and the link continues', async () => {
  const a = open({ name: 'a3' });
  const stranger = signals.join('stranger');
  const peer = new SimplePeer({
    initiator: true,
    trickle: false,
    objectMode: true,
    wrtc: rtc,
    config: { iceServers: [] },
    // The offering end determines how the link transmits its messages. An ordered channel loses neither message.
    channelConfig: { ordered: true },
    iceCompleteTimeout: 2000,
  });
  peer.on('signal', ({ sdp }) =>
    stranger.send('a3', encodeLinkSignal({ type: 'offer', attempt: 1, sdp: withoutTcp(sdp) })),
  );
  stranger.onSignal((_, text) => peer.signal(decodeLinkSignal(text)!));
  await new Promise<void>((open) => peer.on('connect', open));
  const arrived = next(a);
  peer.write('some text' as never);
  peer.write(Uint8Array.of(4));
  expect([...(await arrived)]).toEqual([4]);
  expect(a.counters).toMatchObject({ malformed: 1, packetsReceived: 1 });
  peer.destroy();
});

it('a peer that sends repeated offers is refused and costs no more connections', async () => {
  const a = open({ name: 'a4', openWithinMs: 50 });
  const stranger = signals.join('stranger');
  for (let attempt = 0; attempt < 20; attempt++)
    stranger.send('a4', encodeLinkSignal({ type: 'offer', attempt, sdp: 'nonsense' }));
  await vi.waitFor(() => expect(a.refused).toEqual({ 'too-many-offers': 12 }), patient);
});

it('an offer that is not a session description ends only its own link', async () => {
  const [a, b] = [open({ name: 'a2', retryAfterMs: 0 }), open()];
  const stranger = signals.join('stranger');
  stranger.send('a2', '{"type":"offer","attempt":1,"sdp":"nonsense"}');
  await vi.waitFor(() => expect(a.links.failed).toBe(1), patient);
  await exchange(b, a, 3);
});
