import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn } from '../../../../tests/digests.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { rememberedSecrets } from '../rounds/rememberedSecrets.ts';
import { joinSignalling, type WebSocketLike } from './client.ts';
import { lastingSignalling } from './lastingSignalling.ts';
import { SealedSignals } from './sealedSignals.ts';
import type { Signalling, SignallingEvent } from './signalling.ts';

const remembered = rememberedSecrets(nodeCrypto);
const keys = Array.from({ length: 5 }, (_, index) => networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)));
const names = keys.map(({ publicKey }) => toHex(publicKey));

/** What was promised has come or failed by then. */
const turns = async () => {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
};

function drawNotice(draw: Draw, step: number): string {
  const member = draw.one(names);
  const likely = step < 3 ? ['challenge', 'joined'] : [];
  const type = draw.one([...likely, 'challenge', 'joined', 'came', 'went', 'signal', 'announcement', 'refused', 'x']);
  return JSON.stringify({
    ...{ type, member, from: member, card: 'card', text: `text ${step}`, code: 'room-full' },
    ...{ key: draw.chance(0.8) ? names[4] : '0'.repeat(64), nonce: '7'.repeat(32) },
    members: draw.some(names).map((name) => ({ member: name, card: 'theirs' })),
  });
}

it('a member tells its server, its caller and its listeners what it did, whatever comes and whenever', async () => {
  const pins = drawn(60, async (draw) => {
    const told: unknown[] = [];
    const socket: WebSocketLike = {
      ...{ onmessage: null, onclose: null, onerror: null },
      send: (text) => void told.push(['sent', text]),
      close: () => void told.push('closed'),
    };
    const invitation = draw.one([undefined, 'i'.repeat(22)]);
    const connect = (url: string) => {
      told.push(url);
      return socket;
    };
    let joined: Signalling | undefined;
    joinSignalling({
      ...{ url: 'ws://h/signal', room: 'room', member: names[0]!, secret: keys[0]!.secret, crypto: remembered },
      ...{ card: 'mine', invitation, connect },
    }).then(
      (signalling) => {
        joined = signalling;
      },
      (error: Error) => told.push(String(error)),
    );
    for (let step = 0; step < 24; step++) {
      const what = draw.integer(0, 24);
      if (what === 0) socket.onclose!();
      else if (what === 1) socket.onerror!();
      else if (what === 2) joined?.close();
      else if (what < 6) joined?.signal(draw.one(names), `signal ${step}`);
      else if (what < 8) joined?.announce(`announcement ${step}`);
      else if (what === 8) joined?.onEvent((event) => told.push(event));
      else socket.onmessage!({ data: draw.chance(0.95) ? drawNotice(draw, step) : draw.one([undefined, 'x', 5]) });
      await turns();
      told.push(joined === undefined);
    }
    return digestOf(told);
  });
  expect(await Promise.all(pins)).toMatchSnapshot();
});

it('a room that is lost is joined again when it was, and whoever listens hears the same', async () => {
  const pins = drawn(60, async (draw) => {
    const told: unknown[] = [];
    const rooms: ((event: SignallingEvent) => void)[] = [];
    const waiting: (() => void)[] = [];
    let nowMs = 0;
    const join = async (): Promise<Signalling> => {
      const which = rooms.length;
      if (which > 0 && draw.chance(0.4)) throw new Error('nobody there');
      return {
        signal: (to, text) => void told.push([which, to, text]),
        announce: (text) => void told.push([which, text]),
        onEvent: (listener) => void rooms.push(listener),
        close: () => void told.push([which, 'closed']),
      };
    };
    const later = (run: () => void, ms: number) => {
      told.push(['later', ms]);
      waiting.push(run);
      return () => void told.push('cancelled');
    };
    const lasting = await lastingSignalling(join, { later, nowMs: () => nowMs });
    lasting.onEvent((event) => told.push(event));
    for (let step = 0; step < 40; step++) {
      nowMs += draw.one([1, 50, 4999, 5000]);
      const what = draw.integer(0, 20);
      const events: SignallingEvent[] = [
        { type: 'lost', line: 'gone' },
        { type: 'went', member: 'm' },
      ];
      if (what === 0 && draw.chance(0.5)) lasting.close();
      else if (what < 5) lasting.signal('m', `signal ${step}`);
      else if (what < 8) lasting.announce(`announcement ${step}`);
      else if (what < 14) rooms[draw.integer(Math.max(0, rooms.length - 2), rooms.length - 1)]!(draw.one(events));
      else waiting.shift()?.();
      await turns();
    }
    return digestOf(told);
  });
  expect(await Promise.all(pins)).toMatchSnapshot();
});

