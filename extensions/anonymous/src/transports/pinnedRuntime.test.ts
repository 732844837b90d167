import type { Contribution } from '@tutti/core';
import { type Endpoint, networkKey, type PacketListener, rememberedSecrets } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/raw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { defaultSetupConfig, PlainRegistrations } from '../setup.ts';
import { nameBytes, type SignedRegistrations } from './registrations.ts';
import { anonymousRegistry, SetupRuntime } from './setupRuntime.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const members = 3;
const remembered = rememberedSecrets(nodeCrypto);
const secrets = Array.from({ length: members }, (_, index) => new Uint8Array(32).fill(index + 1));
const keys = secrets.map((secret) => networkKey(nodeCrypto, secret).publicKey);
const session = new Uint8Array(32).fill(5);
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** Registrations without signatures that have bytes as signed ones have: author, text, and whether they hold. */
class WrittenRegistrations extends PlainRegistrations {
  readonly signatureBytes = [3];
  /** Next, a check fails to be carried out. */
  isBroken = false;

  decode(bytes: Uint8Array) {
    if (bytes.length < 3 || bytes[0]! >= this.members) return { ok: false, code: 'malformed' } as const;
    return {
      ok: true,
      handle: this.registration({ author: bytes[0]!, text: bytes[1]!, valid: bytes[2] === 1 }),
    } as const;
  }

  bytes(handle: Contribution): Uint8Array {
    const [text, author, , valid] = this.name(handle).split('/');
    // Long enough for two packets.
    const bytes = new Uint8Array(90);
    bytes.set([Number(author), Number(text), Number(valid === 'true')]);
    return bytes;
  }

  readList(body: Uint8Array): Contribution {
    const names = Array.from({ length: body.length / nameBytes }, (_, at) =>
      decoder.decode(body.subarray(at * nameBytes, (at + 1) * nameBytes)).trimEnd(),
    );
    return this.list(names);
  }

  listBytes(handle: Contribution): Uint8Array {
    return encoder.encode([...this.names(handle)].map((name) => name.padEnd(nameBytes)).join(''));
  }

  async verify(handle: Contribution): Promise<boolean> {
    if (this.isBroken) throw new Error('no signatures can be checked');
    return this.isValid(handle);
  }

  entry(handle: Contribution) {
    const [text] = this.name(handle).split('/');
    return entryOf(Number(text));
  }
}

const entryOf = (key: number, network = key) => ({
  publicKey: new Uint8Array(48).fill(key),
  networkKey: new Uint8Array(32).fill(network),
});

interface Packet {
  readonly to: Endpoint;
  readonly from: Endpoint;
  readonly bytes: Uint8Array;
}

/** Members whose packets are lost, doubled and spoilt, told by all that they send and say of themselves. */
async function playSetup(draw: Draw): Promise<unknown> {
  const told: unknown[] = [];
  const sent: Packet[] = [];
  const endpoints = keys.map((_, index) => ({ host: '192.0.2.1', port: draw.chance(0.1) ? 7 : 1 + index }));
  const listeners = new Map<number, PacketListener>();
  const crypto = { ...remembered, randomBytes: (length: number) => draw.bytes(length) };
  const registrations = keys.map(() => new WrittenRegistrations(members, draw.chance(0.5)));
  const make = (index: number, isWatched = draw.chance(0.9)) => {
    const scheme = registrations[index]!;
    const from = endpoints[index]!;
    const send = (way: string) => (to: Endpoint, bytes: Uint8Array) => {
      told.push([way, index, to, bytes]);
      sent.push({ to, from: way === 'hidden' ? { host: 'exit', port: draw.integer(1, 2) } : from, bytes });
    };
    return new SetupRuntime({
      ...{ crypto, index, networkSecret: secrets[index]!, session },
      members: keys.map((networkKey, of) => ({ networkKey, endpoint: endpoints[of]! })),
      inbox: {
        ...{ maxPacketBytes: 150, local: from, counters: {}, send: send('inbox') },
        onPacket: (listener: PacketListener) => void listeners.set(index, listener),
        close: async () => void told.push(['closed', index]),
      } as never,
      hidden: { maxPacketBytes: 80, send: send('hidden') },
      clock: { nowUs: () => 1000 * Date.now() },
      config: { ...defaultSetupConfig, periodMs: 10, collectMs: 100, relayMs: 40, contacts: 2, mostAnonymous: 4 },
      registrations: scheme as unknown as SignedRegistrations,
      own: [Uint8Array.of(index, index, 1), ...(draw.chance(0.2) ? [Uint8Array.of(index, 10, 1)] : [])],
      onEnded: () => told.push(['ended', index]),
      ...(isWatched && { onFailure: (error: Error) => told.push([index, String(error)]) }),
    });
  };
  const runtimes = keys.map((_, index) => make(index));
  for (const [index, runtime] of runtimes.entries()) {
    told.push(runtime.report());
    if (draw.chance(0.95)) runtime.start();
    told.push(index);
  }
  for (let step = 0; step < 110; step++) {
    const what = draw.integer(0, 19);
    const at = draw.chance(0.8) ? 0 : draw.integer(0, Math.max(0, sent.length - 1));
    if (what < 13 && sent.length > 0) {
      const { to, from, bytes } = sent[at]!;
      if (draw.chance(0.9)) sent.splice(at, 1);
      const place = endpoints.findIndex(({ port }) => port === to.port);
      const spoilt = bytes.slice(0, draw.one([bytes.length, bytes.length, 1, 5, 20]));
      spoilt[draw.integer(0, Math.min(12, spoilt.length - 1))]! ^= 1 << draw.integer(0, 7);
      const wrong = draw.chance(0.1) ? { ...from, port: 9 } : from;
      told.push(outcomeOf(() => listeners.get(place)!(draw.chance(0.9) ? bytes : spoilt, wrong)));
    } else if (what < 18) await vi.advanceTimersByTimeAsync(draw.one([1, 10, 35]));
    else if (what === 18 && draw.chance(0.1)) await runtimes[draw.integer(0, 2)]!.close();
    else if (draw.chance(0.1)) registrations[draw.integer(0, 2)]!.isBroken = draw.chance(0.5);
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    told.push(runtimes.map((one) => [one.ended, one.accepted]));
  }
  for (const runtime of runtimes) {
    told.push(runtime.report());
    await runtime.close();
  }
  return digestOf([told, vi.getTimerCount(), registrations.map(({ held }) => held)]);
}

