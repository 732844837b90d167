import { toHex, writeUint } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RepeatedAnnouncement } from './repeatedAnnouncement.ts';
import { Turns } from './signingOrder.ts';
import { entryOf, type SigningEntry, SigningQueue, type SigningQueueOptions } from './signingQueue.ts';

const toFake = ['setTimeout', 'clearTimeout', 'performance', 'queueMicrotask'] as const;
beforeEach(() => void vi.useFakeTimers({ toFake: [...toFake] }));
afterEach(() => void vi.useRealTimers());

const tickMs = 160;
const graceMs = 4 * tickMs;
const turnMs = 12 * tickMs;

/** Creates a signing queue without a protocol. The test decides when messages are certified. */
function queueOf(given: Partial<SigningQueueOptions> = {}) {
  const certified = new Set<string>();
  const [begun, dropped, gaveUp]: [string[], string[], string[]] = [[], [], []];
  const running = new Set<string>();
  const turns = new Turns(() => 1n, 1n);
  const signingQueue = new SigningQueue({
    ...{ crypto: nodeCrypto, turns, size: 4, maxOpen: 4, maxWaiting: 16, giveUpMs: 10_000, periodMs: 20 },
    isStored: (name) => certified.has(name),
    signersOf: () => new Set(),
    hasQuorum: () => false,
    begin: ({ name }) => running.add(name) && begun.push(name) > 0,
    stop: ({ name }) => void running.delete(name),
    onDropped: (why) => dropped.push(why),
    onGaveUp: ({ name }) => gaveUp.push(name),
    ...given,
  });
  let sequence = 0;
  const entryFor = (account: number, fields: Partial<SigningEntry>): SigningEntry => {
    sequence++;
    const bytes = fields.bytes ?? new TextEncoder().encode(`message ${account} ${sequence}`);
    const name = toHex(nodeCrypto.sha256([bytes, Uint8Array.of(sequence)]));
    const ask = { origin: account, sequence, signature: new Uint8Array(64) };
    return {
      ...entryOf({ name, bytes, height: undefined, ask }, ask, 0),
      announcement: new RepeatedAnnouncement({
        ...{ crypto: nodeCrypto, size: 4, self: 0, isFirst: false, periodMs: 20 },
        ...{ signers: () => 0, announce: () => {}, onQuiet: () => {} },
      }),
      ...fields,
    };
  };
  const admit = (account: number, fields: Partial<SigningEntry> = {}): SigningEntry => {
    const entry = entryFor(account, fields);
    signingQueue.admit(entry);
    return entry;
  };
  const certify = (entry: SigningEntry) => {
    certified.add(entry.name);
    signingQueue.next();
  };
  return { signingQueue, admit, certify, begun, running, dropped, gaveUp };
}

it('another member occupies at most half of the slots, and this member can occupy all slots', () => {
  const { signingQueue, admit, begun } = queueOf();
  for (let number = 0; number < 4; number++) admit(1);
  expect(signingQueue.counts).toEqual({ open: 2, waiting: 2 });
  const other = admit(2);
  expect(begun).toContain(other.name);
  const own = queueOf();
  for (let number = 0; number < 5; number++) own.admit(0, { isOwn: true });
  expect(own.signingQueue.counts).toEqual({ open: 4, waiting: 1 });
});

it('if a member exceeds its share of waiting messages, only the latest request of this member is dropped', () => {
  const { signingQueue, admit, dropped } = queueOf();
  const theirs = Array.from({ length: 6 }, () => admit(1));
  const others = [admit(2), admit(2), admit(2)];
  // Two messages of each member are open in this case. The share of a member is `maxOpen`, 4, because `maxOpen` exceeds
  // `maxWaiting` divided by the number of members.
  expect(dropped).toEqual([]);
  expect(signingQueue.hasRoomFor({ origin: 1, sequence: 99 }, 10)).toBe(false);
  expect(signingQueue.hasRoomFor({ origin: 2, sequence: 99 }, 10)).toBe(true);
  const late = admit(1, { sequence: 99 });
  expect([dropped, signingQueue.find(late.name)]).toEqual([['too-many-of-one'], undefined]);
  const early = admit(1, { sequence: 0 });
  expect(signingQueue.find(early.name)).toBe(early);
  for (const entry of others) expect(signingQueue.find(entry.name)).toBe(entry);
  expect(theirs.filter(({ name }) => signingQueue.find(name) === undefined)).toEqual([theirs.at(-1)]);
});

