import type { Fault } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { udpPacket } from '../tests/udpPacket.ts';
import { createLatency, type Latency } from './latency.ts';
import { Router } from './router.ts';

const addresses = ['198.18.0.1', '198.18.0.2', '198.18.0.3'];

/** Creates a router of three hosts with latencies of 10 ms by default. The test sets the router's clock. */
function routerWith({
  faults = [] as Fault[],
  rateMbit = Number.POSITIVE_INFINITY,
  seed = 1,
  latency = ((): number => 10_000) as Latency,
} = {}) {
  const router = new Router({ addresses, latency, rateMbit, faults, seed });
  router.begin(0);
  return router;
}

/** Returns all arrivals up to a time: the arrival time, the host, and the first byte of the payload. */
function arrivals(router: Router, untilUs = Number.POSITIVE_INFINITY): [atUs: number, to: number, mark: number][] {
  const found: [number, number, number][] = [];
  for (let atUs = router.nextDueUs; atUs !== undefined && atUs <= untilUs; atUs = router.nextDueUs) {
    const due = router.takeDue(atUs);
    if (due !== undefined) found.push([atUs, due.to, due.packet[28]!]);
  }
  return found;
}

const packet = (to: number, mark = 0, payloadBytes = 1) =>
  udpPacket(addresses[0]!, addresses[to]!, new Uint8Array(payloadBytes).fill(mark));

