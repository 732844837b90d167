import { toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { joinSignalling, lastingSignalling, type WebSocketLike } from './client.ts';
import type { Signalling, SignallingEvent } from './signalling.ts';

const came = (member: string): SignallingEvent => ({ type: 'came', member, card: '' });
const lost: SignallingEvent = { type: 'lost', line: 'gone' };

/** Simulates a server that can be unavailable, and a clock that the test controls. */
async function room() {
  const server = { nowMs: 0, isAway: false };
  let attempts = 0;
  const waits: number[] = [];
  let due: (() => unknown) | undefined;
  let tell: (event: SignallingEvent) => void = () => {};
  const said: string[] = [];
  const closed: number[] = [];
  const join = async (): Promise<Signalling> => {
    const number = ++attempts;
    if (server.isAway) throw new Error('nobody there');
    return {
      signal: (to, text) => void said.push(`${number} to ${to}: ${text}`),
      announce: (text) => void said.push(`${number} to all: ${text}`),
      onEvent: (listener) => {
        tell = listener;
        listener(came('self'));
      },
      close: () => void closed.push(number),
    };
  };
  const signalling = await lastingSignalling(join, {
    nowMs: () => server.nowMs,
    later: (run, ms) => {
      waits.push(ms);
      due = run;
      return () => {
        due = undefined;
      };
    },
  });
  const events: SignallingEvent[] = [];
  signalling.onEvent((event) => events.push(event));
  return {
    signalling,
    events,
    waits,
    said,
    closed,
    tell: (event: SignallingEvent) => tell(event),
    server,
    /** Runs the next attempt and returns whether one was due. */
    async attempt() {
      server.nowMs += waits.at(-1)!;
      const run = due;
      due = undefined;
      await run?.();
      await new Promise(setImmediate);
      return run !== undefined;
    },
  };
}

it('a lost room is joined again after increasing delays, and reported before its members', async () => {
  const { signalling, events, waits, said, tell, server, attempt } = await room();
  signalling.announce('a');
  server.isAway = true;
  tell(lost);
  signalling.announce('unheard');
  for (let count = 0; count < 7; count++) await attempt();
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(events).toEqual([came('self'), lost]);
  server.isAway = false;
  await attempt();
  expect(events.slice(2)).toEqual([{ type: 'back' }, came('self')]);
  signalling.signal('ann', 'b');
  expect(said).toEqual(['1 to all: a', '9 to ann: b']);
});

it('the delay grows if the server ends each room at once, and is short after a lasting room', async () => {
  const { waits, tell, server, attempt } = await room();
  for (let count = 0; count < 3; count++) {
    tell(lost);
    await attempt();
  }
  expect(waits).toEqual([100, 200, 400]);
  server.nowMs += 5000;
  tell(lost);
  expect(waits.at(-1)).toBe(100);
  // The time spent in the room counts from the last join.
  await attempt();
  tell(lost);
  expect(waits.at(-1)).toBe(200);
});

it('does not join again after leave', async () => {
  const away = await room();
  away.tell(lost);
  away.signalling.close();
  expect(await away.attempt()).toBe(false);
  // Leaving also prevents a further join while an attempt is in progress.
  const under = await room();
  under.tell(lost);
  const attempt = under.attempt();
  under.signalling.close();
  await attempt;
  expect(under.closed).toEqual([2]);
  expect(under.events).toEqual([came('self'), lost]);
});

it('joins once although the listener throws', async () => {
  const { signalling, waits, said, tell, attempt } = await room();
  signalling.onEvent(({ type }) => {
    if (type === 'back') throw new Error('of the listener');
  });
  tell(lost);
  await expect(attempt()).rejects.toThrow('of the listener');
  signalling.announce('a');
  expect([waits, said]).toEqual([[100], ['2 to all: a']]);
});

it('fails if the first join fails', async () => {
  await expect(lastingSignalling(() => Promise.reject(new Error('nobody there')))).rejects.toThrow('nobody there');
});

const keys = Array.from({ length: 5 }, (_, index) => networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)));
const names = keys.map(({ publicKey }) => toHex(publicKey));

it('refuses an invalid option, and names it', async () => {
  const right = {
    ...{ url: 'ws://h/signal', room: 'room', member: names[0]!, secret: keys[0]!.secret, crypto: nodeCrypto },
    ...{ card: 'mine', invitation: undefined, connect: () => ({}) as WebSocketLike },
  };
  const expectRefusal = (call: () => Promise<unknown>, field: string) =>
    expect((async () => call())()).rejects.toThrow(new RegExp(`^${field}: expected `));
  for (const field of Object.keys(right))
    await expectRefusal(() => joinSignalling({ ...right, [field]: 5 } as never), field);
  await expectRefusal(() => joinSignalling({ ...right, room: 'a b' }), 'room');
  await expectRefusal(() => joinSignalling({ ...right, member: 'A' }), 'member');
  await expectRefusal(() => joinSignalling({ ...right, secret: new Uint8Array(31) }), 'secret');
  await expectRefusal(() => joinSignalling(undefined as never), 'options');
  await expectRefusal(() => lastingSignalling(5 as never), 'join');
  await expectRefusal(() => lastingSignalling(async () => ({}) as Signalling), 'joined.signal');
});