it('signals are sealed, opened, refused and forgotten as they were, in whatever order they come', () => {
  const pins = drawn(40, (draw) => {
    const told: unknown[] = [];
    const carried: { from: number; to: string; sealed: string }[] = [];
    const crypto = { ...remembered, randomBytes: (length: number) => draw.bytes(length) };
    const make = (index: number) => {
      const carry = (to: string, sealed: string) => {
        told.push(['carried', index, names.indexOf(to), sealed]);
        carried.push({ from: index, to, sealed });
      };
      const room = index === 4 ? 'another room' : 'room';
      const one = new SealedSignals({ crypto, room, secret: keys[index]!.secret, carry, mostMembers: 2 });
      for (const purpose of index === 3 ? (['room'] as const) : (['room', 'link'] as const))
        one.for(purpose).onSignal((from, text) => told.push(['heard', index, purpose, names.indexOf(from), text]));
      return one;
    };
    const members = keys.map((_, index) => make(index));
    for (let step = 0; step < 90; step++) {
      const index = draw.integer(0, 4);
      const to = draw.chance(0.95) ? draw.one(names) : 'x';
      const what = draw.integer(0, 19);
      if (what < 8) {
        const text = draw.chance(0.97) ? `text ${step}` : 'x'.repeat(draw.one([12_000, 30_000]));
        members[index]!.for(draw.one(['link', 'room'])).send(to, text);
      } else if (what < 17 && carried.length > 0) {
        const at = draw.chance(0.7) ? carried.length - 1 : draw.integer(0, carried.length - 1);
        const { from, to: name, sealed } = carried[at]!;
        if (draw.chance(0.8)) carried.splice(at, 1);
        const spoilt = draw.one([sealed.slice(2), `${sealed}0`, '', `00${sealed.slice(2)}`]);
        const said = draw.chance(0.95) ? names[from]! : draw.one(names);
        const hears = draw.chance(0.95) ? names.indexOf(name) : index;
        members[hears]?.onSignal(said, draw.chance(0.93) ? sealed : spoilt);
      } else if (what === 17) members[index]!.forget(to);
      else if (what === 18 && draw.chance(0.2)) members[index] = make(index);
      told.push(members[index]!.refused);
    }
    return digestOf(told);
  });
  expect(pins).toMatchSnapshot();
});

it('what joins no room is refused with the words it was', async () => {
  const right = {
    ...{ url: 'ws://h/signal', room: 'room', member: names[0]!, secret: keys[0]!.secret, crypto: nodeCrypto },
    ...{ card: 'mine', invitation: undefined, connect: () => ({}) as WebSocketLike },
  };
  const refused = async (call: () => Promise<unknown>) => {
    try {
      await call();
      return 'taken';
    } catch (error) {
      return String(error);
    }
  };
  const pins = await Promise.all(
    Object.keys(right).map((field) => refused(() => joinSignalling({ ...right, [field]: 5 } as never))),
  );
  const none = () => refused(() => lastingSignalling(async () => ({}) as Signalling));
  const more = [() => joinSignalling(undefined as never), () => lastingSignalling(5 as never)].map(refused);
  expect([...pins, ...(await Promise.all(more)), await none()]).toMatchInlineSnapshot(`
    [
      "TypeError: url: expected a text, got 5",
      "TypeError: room: expected a text, got 5",
      "TypeError: member: expected a text, got 5",
      "TypeError: secret: expected a Uint8Array, got 5",
      "TypeError: crypto: expected an object with randomBytes, sha256, hmacSha256, hkdfSha256, keyAgreement, seal, open, got 5",
      "TypeError: card: expected a text, got 5",
      "TypeError: invitation: expected a text, got 5",
      "TypeError: connect: expected a function, got 5",
      "TypeError: options: expected an object, got undefined",
      "TypeError: join: expected a function, got 5",
      "TypeError: joined.signal: expected a function, got undefined",
    ]
  `);
});
