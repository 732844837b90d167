import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint, Transport } from '../src/transport/transport.ts';

interface Arrival {
  readonly bytes: Uint8Array;
  readonly from: Endpoint;
}

/** More than the system's buffers hold of packets of a thousand bytes. */
const floodPackets = 24_000;

/** Collects what arrives, and lets a test wait for it without a clock. */
class Inbox {
  readonly arrivals: Arrival[] = [];
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    transport.onPacket((bytes, from) => {
      this.arrivals.push({ bytes: bytes.slice(), from });
      this.#wake?.();
    });
  }

  async first(count: number): Promise<Arrival[]> {
    while (this.arrivals.length < count)
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    return this.arrivals.slice(0, count);
  }
}

export interface TransportFactory {
  /** `host` and `port` are given together: an address that this factory's transports had before. */
  open(options?: { host?: string; port?: number; maxPacketBytes?: number; queueBound?: number }): Promise<Transport>;
  /** Opens somebody who can be sent to and never reads; absent where there cannot be one. */
  openDeaf?(): Promise<{ readonly endpoint: Endpoint; close(): Promise<void> }>;
  /** Absent where no stranger can reach a transport. */
  readonly stranger?: Stranger;
}

/** Somebody with a socket of his own. */
export interface Stranger {
  /** Sends bytes to where a transport listens; resolves when they are gone, or he was shown the door. */
  write(to: Endpoint, bytes: Uint8Array): Promise<void>;
  /** Bytes that the transport must not take for its own, beside those at random. */
  readonly lies: readonly Uint8Array[];
  /**
   * Whether his bytes come up as packets, as datagrams do, for the channel to refuse; else the transport recognises
   * them as an untrusted peer's.
   */
  readonly delivered: boolean;
}

/** Resolves at the first turn of the event loop at which `condition` holds, or once the test has ended without it. */
export async function until(condition: () => boolean): Promise<void> {
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  while (!over && !condition()) await new Promise((turn) => setImmediate(turn));
}

