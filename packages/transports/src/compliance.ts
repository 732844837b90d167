import { deepStrictEqual as equal, ok, rejects, throws } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Endpoint } from '@tutti/core';
import { requireMethods } from '@tutti/core/input';
import type { Transport } from './transport/transport.ts';

/** Functions with which the checks open the transport. */
export interface TransportFactory {
  /**
   * Opens a transport. `host` and `port` are passed together; they are the address of an earlier transport of this
   * factory.
   */
  open(options?: { host?: string; port?: number; maxPacketBytes?: number; queueBound?: number }): Promise<Transport>;
  /**
   * Opens an endpoint that accepts packets and never reads them. Omitted if the transport cannot have such an endpoint.
   */
  openDeaf?(): Promise<{ readonly endpoint: Endpoint; close(): Promise<void> }>;
  /** Third party with access to the network. Omitted if no third party can reach a transport. */
  readonly stranger?: Stranger;
}

/** A third party with its own socket. */
export interface Stranger {
  /**
   * Sends bytes to a transport's address. The promise resolves when the bytes have been sent or the connection has been
   * closed.
   */
  write(to: Endpoint, bytes: Uint8Array): Promise<void>;
  /** Bytes to write in addition to random bytes, such as nearly valid frames. */
  readonly invalidBytes: readonly Uint8Array[];
  /**
   * Whether the transport delivers all written bytes as packets, like datagrams, for the channel to reject. Otherwise,
   * the transport must count each write as malformed.
   */
  readonly delivered: boolean;
}

/** One requirement of a transport. */
export interface TransportCheck {
  readonly name: string;
  /**
   * Runs the check: opens and closes everything that the check needs, and fails with an `AssertionError`. The function
   * takes the context that Vitest and `node:test` pass to a test. When the context's signal is aborted, for example
   * after the test's time limit, the check closes its transports and fails with the signal's reason.
   */
  readonly run: (test?: { readonly signal?: AbortSignal }) => Promise<void>;
}

interface Arrival {
  readonly bytes: Uint8Array;
  readonly from: Endpoint;
}

/** Collects arriving packets, and lets a check wait for them without a clock. */
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

  /** First byte of each packet. */
  get marks(): number[] {
    return this.arrivals.map(({ bytes }) => bytes[0]!);
  }
}

interface Closable {
  close(): Promise<void>;
}

