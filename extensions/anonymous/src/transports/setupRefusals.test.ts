import type { Contribution } from '@tutti/core';
import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { defaultSetupConfig, PlainRegistrations } from '../setup.ts';
import { nameBytes } from './registrations.ts';
import { anonymousRegistry, SetupRuntime } from './setupRuntime.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const members = 3;
const secrets = Array.from({ length: members }, (_, index) => new Uint8Array(32).fill(index + 1));
const keys = secrets.map((secret) => networkKey(nodeCrypto, secret).publicKey);
const session = new Uint8Array(32).fill(5);
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** Unsigned registrations that are encoded as bytes, like signed ones: author, text, and validity. */
class WrittenRegistrations extends PlainRegistrations {
  readonly signatureBytes = [3];
  /** Whether the next verification throws. */
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
    // The length requires two packets.
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

it('refuses an invalid registration, and a registry omits all members that share a key', () => {
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