it('members of a set-up whose packets are lost, doubled and spoilt send, say and keep what they did', async () => {
  const pins: unknown[] = [];
  for (const play of drawn(24, (draw) => () => playSetup(draw))) pins.push(await play());
  expect(pins).toMatchSnapshot();
});

it('an invalid registration is refused, and a registry leaves out all who share a key', () => {
  const listed = (...entries: object[]) => anonymousRegistry(entries as never).map(({ publicKey }) => publicKey[0]);
  expect([
    listed(),
    listed(entryOf(2), entryOf(1)),
    listed(entryOf(1), entryOf(3), entryOf(1, 4), entryOf(2)),
    listed(entryOf(100), entryOf(16), entryOf(1), entryOf(7, 16)),
  ]).toEqual([[], [1, 2], [2, 3], [1, 100]]);
  const whole = {
    ...{ crypto: nodeCrypto, index: 0, networkSecret: secrets[0]!, session, clock: { nowUs: () => 0 } },
    members: keys.map((networkKey, port) => ({ networkKey, endpoint: { host: 'h', port } })),
    inbox: { maxPacketBytes: 150, local: { host: 'h', port: 0 }, onPacket() {}, send() {}, close() {} },
    ...{ hidden: { maxPacketBytes: 80, send() {} }, config: defaultSetupConfig },
    ...{ registrations: new WrittenRegistrations(members, true), own: [Uint8Array.of(0, 1, 1)] },
  };
  const wrong: object[] = [
    ...[{}, { own: [Uint8Array.of(9, 1, 1)] }, { own: 5 }, { inbox: {} }, { hidden: {} }, { clock: {} }],
    ...[{ registrations: {} }, { members: 5 }, { members: [{}] }, { index: 3 }, { index: -1 }, { session: 5 }],
    ...[{ networkSecret: 5 }, { crypto: {} }, { config: {} }],
  ];
  expect(
    wrong.map((fields) => outcomeOf(() => new SetupRuntime({ ...whole, ...fields } as never) && 'taken')),
  ).toMatchInlineSnapshot(`
    [
      "taken",
      "RangeError: own: expected registrations, got one that is malformed",
      "TypeError: own: expected an array, got 5",
      "TypeError: inbox.onPacket: expected a function, got undefined",
      "TypeError: hidden.send: expected a function, got undefined",
      "TypeError: clock.nowUs: expected a function, got undefined",
      "TypeError: registrations.decode: expected a function, got undefined",
      "TypeError: members: expected an array, got 5",
      "TypeError: members[0].networkKey: expected a Uint8Array, got undefined",
      "RangeError: self: expected an index below 3, got 3",
      "RangeError: self: expected an index below 3, got -1",
      "TypeError: session: expected a Uint8Array, got 5",
      "TypeError: secret: expected a Uint8Array, got 5",
      "TypeError: crypto.randomBytes: expected a function, got undefined",
      "RangeError: periodMs: expected a number from 1 to 3600000, got undefined",
    ]
  `);
});