/** Environment of a check. */
interface Bench {
  readonly open: TransportFactory['open'];
  /** Closes a resource when the check has ended. @returns the resource. */
  readonly closing: <Resource extends Closable>(resource: Resource) => Promise<Resource>;
  /** Resolves in the first turn of the event loop in which `condition` holds, or when the check has ended. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

type Steps = (bench: Bench) => Promise<void>;

/** Number of 1,000-byte packets that exceeds the capacity of the system's buffers. */
const floodPackets = 24_000;
const floodQueueBound = 64;

const nextTurn = () => new Promise((turn) => setImmediate(turn));
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/**
 * Returns the requirements of every transport, in the order of checking. All transports of this package meet them. Each
 * requirement has a name and a function, for any test runner: `for (const { name, run } of transportChecks(factory))
 * test(name, run)`.
 *
 * @throws TypeError for an invalid factory.
 */
export function transportChecks(factory: TransportFactory): readonly TransportCheck[] {
  requireMethods('factory', factory, ['open']);
  const { openDeaf, stranger } = factory;
  const checks: Readonly<Record<string, Steps>> = {
    ...delivery,
    ...bounds,
    ...(openDeaf && { [deafName]: toDeaf(openDeaf.bind(factory)) }),
    ...(stranger && { [strangerName]: fromStranger(stranger) }),
    ...ends,
  };
  return Object.entries(checks).map(([name, steps]) => ({
    name,
    run: (test) => runSteps(factory, steps, test?.signal),
  }));
}

async function runSteps(factory: TransportFactory, steps: Steps, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const opened: Closable[] = [];
  let over = false;
  const aborted = new Promise<never>((_, fail) =>
    signal?.addEventListener('abort', () => fail(signal.reason), { once: true }),
  );
  const bench: Bench = {
    open: async (options) => bench.closing(await factory.open(options)),
    closing: async (resource) => {
      opened.push(resource);
      if (over) await resource.close();
      return resource;
    },
    until: async (condition) => {
      while (!over && !condition()) await nextTurn();
    },
  };
  try {
    await Promise.race([steps(bench), aborted]);
  } finally {
    over = true;
    await Promise.all(opened.map((resource) => resource.close()));
  }
}

const delivery: Readonly<Record<string, Steps>> = {
  'delivers a packet whole, with its source address': async ({ open }) => {
    const [a, b] = [await open(), await open()];
    const inbox = new Inbox(b);
    a.send(b.local, Uint8Array.of(1, 2, 3));
    const [arrival] = await inbox.first(1);
    equal([...arrival!.bytes], [1, 2, 3]);
    equal({ ...arrival!.from }, { ...a.local });
  },

  'delivers plain bytes, and a slice of them is a copy': async ({ open }) => {
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
    equal([...sliced!], [1]);
  },

  'delivers only to the addressed transport': async ({ open }) => {
    const [a, b, c] = [await open(), await open(), await open()];
    const [inboxB, inboxC] = [new Inbox(b), new Inbox(c)];
    a.send(c.local, Uint8Array.of(1));
    a.send(b.local, Uint8Array.of(2));
    await Promise.all([inboxB.first(1), inboxC.first(1)]);
    equal(inboxB.marks, [2]);
    equal(inboxC.marks, [1]);
  },

  'delivers to itself': async ({ open }) => {
    const a = await open();
    const inbox = new Inbox(a);
    a.send(a.local, Uint8Array.of(7));
    await inbox.first(1);
    equal(inbox.marks, [7]);
  },

  "never delivers in the sender's turn of the event loop": async ({ open }) => {
    const a = await open();
    const inbox = new Inbox(a);
    a.send(a.local, Uint8Array.of(1));
    equal(inbox.marks, []);
    await inbox.first(1);
  },

  'carries packets of every size up to its limit without splitting or joining them': async ({ open }) => {
    const [a, b] = [await open(), await open()];
    const inbox = new Inbox(b);
    const sizes = [1, 2, 3, 255, 256, 257, a.maxPacketBytes - 1, a.maxPacketBytes];
    for (const size of sizes) a.send(b.local, new Uint8Array(size).fill(size & 255));
    const arrivals = await inbox.first(sizes.length);
    equal(ascending(arrivals.map(({ bytes }) => bytes.length)), sizes);
    for (const { bytes } of arrivals) ok(bytes.every((byte) => byte === (bytes.length & 255)));
  },
};

const bounds: Readonly<Record<string, Steps>> = {
  'refuses to send an empty or an overlong packet, with an error that states the bounds': async ({ open }) => {
    const a = await open({ maxPacketBytes: 100 });
    for (const bytes of [0, 101])
      throws(() => a.send(a.local, new Uint8Array(bytes)), {
        name: 'RangeError',
        message: `packet: expected 1 to 100 bytes, got ${bytes}`,
      });
  },

  'delivers packets that are longer than its own limit, so that the channel can refuse them': async ({ open }) => {
    const [big, small] = [await open({ maxPacketBytes: 2000 }), await open({ maxPacketBytes: 100 })];
    const inbox = new Inbox(small);
    big.send(small.local, new Uint8Array(2000));
    equal((await inbox.first(1))[0]!.bytes.length, 2000);
  },

  'drops and counts the oldest packets when its queue exceeds its bound': async ({ open }) => {
    const [a, b] = [await open({ queueBound: 4 }), await open()];
    const inbox = new Inbox(b);
    for (let i = 0; i < 10; i++) a.send(b.local, Uint8Array.of(i));
    await inbox.first(4);
    // No transport guarantees the order of packets.
    equal(ascending(inbox.marks), [6, 7, 8, 9]);
    equal(a.counters.queueDropped, 6);
  },

  'counts packets and bytes in both directions': async ({ open }) => {
    const [a, b] = [await open(), await open()];
    const inbox = new Inbox(b);
    a.send(b.local, new Uint8Array(10));
    a.send(b.local, new Uint8Array(20));
    await inbox.first(2);
    const { packetsReceived, bytesReceived, unheard } = b.counters;
    equal({ packetsReceived, bytesReceived, unheard }, { packetsReceived: 2, bytesReceived: 30, unheard: 0 });
    const { packetsSent, bytesSent, queueDropped, sendErrors } = a.counters;
    const sent = { packetsSent, bytesSent, queueDropped, sendErrors };
    equal(sent, { packetsSent: 2, bytesSent: 30, queueDropped: 0, sendErrors: 0 });
  },
};

const deafName =
  'stores packets up to its bound for a peer that does not read, drops and counts the oldest of them, and continues to serve other peers';

function toDeaf(openDeaf: NonNullable<TransportFactory['openDeaf']>): Steps {
  return async ({ open, closing }) => {
    const [a, b, deaf] = [await open({ queueBound: floodQueueBound }), await open(), await closing(await openDeaf())];
    const inbox = new Inbox(b);
    const { counters } = a;
    for (let i = 0; i < floodPackets; i++) {
      a.send(deaf.endpoint, new Uint8Array(1000));
      const stored = i + 1 - (counters.packetsSent + counters.queueDropped + counters.sendErrors);
      ok(stored <= floodQueueBound, `expected at most ${floodQueueBound} stored packets, got ${stored}`);
      if (i % 32 === 0) await nextTurn();
    }
    a.send(b.local, Uint8Array.of(1));
    await inbox.first(1);
  };
}

const strangerName = 'counts invalid bytes from an untrusted peer, and continues';

function fromStranger({ write, invalidBytes, delivered }: Stranger): Steps {
  return async ({ open, until }) => {
    const [a, b] = [await open(), await open()];
    const inbox = new Inbox(b);
    // The first byte is fixed, so that the random bytes are never valid by chance.
    const hostile = [
      ...invalidBytes,
      ...[1, 2, 3, 100, 1000, 5000].map((size) => new Uint8Array(randomBytes(size)).fill(0xff, 0, 1)),
    ];
    for (const bytes of hostile) await write(b.local, bytes);
    const heard = delivered ? hostile.map(({ length }) => length) : [];
    await until(() => inbox.arrivals.length + b.counters.malformed >= hostile.length);
    a.send(b.local, Uint8Array.of(7));
    const arrivals = await inbox.first(heard.length + 1);
    const lengths = arrivals.map(({ bytes }) => bytes.length);
    equal(ascending(lengths), ascending([...heard, 1]));
    equal({ ...arrivals.at(-1)!.from }, { ...a.local });
    equal(b.counters.malformed, hostile.length - heard.length);
  };
}

const ends: Readonly<Record<string, Steps>> = {
  'continues when no peer is at the other end': async ({ open }) => {
    const [a, b, gone] = [await open(), await open(), await open()];
    const inbox = new Inbox(b);
    const { local } = gone;
    await gone.close();
    a.send(local, Uint8Array.of(1));
    a.send(b.local, Uint8Array.of(2));
    await inbox.first(1);
    equal(inbox.marks, [2]);
  },

  'sends and delivers nothing after closing, and can be closed twice': async ({ open }) => {
    const [a, b, c] = [await open(), await open(), await open()];
    const [inboxA, inboxB, inboxC] = [new Inbox(a), new Inbox(b), new Inbox(c)];
    a.send(b.local, Uint8Array.of(1));
    c.send(a.local, Uint8Array.of(5));
    await a.close();
    a.send(b.local, Uint8Array.of(2));
    await a.close();
    c.send(b.local, Uint8Array.of(3));
    b.send(c.local, Uint8Array.of(4));
    await Promise.all([inboxB.first(1), inboxC.first(1)]);
    equal([inboxA.marks, inboxB.marks], [[], [3]]);
  },

  'frees its address when closed, and refuses an address in use with an error code': async ({ open }) => {
    const a = await open();
    await rejects(open({ ...a.local }), { name: 'EnvironmentError', code: 'address-in-use' });
    await a.close();
    const again = await open({ ...a.local });
    equal({ ...again.local }, { ...a.local });
  },
};