/** What every transport keeps. Run it on each. */
export function describeTransport(name: string, factory: TransportFactory): void {
  describe(`${name} keeps the transport's contract`, () => {
    const opened: Transport[] = [];
    const open: TransportFactory['open'] = async (options) => {
      const transport = await factory.open(options);
      opened.push(transport);
      return transport;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((transport) => transport.close()));
    });

    it('delivers a packet whole, with the address that it came from', async () => {
      const [a, b] = [await open(), await open()];
      const inbox = new Inbox(b);
      a.send(b.local, Uint8Array.of(1, 2, 3));
      const [arrival] = await inbox.first(1);
      expect([...arrival!.bytes]).toEqual([1, 2, 3]);
      expect(arrival!.from).toEqual(a.local);
    });

    it('delivers plain bytes, whose slice is a copy', async () => {
      const a = await open();
      let sliced: Uint8Array | undefined;
      const arrived = new Promise<Uint8Array>((done) =>
        a.onPacket((bytes) => {
          sliced = bytes.slice();
          done(bytes);
        }),
      );
      a.send(a.local, Uint8Array.of(1));
      (await arrived)[0] = 9;
      expect([...sliced!]).toEqual([1]);
    });

    it('delivers to the addressed one only', async () => {
      const [a, b, c] = [await open(), await open(), await open()];
      const [inboxB, inboxC] = [new Inbox(b), new Inbox(c)];
      a.send(c.local, Uint8Array.of(1));
      a.send(b.local, Uint8Array.of(2));
      await Promise.all([inboxB.first(1), inboxC.first(1)]);
      expect(inboxB.arrivals.map(({ bytes }) => bytes[0])).toEqual([2]);
      expect(inboxC.arrivals.map(({ bytes }) => bytes[0])).toEqual([1]);
    });

    it('delivers to itself', async () => {
      const a = await open();
      const inbox = new Inbox(a);
      a.send(a.local, Uint8Array.of(7));
      expect((await inbox.first(1))[0]!.bytes[0]).toBe(7);
    });

    it('never delivers in the turn of the sender', async () => {
      const a = await open();
      const inbox = new Inbox(a);
      a.send(a.local, Uint8Array.of(1));
      expect(inbox.arrivals).toHaveLength(0);
      await inbox.first(1);
    });

    it('carries packets of every size up to its limit, uncut and unjoined', async () => {
      const [a, b] = [await open(), await open()];
      const inbox = new Inbox(b);
      const sizes = [1, 2, 3, 255, 256, 257, a.maxPacketBytes - 1, a.maxPacketBytes];
      for (const size of sizes) a.send(b.local, new Uint8Array(size).fill(size & 255));
      const arrivals = await inbox.first(sizes.length);
      expect(arrivals.map(({ bytes }) => bytes.length).sort((x, y) => x - y)).toEqual(sizes);
      for (const { bytes } of arrivals) expect(bytes.every((byte) => byte === (bytes.length & 255))).toBe(true);
    });

    it('refuses to send an empty or an overlong packet, naming the bounds', async () => {
      const a = await open({ maxPacketBytes: 100 });
      expect(() => a.send(a.local, new Uint8Array(0))).toThrow(
        new RangeError('packet: expected 1 to 100 bytes, got 0'),
      );
      expect(() => a.send(a.local, new Uint8Array(101))).toThrow(
        new RangeError('packet: expected 1 to 100 bytes, got 101'),
      );
    });

    it('delivers what is longer than its own limit, for the channel to refuse', async () => {
      const [big, small] = [await open({ maxPacketBytes: 2000 }), await open({ maxPacketBytes: 100 })];
      const inbox = new Inbox(small);
      big.send(small.local, new Uint8Array(2000));
      expect((await inbox.first(1))[0]!.bytes.length).toBe(2000);
    });

    it('drops the oldest packets when more are queued than its bound, and counts them', async () => {
      const [a, b] = [await open({ queueBound: 4 }), await open()];
      const inbox = new Inbox(b);
      for (let i = 0; i < 10; i++) a.send(b.local, Uint8Array.of(i));
      const arrivals = await inbox.first(4);
      // In any order: no transport promises one.
      expect(arrivals.map(({ bytes }) => bytes[0]!).toSorted((x, y) => x - y)).toEqual([6, 7, 8, 9]);
      expect(a.counters.queueDropped).toBe(6);
    });

    it('counts packets and bytes in both directions', async () => {
      const [a, b] = [await open(), await open()];
      const inbox = new Inbox(b);
      a.send(b.local, new Uint8Array(10));
      a.send(b.local, new Uint8Array(20));
      await inbox.first(2);
      expect(b.counters).toMatchObject({ packetsReceived: 2, bytesReceived: 30, unheard: 0 });
      expect(a.counters).toMatchObject({ packetsSent: 2, bytesSent: 30, queueDropped: 0, sendErrors: 0 });
    });

    const { openDeaf, stranger } = factory;
    if (openDeaf !== undefined)
      it('keeps no more than its bound for one who does not read, drops the oldest, counts them, and serves the others', async () => {
        const bound = 64;
        const [a, b, deaf] = [await open({ queueBound: bound }), await open(), await openDeaf()];
        const inbox = new Inbox(b);
        const { counters } = a;
        for (let i = 0; i < floodPackets; i++) {
          a.send(deaf.endpoint, new Uint8Array(1000));
          const gone = counters.packetsSent + counters.queueDropped + counters.sendErrors;
          expect(i + 1 - gone).toBeLessThanOrEqual(bound);
          if (i % 32 === 0) await new Promise((turn) => setImmediate(turn));
        }
        a.send(b.local, Uint8Array.of(1));
        await inbox.first(1);
        await deaf.close();
      });

    if (stranger !== undefined)
      it("takes no harm from an untrusted peer's bytes, counts them, and goes on", async () => {
        const { write, lies, delivered } = stranger;
        const [a, b] = [await open(), await open()];
        const inbox = new Inbox(b);
        const hostile = [
          ...lies,
          ...[1, 2, 3, 100, 1000, 5000].map((size) => new Uint8Array(randomBytes(size)).fill(0xff, 0, 1)),
        ];
        for (const bytes of hostile) await write(b.local, bytes);
        const heard = delivered ? hostile.map(({ length }) => length) : [];
        await until(() => inbox.arrivals.length + b.counters.malformed >= hostile.length);
        a.send(b.local, Uint8Array.of(7));
        const arrivals = await inbox.first(heard.length + 1);
        expect(arrivals.map(({ bytes }) => bytes.length)).toEqual([...heard, 1]);
        expect(arrivals.at(-1)!.from).toEqual(a.local);
        expect(b.counters.malformed).toBe(hostile.length - heard.length);
      });

    it('goes on when nobody is at the other end', async () => {
      const [a, b, gone] = [await open(), await open(), await open()];
      const inbox = new Inbox(b);
      const nobody = gone.local;
      await gone.close();
      a.send(nobody, Uint8Array.of(1));
      a.send(b.local, Uint8Array.of(2));
      expect((await inbox.first(1))[0]!.bytes[0]).toBe(2);
    });

    it('sends and delivers nothing once closed, and closes twice without harm', async () => {
      const [a, b, c] = [await open(), await open(), await open()];
      const [inboxB, inboxC] = [new Inbox(b), new Inbox(c)];
      a.send(b.local, Uint8Array.of(1));
      await a.close();
      a.send(b.local, Uint8Array.of(2));
      await a.close();
      c.send(b.local, Uint8Array.of(3));
      b.send(c.local, Uint8Array.of(4));
      await Promise.all([inboxB.first(1), inboxC.first(1)]);
      expect(inboxB.arrivals.map(({ bytes }) => bytes[0])).toEqual([3]);
    });

    it('gives its address free when closed, and refuses one that is taken with a code', async () => {
      const a = await open();
      await expect(factory.open({ ...a.local })).rejects.toMatchObject({ name: 'WorldError', code: 'address-in-use' });
      await a.close();
      const again = await open({ ...a.local });
      expect(again.local).toEqual(a.local);
    });
  });
}