describe('Router', () => {
  it('delivers a packet to its address after the latency, and not a microsecond earlier', () => {
    const router = routerWith();
    router.onPacket(5, 0, packet(1, 7));
    expect(router.nextDueUs).toBe(10_005);
    expect(router.takeDue(10_004)).toBeUndefined();
    expect(router.takeDue(10_005)).toMatchObject({ to: 1 });
    expect(router.nextDueUs).toBeUndefined();
  });

  it('keeps the order of packets with equal latency, and gives each pair its own latency', () => {
    const router = routerWith({ latency: createLatency('aws', false, 3, 1) });
    for (let mark = 0; mark < 100; mark++) router.onPacket(0, 0, packet(1, mark));
    router.onPacket(0, 0, packet(2, 200));
    // Round-trip times from Oregon: 81 ms to Virginia and 216 ms to Mumbai (v1.03 appendix B).
    const expected = Array.from({ length: 100 }, (_, mark) => [40_500, 1, mark]);
    expect(arrivals(router)).toEqual([...expected, [108_000, 2, 200]]);
  });

  it.each([
    ['not-ipv4', new Uint8Array(0)],
    ['not-ipv4', Uint8Array.from(packet(1)).fill(0x60, 0, 1)],
    ['not-ipv4', Uint8Array.from(packet(1)).fill(0x44, 0, 1)],
    ['wrong-length', packet(1).subarray(0, 28)],
    ['wrong-length', Uint8Array.from([...packet(1), 0])],
    ['wrong-length', Uint8Array.from(packet(1)).fill(0x4f, 0, 1)],
    ['unknown-destination', udpPacket(addresses[0]!, '198.18.0.4', new Uint8Array(1))],
    ['unknown-destination', udpPacket(addresses[0]!, '8.8.8.8', new Uint8Array(1))],
  ])('drops and counts as %s a packet that is not of its network', (code, bytes) => {
    const router = routerWith();
    router.onPacket(0, 0, bytes);
    expect(router.nextDueUs).toBeUndefined();
    expect(router.counts.toRecord()).toEqual({ [code]: 1 });
  });

  it('forwards packets through a link one after another, in either direction', () => {
    // A payload of 972 bytes makes a packet of 1,000 bytes, which takes 1 ms at 8 Mbit/s.
    const router = routerWith({ rateMbit: 8 });
    router.onPacket(0, 0, packet(2, 1, 972));
    router.onPacket(0, 0, packet(2, 2, 972));
    router.onPacket(500, 1, packet(2, 3, 972));
    // The packets of host 0 leave its link at 1 and 2 ms, and the packet of host 1 leaves at 1.5 ms. The packets enter
    // host 2 from 11 ms on, 1 ms each.
    expect(arrivals(router)).toEqual([
      [12_000, 2, 1],
      [13_000, 2, 3],
      [14_000, 2, 2],
    ]);
  });

  it('drops packets that would wait longer than the limit of a link', () => {
    const router = routerWith({ rateMbit: 8 });
    for (let sent = 0; sent < 300; sent++) router.onPacket(0, 0, packet(1, 0, 972));
    expect(arrivals(router)).toHaveLength(251);
    expect(router.counts.toRecord()).toEqual({ 'link-full': 49, delivered: 251 });
  });

  it('limits the packets in transit', () => {
    const router = routerWith();
    for (let sent = 0; sent < 65_536 + 5; sent++) router.onPacket(0, 0, packet(1));
    expect(router.counts.toRecord()).toEqual({ 'router-full': 5 });
  });

  it('a cut blocks all packets, and after healing it forwards those sent from then on', () => {
    const router = routerWith({ faults: [{ kind: 'partition', nodes: [0], atMs: 1, forMs: 2 }] });
    for (const [mark, atUs] of [999, 1000, 2999, 3000].entries()) router.onPacket(atUs, 0, packet(1, mark));
    router.onPacket(2000, 1, packet(2, 9));
    expect(arrivals(router).map(([, , mark]) => mark)).toEqual([0, 9, 3]);
    expect(router.counts.toRecord()).toEqual({ delivered: 3, partition: 2 });
  });

  it('applies no fault before the common origin, from which times are measured', () => {
    const faults: Fault[] = [{ kind: 'partition', nodes: [0], atMs: 0, forMs: 1 }];
    const router = new Router({ addresses, latency: () => 0, rateMbit: Number.POSITIVE_INFINITY, faults, seed: 1 });
    router.onPacket(4_999, 0, packet(1, 1));
    router.begin(5_000);
    router.onPacket(5_000, 0, packet(1, 2));
    router.onPacket(6_000, 0, packet(1, 3));
    expect(arrivals(router).map(([, , mark]) => mark)).toEqual([1, 3]);
  });

  it('loses the configured share, the same for the same seed', () => {
    const lost = (seed: number) => {
      const router = routerWith({ faults: [{ kind: 'loss', share: 0.2 }], seed });
      for (let sent = 0; sent < 2000; sent++) router.onPacket(0, 0, packet(1, sent));
      return arrivals(router).map(([, , mark]) => mark);
    };
    expect(lost(3)).toEqual(lost(3));
    expect(lost(3)).not.toEqual(lost(4));
    expect(Math.abs(lost(3).length - 1600)).toBeLessThan(100);
  });

  it('duplicates, delays and slows packets as in the plan', () => {
    const router = routerWith({
      faults: [
        { kind: 'duplication', share: 1, to: [1] },
        { kind: 'reordering', share: 1, byMs: 5, to: [2] },
        { kind: 'slow-links', byMs: 100, from: [2] },
      ],
    });
    router.onPacket(0, 0, packet(1, 1));
    for (let mark = 0; mark < 50; mark++) router.onPacket(0, 0, packet(2, mark));
    router.onPacket(0, 2, packet(0, 99));
    const found = arrivals(router);
    expect(found.filter(([, to]) => to === 1)).toEqual(Array(2).fill([10_000, 1, 1]));
    const heldBack = found.filter(([, to]) => to === 2);
    expect(heldBack.map(([, , mark]) => mark)).not.toEqual(Array.from({ length: 50 }, (_, mark) => mark));
    for (const [atUs] of heldBack) expect(atUs).toBeLessThanOrEqual(15_000);
    expect(found.at(-1)).toEqual([110_000, 0, 99]);
    expect(router.counts.toRecord()).toEqual({ delivered: 53, duplication: 1, reordering: 50, 'slow-links': 1 });
  });

  it('alters one to eight bits of a payload, and removes the checksum with which the kernel would drop it', () => {
    const router = routerWith({ faults: [{ kind: 'corruption', share: 1 }] });
    const sent = packet(1, 0, 40);
    router.onPacket(0, 0, sent);
    const { packet: got } = router.takeDue(10_000)!;
    const flipped = got.subarray(28).reduce((bits, byte) => bits + byte.toString(2).replaceAll('0', '').length, 0);
    expect(flipped).toBeGreaterThan(0);
    expect(flipped).toBeLessThanOrEqual(8);
    expect(got.subarray(0, 26)).toEqual(sent.subarray(0, 26));
    expect([...got.subarray(26, 28)]).toEqual([0, 0]);
    expect(sent.subarray(28)).toEqual(new Uint8Array(40));
  });

  it('loses packets that arrive while their receiver is down', () => {
    const router = routerWith();
    router.onPacket(0, 0, packet(1, 1));
    router.setDown(1, true);
    router.onPacket(1000, 0, packet(1, 2));
    expect(arrivals(router, 10_000)).toEqual([]);
    router.setDown(1, false);
    expect(arrivals(router)).toEqual([[11_000, 1, 2]]);
    expect(router.counts.toRecord()).toEqual({ delivered: 1, missed: 1 });
  });
});
