import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeTransport, until } from '../../test/compliance.ts';
import { delayed, impaired, noImpairment } from './impairment.ts';
import { MemoryNetwork } from './memory.ts';
import type { Transport } from './transport.ts';

const network = new MemoryNetwork();
describeTransport('memory, on a network without faults', {
  open: async (options) => impaired(network.open(options), noImpairment, () => 0.5),
});
describeTransport('memory, delayed by a millisecond', {
  open: async (options) => delayed(network.open(options), () => 1),
});

function noted(): { sent: number[]; transport: Transport } {
  const sent: number[] = [];
  const send = (_to: unknown, bytes: Uint8Array) => void sent.push(bytes[0]!);
  return { sent, transport: { ...network.open(), send, onPacket() {}, close: () => Promise.resolve() } };
}

/** Returns the random generator from Numerical Recipes, which suffices for counting. */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const nowhere = { host: '127.0.0.1', port: 1 };

it('loses, duplicates and delays the configured shares', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const { sent, transport } = noted();
      const bad = impaired(
        transport,
        { loss: 0.2, duplication: 0.1, reordering: 0.3, reorderingMs: 20 },
        uniform(seed),
      );
      const packets = 2000;
      for (let i = 0; i < packets; i++) bad.send(nowhere, Uint8Array.of(i & 255));
      const atOnce = sent.length;
      vi.advanceTimersByTime(20);
      // The tolerance is five standard deviations of each count, so that about one seed in a million fails.
      const within = (count: number, share: number) =>
        expect(Math.abs(count - packets * share)).toBeLessThan(5 * Math.sqrt(packets * share));
      within(sent.length, 0.8 * 1.1);
      within(sent.length - atOnce, 0.8 * 0.3);
    }),
    { numRuns: 20 },
  );
});

it('sends no delayed packet after close', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { sent, transport } = noted();
  const bad = impaired(transport, { loss: 0, duplication: 0, reordering: 1, reorderingMs: 20 }, () => 0.5);
  bad.send(nowhere, Uint8Array.of(1));
  await bad.close();
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
});

it('a packet from a distant node arrives after a later packet from a near node', async () => {
  const [far, near, receiver] = [network.open(), network.open(), network.open()];
  const here = delayed(receiver, (from) => (from.port === far.local.port ? 40 : 0));
  const arrivals: string[] = [];
  here.onPacket((_bytes, from) => arrivals.push(from.port === far.local.port ? 'far' : 'near'));
  far.send(here.local, Uint8Array.of(1));
  near.send(here.local, Uint8Array.of(2));
  await until(() => arrivals.length === 2);
  expect(arrivals).toEqual(['near', 'far']);
});

it('packets in transit at close never arrive', async () => {
  const [sender, receiver, other] = [network.open(), network.open(), network.open()];
  let arrivals = 0;
  const here = delayed(receiver, () => 1);
  const there = delayed(other, () => 2);
  here.onPacket(() => arrivals++);
  const later = new Promise((done) => there.onPacket(done));
  sender.send(here.local, Uint8Array.of(1));
  sender.send(there.local, Uint8Array.of(1));
  await new Promise(setImmediate);
  await here.close();
  await later;
  expect(arrivals).toBe(0);
});
