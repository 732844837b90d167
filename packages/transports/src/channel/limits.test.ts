import { expect, it } from 'vitest';
import { drawn, refusedBy } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { vouchesFor } from '../runtime/memberLink.ts';
import { Channel, type ChannelOptions, channelOverheadBytes, maxIncarnations } from './channel.ts';
import { Reassembly, splitMessage } from './fragments.ts';
import { networkKey } from './networkKey.ts';
import { ReplayWindow } from './replayWindow.ts';

const session = new Uint8Array(32).fill(9);

it('refuses packets of further incarnations of a peer after the maximum number of incarnations', () => {
  const keys = [1, 2].map((fill) => networkKey(nodeCrypto, new Uint8Array(32).fill(fill)));
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  const open = (self: number) =>
    new Channel({ crypto: nodeCrypto, session, self, secret: keys[self]!.secret, publicKeys });
  const hears = open(1);
  const incarnations = Array.from({ length: maxIncarnations + 2 }, () =>
    hears.open(open(0).seal(1, Uint8Array.of(1, 2, 3))),
  );
  expect(incarnations.map((opened) => opened.ok || opened.code)).toEqual([
    ...Array(maxIncarnations).fill(true),
    'too-many-incarnations',
    'too-many-incarnations',
  ]);
});

it('accepts a payload that fills a packet except the overhead, and no longer payload', () => {
  const { secret, publicKey } = networkKey(nodeCrypto, new Uint8Array(32).fill(1));
  const maxPacketBytes = channelOverheadBytes + 3;
  const channel = new Channel({
    crypto: nodeCrypto,
    session,
    self: 0,
    secret,
    publicKeys: [publicKey, publicKey],
    maxPacketBytes,
  });
  for (const length of [0, 3])
    expect(channel.seal(1, new Uint8Array(length))).toHaveLength(channelOverheadBytes + length);
  expect(() => channel.seal(1, new Uint8Array(4))).toThrow(RangeError);
});

it('a replay window accepts the same counters as an unbounded set within the window', () => {
  const wrong = drawn(60, (draw) => {
    const window = new ReplayWindow();
    const seen = new Set<number>();
    let highest = -1;
    let base = draw.one([0, 2 ** 31, 2 ** 32 - 700]);
    return draw.list(200, () => {
      base += draw.one([0, 0, 1, 2, 31, 32, 33, 63, 64, 65, 200]) * (draw.chance(0.2) ? 1 : 0);
      const counter = Math.max(0, base + draw.integer(-70, 3));
      const fresh = counter > highest - 64 && !seen.has(counter);
      const faults = window.isFresh(counter) === fresh ? [] : [`${counter} after ${highest}`];
      if (!fresh || draw.chance(0.2)) return faults;
      window.accept(counter);
      seen.add(counter);
      highest = Math.max(highest, counter);
      return faults;
    });
  });
  expect(wrong.flat(2)).toEqual([]);
});

it('splits messages into payloads of the maximum length and refuses longer messages', () => {
  const long = new Uint8Array(65_536);
  for (const number of [-1, 0.5, 2 ** 32]) expect(refusedBy(() => splitMessage(long, 20, number))).toBe('number');
  for (const most of [9, 10]) expect(refusedBy(() => splitMessage(long, most, 0))).toBe('message');
  expect(splitMessage(long.subarray(1), 10, 1)).toHaveLength(65_535);
  for (const most of [17, 18, 19])
    expect(splitMessage(new Uint8Array(10), most, 1).map((piece) => piece.length)).toEqual([11]);
  expect(() => new Reassembly({ maxMessageBytes: 9, onRefused: () => {} }).take(0, new Uint8Array(0))).not.toThrow();
});

it('verifies an address if exactly one entry has it and the packet names the current incarnation', () => {
  const endpoints = [1, 2, 2, 3].map((port) => ({ host: port === 3 ? 'b' : 'a', port }));
  const [bound, unbound] = [1, 0].map((byte) => new Uint8Array(60).fill(byte));
  const pins = endpoints.flatMap((_, from) =>
    [bound!, unbound!].map((packet) =>
      [...endpoints, { host: 'b', port: 1 }].map((at) => vouchesFor(endpoints, from, packet, at)),
    ),
  );
  expect(pins.map((row) => row.map(Number).join(''))).toEqual(['10000', ...Array(5).fill('00000'), '00010', '00000']);
});

it('refuses a value that is not a channel, and names it', () => {
  const { secret, publicKey } = networkKey(nodeCrypto, new Uint8Array(32).fill(1));
  const right: ChannelOptions = { crypto: nodeCrypto, session, self: 0, secret, publicKeys: [publicKey] };
  const wrong: readonly [object, string][] = [
    ...[{}, { firstCounter: 2 ** 32 - 1 }].map((fields): [object, string] => [fields, 'taken']),
    ...[-1, 0.5, 2 ** 32].map((firstCounter): [object, string] => [{ firstCounter }, 'firstCounter']),
    ...[-1, 0.5, 1].map((self): [object, string] => [{ self }, 'self']),
    [{ publicKeys: [] }, 'self'],
    [{ publicKeys: 5 }, 'publicKeys'],
    [{ session: session.subarray(1) }, 'session'],
    [{ session: undefined }, 'session'],
    [{ crypto: {} }, 'crypto.randomBytes'],
    [{ secret: 'x' }, 'secret'],
  ];
  for (const [fields, refused] of wrong)
    expect(refusedBy(() => new Channel({ ...right, ...fields } as never))).toBe(refused);
});
