import { requireFunction, requireObject } from '@tutti/core/input';
import type { Endpoint } from '@tutti/core/registry';
import { type PacketListener, requireTransport, type Transport } from './transport.ts';

/** What a bad network does to packets; each a share of them, 0 to 1. */
export interface Impairment {
  /** Never arrive. */
  readonly loss: number;
  /** Arrive twice. */
  readonly duplication: number;
  /** Are held back for up to {@link reorderingMs}, so that later ones overtake them. */
  readonly reordering: number;
  /** The longest that a packet is held back, ms. */
  readonly reorderingMs: number;
}

export const noImpairment: Impairment = { loss: 0, duplication: 0, reordering: 0, reorderingMs: 20 };

/**
 * A transport on a bad network, for tests: what it sends is lost, duplicated and overtaken. To those who use it nothing
 * shows, as on the internet: the counters count what was really sent.
 *
 * @param random numbers in [0, 1), each a fresh one.
 */
export function impaired(transport: Transport, impairment: Impairment, random: () => number): Transport {
  requireTransport('transport', transport);
  requireObject('impairment', impairment);
  requireFunction('random', random);
  const { loss, duplication, reordering, reorderingMs } = impairment;
  const heldBack = new Set<ReturnType<typeof setTimeout>>();
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    onPacket: (listener) => transport.onPacket(listener),
    send(to, bytes) {
      if (random() < loss) return;
      if (random() < duplication) transport.send(to, bytes.slice());
      if (random() >= reordering) {
        transport.send(to, bytes);
        return;
      }
      const timer = setTimeout(() => {
        heldBack.delete(timer);
        transport.send(to, bytes);
      }, random() * reorderingMs);
      heldBack.add(timer);
    },
    close() {
      for (const timer of heldBack) clearTimeout(timer);
      heldBack.clear();
      return transport.close();
    },
  };
}

/** Packets under way at a time; what arrives beyond them is lost, as in a router whose buffer is full. */
const maxUnderWay = 16384;

/**
 * A transport whose packets arrive as late as if their senders were far away. The delay is on the receiving side, by
 * the address that a packet comes from, because systems without traffic control have no other place for it.
 *
 * @param delayMs one-way delay of packets from that address; 0 or less delivers at once.
 */
export function delayed(transport: Transport, delayMs: (from: Endpoint) => number): Transport {
  requireTransport('transport', transport);
  requireFunction('delayMs', delayMs);
  const underWay = new Set<ReturnType<typeof setTimeout>>();
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    send: (to, bytes) => transport.send(to, bytes),
    onPacket(listener: PacketListener) {
      transport.onPacket((bytes, from) => {
        const delay = delayMs(from);
        if (delay <= 0) return listener(bytes, from);
        if (underWay.size >= maxUnderWay) return undefined;
        // One timer a packet: Node keeps timers of equal delay in one list, so there are no more queues than distances.
        const timer = setTimeout(() => {
          underWay.delete(timer);
          listener(bytes, from);
        }, delay);
        underWay.add(timer);
        return undefined;
      });
    },
    close() {
      for (const timer of underWay) clearTimeout(timer);
      underWay.clear();
      return transport.close();
    },
  };
}
