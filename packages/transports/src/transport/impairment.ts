import type { Endpoint } from '@tutti/core';
import { requireFunction, requireObject } from '@tutti/core/input';
import { type PacketListener, requireSendable, requireTransport, type Transport } from './transport.ts';

/** Effects of a bad network on packets. Each share is in the range [0, 1]. */
export interface Impairment {
  /** Share of packets that never arrive. */
  readonly loss: number;
  /** Share of packets that arrive twice. */
  readonly duplication: number;
  /** Share of packets delayed by up to {@link reorderingMs}, so that later packets overtake them. */
  readonly reordering: number;
  /** Maximum delay of a packet, ms. */
  readonly reorderingMs: number;
}

/** A network without faults. */
export const noImpairment: Impairment = { loss: 0, duplication: 0, reordering: 0, reorderingMs: 20 };

/**
 * Returns a transport that simulates the faults of a bad network for tests: it loses, duplicates and reorders packets.
 * The transport's users get no error for a fault, as on the internet. The transport's counters count only packets that
 * were actually sent.
 *
 * @param random returns a new number in [0, 1).
 */
export function impaired(transport: Transport, impairment: Impairment, random: () => number): Transport {
  requireTransport('transport', transport);
  requireObject('impairment', impairment);
  requireFunction('random', random);
  const { loss, duplication, reordering, reorderingMs } = impairment;
  const delayedSends = new Set<ReturnType<typeof setTimeout>>();
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    onPacket: (listener) => transport.onPacket(listener),
    send(to, bytes) {
      requireSendable(to, bytes, transport.maxPacketBytes);
      if (random() < loss) return;
      if (random() < duplication) transport.send(to, bytes.slice());
      if (random() >= reordering) {
        transport.send(to, bytes);
        return;
      }
      const timer = setTimeout(() => {
        delayedSends.delete(timer);
        transport.send(to, bytes);
      }, random() * reorderingMs);
      delayedSends.add(timer);
    },
    close() {
      for (const timer of delayedSends) clearTimeout(timer);
      delayedSends.clear();
      return transport.close();
    },
  };
}

/** Maximum number of delayed packets. Further packets are lost, as in a router whose buffer is full. */
const maxInTransit = 16384;

/**
 * Returns a transport whose packets arrive with the delay of distant senders. The receiver delays packets according to
 * their source address, because a delay elsewhere would require a system with traffic control.
 *
 * @param delayMs returns the one-way delay of packets from an address, ms; with 0 or less, packets are delivered
 * immediately.
 */
export function delayed(transport: Transport, delayMs: (from: Endpoint) => number): Transport {
  requireTransport('transport', transport);
  requireFunction('delayMs', delayMs);
  const inTransit = new Set<ReturnType<typeof setTimeout>>();
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    send: (to, bytes) => transport.send(to, bytes),
    onPacket(listener: PacketListener) {
      transport.onPacket((bytes, from) => {
        const delay = delayMs(from);
        if (delay <= 0) return listener(bytes, from);
        if (inTransit.size >= maxInTransit) return undefined;
        const timer = setTimeout(() => {
          inTransit.delete(timer);
          listener(bytes, from);
        }, delay);
        inTransit.add(timer);
        return undefined;
      });
    },
    close() {
      for (const timer of inTransit) clearTimeout(timer);
      inTransit.clear();
      return transport.close();
    },
  };
}