it('a request that exceeds the byte limit of its member by one byte is dropped', () => {
  const { signingQueue, admit, dropped } = queueOf({ size: 64, maxOpen: 2, maxWaiting: 6400 });
  const long = 2 ** 20 / 16;
  for (let number = 0; number < 17; number++) admit(1, { bytes: new Uint8Array(long) });
  // One message is open, and 16 messages are waiting, with a total of 1 MiB.
  expect([signingQueue.counts, dropped]).toEqual([{ open: 1, waiting: 16 }, []]);
  expect(signingQueue.hasRoomFor({ origin: 1, sequence: 99 }, 1)).toBe(false);
  expect(signingQueue.hasRoomFor({ origin: 2, sequence: 99 }, long)).toBe(true);
  admit(1, { bytes: new Uint8Array(1) });
  expect(dropped).toEqual(['too-many-of-one']);
});

it('a large message of a member replaces as many later messages of that member as its byte limit requires', () => {
  const { signingQueue, admit } = queueOf({ size: 64, maxOpen: 2, maxWaiting: 6400 });
  for (let sequence = 100; sequence < 118; sequence++) admit(1, { sequence, bytes: new Uint8Array(1) });
  for (let sequence = 0; sequence < 18; sequence++) admit(1, { sequence, bytes: new Uint8Array(2 ** 20 / 16) });
  expect(signingQueue.counts).toEqual({ open: 1, waiting: 16 });
});

it('later announcements reach each member of a registry of the maximum size', () => {
  const reached: number[] = [];
  const size = 2 ** 20;
  const randomBytes = (length: number) => {
    const bytes = new Uint8Array(length);
    writeUint(bytes, 0, length, size - 5);
    return bytes;
  };
  const announcement = new RepeatedAnnouncement({
    ...{ crypto: { ...nodeCrypto, randomBytes }, size, self: 0, isFirst: false, periodMs: 20 },
    ...{ signers: () => 0, announce: (to) => reached.push(to), onQuiet: () => {} },
  });
  announcement.start();
  vi.advanceTimersByTime(200);
  expect(reached).toEqual([4, 3, 2, 1].map((behind) => size - behind));
});

it('one message over the total limit replaces a message of the member with the most waiting messages', () => {
  const { signingQueue, admit, dropped } = queueOf({ maxOpen: 2, maxWaiting: 3, size: 8 });
  const [first, second] = [admit(1), admit(2)];
  const waiting = [admit(3), admit(3), admit(4)];
  expect([signingQueue.counts.waiting, dropped]).toEqual([3, []]);
  const last = admit(5);
  expect([signingQueue.counts.waiting, dropped]).toEqual([3, ['busy']]);
  const lost = [first!, second!, ...waiting, last].filter(({ name }) => signingQueue.find(name) === undefined);
  expect(lost).toEqual([waiting[1]]);
});

it('at most maxWaiting messages of this member can wait', () => {
  const { signingQueue, admit } = queueOf({ maxOpen: 1, maxWaiting: 3 });
  for (let number = 0; number < 4; number++) {
    expect(signingQueue.hasRoomForOwn).toBe(true);
    admit(0, { isOwn: true });
  }
  expect(signingQueue.hasRoomForOwn).toBe(false);
});

it('a round without a certificate is abandoned after it has occupied a slot for giveUpMs, whether or not another round waits for the slot', () => {
  const { signingQueue, admit, gaveUp } = queueOf({ giveUpMs: 1600 });
  const entry = admit(1);
  vi.advanceTimersByTime(1599);
  expect(gaveUp).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([gaveUp, signingQueue.counts.open]).toEqual([[entry.name], 0]);
});

