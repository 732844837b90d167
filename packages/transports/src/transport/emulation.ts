import { requireFunction } from '@tutti/core/input';
import type { Endpoint } from '@tutti/core/registry';
import type { PacketListener, Transport } from './transport.ts';
import { requireTransport } from './transport.ts';

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