it('waiting time does not count towards giveUpMs, and the count continues when the message occupies a slot again', () => {
  const { signingQueue, admit, gaveUp } = queueOf({ giveUpMs: 4 * turnMs, maxOpen: 1 });
  const rivals = [1, 2, 3].map((account) => admit(account));
  vi.advanceTimersByTime(4 * turnMs);
  expect(gaveUp.length).toBeLessThan(3);
  vi.advanceTimersByTime(8 * turnMs + 3 * tickMs);
  expect(gaveUp).toHaveLength(3);
  expect(rivals.map(({ name }) => signingQueue.find(name))).toEqual([undefined, undefined, undefined]);
});

it('a message that a quorum has signed is abandoned only after ten times giveUpMs', () => {
  const { admit, gaveUp } = queueOf({ giveUpMs: 1600, hasQuorum: () => true });
  admit(1);
  vi.advanceTimersByTime(16_000 - 1);
  expect(gaveUp).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(gaveUp).toHaveLength(1);
});

it('a message gets a place in time although all places hold rounds that never finish', () => {
  const { admit, begun } = queueOf();
  for (const account of [1, 1, 2, 2]) admit(account);
  vi.advanceTimersByTime(30 * turnMs);
  const fresh = admit(3);
  vi.advanceTimersByTime(3 * turnMs);
  expect(begun).toContain(fresh.name);
});

it('a round with new signers keeps its slot, and a round without new signers releases its slot', () => {
  const signers = new Set<number>();
  const { signingQueue, admit, begun } = queueOf({ maxOpen: 1, signersOf: () => signers, hasQuorum: () => true });
  const first = admit(1);
  const second = admit(2);
  for (let tick = 0; tick < 60; tick++) {
    signers.add(tick + 1);
    vi.advanceTimersByTime(tickMs);
    expect(signingQueue.counts).toEqual({ open: 1, waiting: 1 });
    expect(first.ticks).toBe(0);
  }
  expect(begun).toEqual([first.name]);
  vi.advanceTimersByTime(20 * turnMs);
  expect(begun).toContain(second.name);
});

it('a round keeps its place for several heartbeats, whatever message comes first', () => {
  const { signingQueue, admit, begun } = queueOf({ maxOpen: 1 });
  const first = admit(1);
  for (let account = 2; account < 40; account++) admit(account);
  vi.advanceTimersByTime(graceMs - 1);
  expect([begun, signingQueue.counts.open]).toEqual([[first.name], 1]);
});

it('members that received the same requests in another order work on the same messages', () => {
  const members = [queueOf({ hasQuorum: () => true }), queueOf({ hasQuorum: () => true })];
  const messages = Array.from({ length: 12 }, (_, number) => {
    const bytes = Uint8Array.of(number);
    return { account: 1 + (number % 3), bytes, name: toHex(nodeCrypto.sha256([bytes])), sequence: number };
  });
  for (const { account, ...fields } of messages) members[0]!.admit(account, fields);
  for (const { account, ...fields } of messages.toReversed()) members[1]!.admit(account, fields);
  expect(members[0]!.running).not.toEqual(members[1]!.running);
  vi.advanceTimersByTime(3 * turnMs + graceMs + tickMs);
  expect(members[0]!.running.size).toBe(4);
  expect(members[0]!.running).toEqual(members[1]!.running);
});

it('a certified message gives its place to the first waiting message', () => {
  const { admit, certify, begun } = queueOf({ maxOpen: 1 });
  const first = admit(1);
  const later = [admit(1), admit(1), admit(2)];
  certify(first);
  vi.advanceTimersByTime(0);
  // One message of each origin is started before a second message of any origin.
  expect(begun).toHaveLength(2);
  expect(later.some(({ name }) => name === begun[1])).toBe(true);
});

it('a message without a quorum takes a free place, and displaces no other message in its skipped turns', () => {
  const { admit, begun } = queueOf({ maxOpen: 1, giveUpMs: 10 ** 7 });
  // Each of the two messages skips all but one turn in 1,024.
  const [first, second] = [admit(1, { turnsWithoutQuorum: 60 }), admit(2, { turnsWithoutQuorum: 60 })];
  vi.advanceTimersByTime(40 * turnMs);
  expect(begun).toEqual([first!.name]);
  const fresh = admit(3);
  vi.advanceTimersByTime(graceMs);
  expect(begun).toEqual([first!.name, fresh.name]);
  expect(begun).not.toContain(second!.name);
});
