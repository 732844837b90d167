import { toHex } from '@tutti/core/input';
import { insecureSeed } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { SignallingHub } from './hub.ts';
import type { HubLimits } from './hubLimits.ts';
import { proveName } from './joinProof.ts';
import type { JoinChallenge } from './messages.ts';

const secrets = new Map<string, Uint8Array>();
const [ann, ben, eve] = ['a', 'b', 'e'].map((letter) => {
  const { publicKey, secret } = networkKey(nodeCrypto, insecureSeed('network', 1, letter.charCodeAt(0)));
  secrets.set(toHex(publicKey), secret);
  return toHex(publicKey);
}) as [string, string, string];

const [forAnn, forBen] = ['A', 'B'].map((letter) => letter.repeat(22)) as [string, string];

/** Creates a hub that records the messages sent to each connection. The initial challenge is recorded separately. */
function hub(limits: Partial<HubLimits> = {}, invitations: Readonly<Record<string, readonly string[]>> = {}) {
  const sent = new Map<number, { type: string; [field: string]: unknown }[]>();
  const challenges = new Map<number, JoinChallenge>();
  const events: string[] = [];
  const machine = new SignallingHub(
    nodeCrypto,
    {
      send: (id, text) => {
        const notice = JSON.parse(text);
        if (notice.type === 'challenge') challenges.set(id, notice);
        else sent.set(id, [...(sent.get(id) ?? []), notice]);
      },
      ping: (id) => void events.push(`ping ${id}`),
      close: (id, reason) => void events.push(`close ${id}: ${reason}`),
    },
    limits,
    invitations,
  );
  const join = (id: number, member: string, room = 'room', nowMs = 0, given: object = {}) => {
    const request = { type: 'join', room, member, card: `card of ${member}`, proof: proofOf(id, member, room) };
    machine.message(id, JSON.stringify({ ...request, ...given }), nowMs);
    return id;
  };
  const bring = (id: number, member: string, invitation: string | undefined, room = 'room', nowMs = 0) =>
    join(id, member, room, nowMs, { invitation });
  const proofOf = (id: number, member: string, room: string) =>
    proveName(nodeCrypto, secrets.get(member)!, challenges.get(id)!, room);
  return {
    machine,
    events,
    challenges,
    join,
    bring,
    proofOf,
    heard: (id: number) => {
      const notices = sent.get(id) ?? [];
      sent.delete(id);
      return notices;
    },
    say: (id: number, request: unknown, nowMs = 0) => machine.message(id, JSON.stringify(request), nowMs),
    enter: (id: number, member: string, room = 'room', address = 'here', nowMs = 0) => {
      machine.opened(id, address, nowMs);
      return join(id, member, room, nowMs);
    },
  };
}

it('a new member receives the member list, oldest first, and all members are notified of joins and leaves', () => {
  const { machine, enter, heard } = hub();
  enter(1, ben);
  enter(2, ann);
  expect(heard(1)).toEqual([
    { type: 'joined', members: [] },
    { type: 'came', member: ann, card: `card of ${ann}` },
  ]);
  enter(3, eve);
  expect(heard(3)).toEqual([
    { type: 'joined', members: [ben, ann].map((member) => ({ member, card: `card of ${member}` })) },
  ]);
  heard(1);
  machine.closed(2);
  expect(heard(1)).toEqual([{ type: 'went', member: ann }]);
  expect(machine.counts).toEqual({ connections: 2, rooms: 1, refused: {} });
});

it('a signal reaches its addressee and an announcement all other members, with the name of the sender', () => {
  const { enter, heard, say } = pair();
  enter(3, eve);
  for (const id of [1, 2, 3]) heard(id);
  say(1, { type: 'signal', to: ben, text: 'offer', from: eve });
  say(1, { type: 'announce', text: 'hello' });
  const announcement = { type: 'announcement', from: ann, text: 'hello' };
  expect(heard(2)).toEqual([{ type: 'signal', from: ann, text: 'offer' }, announcement]);
  expect(heard(3)).toEqual([announcement]);
  expect(heard(1)).toEqual([]);
});

it('messages stay in their room, and an empty room is removed', () => {
  const { machine, enter, heard, say } = hub();
  enter(1, ann, 'one');
  enter(2, ben, 'two');
  for (const id of [1, 2]) heard(id);
  say(1, { type: 'announce', text: 'hello' });
  say(1, { type: 'signal', to: ben, text: 'offer' });
  expect(heard(2)).toEqual([]);
  expect(heard(1)).toMatchObject([{ type: 'refused', code: 'unknown-member' }]);
  for (const id of [1, 2]) machine.closed(id);
  expect(machine.counts).toMatchObject({ connections: 0, rooms: 0 });
});

type Hub = ReturnType<typeof hub>;

/** Creates a hub with Ann and Ben in one room, whose notices until then are discarded. */
function pair(limits: Partial<HubLimits> = {}) {
  const made = hub(limits);
  for (const [index, member] of [ann, ben].entries()) made.enter(index + 1, member);
  for (const id of [1, 2]) made.heard(id);
  return made;
}

it.each<[string, (made: Hub) => void]>([
  ['malformed', ({ say }) => say(3, { type: 'shout' })],
  ['malformed', ({ machine }) => machine.message(3, undefined, 0)],
  ['not-joined', ({ say }) => say(3, { type: 'announce', text: '' })],
  ['name-taken', ({ join }) => join(3, ann)],
  ['room-full', ({ join }) => join(3, eve)],
  ['too-many-rooms', ({ join }) => join(3, eve, 'another')],
])('%s is refused in one line and counted', (code, provoke) => {
  const made = hub({ members: 2, rooms: 1 });
  made.enter(1, ann);
  made.enter(2, ben, 'room', 'there');
  made.machine.opened(3, 'here', 0);
  provoke(made);
  expect(made.heard(3)).toMatchObject([{ type: 'refused', code, line: expect.stringMatching(`^${code}: [^\n]+$`) }]);
  expect(made.machine.counts.refused).toEqual({ [code]: 1 });
});

it('a second join on one connection is refused', () => {
  const made = pair();
  expect(made.heard(made.join(1, ben, 'other'))).toMatchObject([{ type: 'refused', code: 'already-joined' }]);
});

it('messages over the rate limit are refused until time has passed', () => {
  const made = pair({ messagesPerSecond: 1 });
  for (let count = 0; count < 12; count++) made.say(1, { type: 'announce', text: String(count) });
  expect(made.heard(2)).toHaveLength(9);
  expect(made.machine.counts.refused).toEqual({ 'too-fast': 3 });
  made.say(1, { type: 'announce', text: 'later' }, 1000);
  expect(made.heard(2)).toMatchObject([{ text: 'later' }]);
});

function crowd(made: Hub) {
  let id = 100;
  return (address: string, nowMs = 0): number => {
    const { publicKey, secret } = networkKey(nodeCrypto, insecureSeed('network', 2, ++id));
    secrets.set(toHex(publicKey), secret);
    return made.enter(id, toHex(publicKey), 'room', address, nowMs);
  };
}

it('a room limits joins to the rate of card verification: members over the limit wait and then join', () => {
  const made = hub({ members: 32, joinsPerSecond: 4 });
  const come = crowd(made);
  made.enter(1, ann, 'room', 'there');
  for (let count = 0; count < 40; count++) made.machine.closed(come('here'));
  const guests = [come('here'), come('here'), come('here')];
  expect(made.heard(1).filter(({ type }) => type === 'came')).toHaveLength(16);
  made.machine.tick(499);
  expect(guests.flatMap(made.heard)).toEqual([]);
  for (const [index, guest] of guests.entries()) {
    made.machine.tick(500 * (index + 1));
    const joined = guests.filter((one) => made.heard(one).some(({ type }) => type === 'joined'));
    expect(joined).toEqual([guest]);
  }
  expect(made.machine.counts.refused).toEqual({});
});

it('an address that joins and leaves repeatedly does not block other members, on any address', () => {
  const made = hub({ members: 128 });
  const come = crowd(made);
  made.enter(1, ann, 'room', 'elsewhere');
  const loops: number[] = [];
  const honest = new Map<number, number>();
  const waited: number[] = [];
  for (let nowMs = 0; nowMs < 20_000; nowMs += 100) {
    // Eight members repeat a sequence: each leaves when it has joined, and joins under another name.
    for (let k = 0; k < 8; k++)
      for (let again = 0; again < 5; again++) {
        if (loops[k] !== undefined && made.heard(loops[k]!).length === 0) break;
        if (loops[k] !== undefined) made.machine.closed(loops[k]!);
        loops[k] = come('here', nowMs);
      }
    if (nowMs % 2000 === 0) for (const address of ['here', 'there']) honest.set(come(address, nowMs), nowMs);
    if (nowMs % 1000 === 0) made.machine.tick(nowMs);
    for (const [id, sinceMs] of [...honest])
      if (made.heard(id).some(({ type }) => type === 'joined')) {
        waited.push(nowMs - sinceMs);
        honest.delete(id);
      }
  }
  // Two addresses each add one member every two seconds. The last two may still be waiting.
  expect(waited.length).toBeGreaterThanOrEqual(17);
  expect(Math.max(...waited)).toBeLessThanOrEqual(6000);
  expect(waited.filter((ms) => ms === 0).length).toBeGreaterThanOrEqual(10);
  expect(made.machine.counts.refused).toEqual({});
  // The first address may join 64 times at once and twice per second after that. The other address adds ten members.
  expect(made.heard(1).filter(({ type }) => type === 'came').length).toBeLessThanOrEqual(1 + 64 + 40 + 10);
});

it('an address takes at most three quarters of the places that others leave free, and a leave frees its place', () => {
  const made = hub({ members: 8, membersPerAddress: 100 });
  const come = crowd(made);
  const joined = (id: number) => made.heard(id).some(({ type }) => type === 'joined');
  const into = (address: string) => Array.from({ length: 8 }, () => come(address)).filter(joined);
  const first = into('one');
  expect([first.length, into('two').length, into('three').length]).toEqual([6, 1, 1]);
  expect(made.machine.counts.refused).toEqual({ 'too-many-in-room-of-address': 2 + 7, 'room-full': 7 });
  made.machine.closed(first[0]!);
  expect([joined(come('two')), joined(come('four'))]).toEqual([false, true]);
  const all = hub({ members: 8, shareOfRoomPerAddress: 1 });
  const enter = crowd(all);
  for (let count = 0; count < 8; count++) expect(all.heard(enter('one'))).toMatchObject([{ type: 'joined' }]);
});

it('a waiting member that disconnects leaves the queue, and a room with only waiting members ends', () => {
  const made = hub({ members: 16, joinsPerSecond: 4, shareOfRoomPerAddress: 1 });
  const come = crowd(made);
  for (let count = 0; count < 16; count++) come('here');
  const [first, second] = [come('here'), come('here')];
  made.machine.closed(first);
  for (let id = 101; id <= 116; id++) made.machine.closed(id);
  expect(made.machine.counts).toMatchObject({ rooms: 1, connections: 1 });
  made.join(second, ann);
  expect(made.heard(second)).toMatchObject([{ code: 'already-joined' }]);
  made.machine.tick(500);
  expect(made.heard(second)).toMatchObject([{ type: 'joined', members: [] }]);
  made.machine.closed(second);
  expect(made.machine.counts).toMatchObject({ rooms: 0, connections: 0 });
});

it('long messages use more of the rate limit', () => {
  const made = hub({ charactersPerSecond: 1000 });
  made.enter(1, ann);
  for (let count = 0; count < 3; count++) made.say(1, { type: 'announce', text: 'x'.repeat(5000) });
  expect(made.machine.counts.refused).toEqual({ 'too-fast': 2 });
});

it('a connection with too many refused messages is closed, and its room is notified', () => {
  const made = pair({ refusals: 2 });
  for (let count = 0; count < 3; count++) made.say(1, {});
  expect(made.events).toEqual(['close 1: refused too often']);
  expect(made.heard(2)).toEqual([{ type: 'went', member: ann }]);
  made.say(1, { type: 'announce', text: 'still there' });
  expect(made.heard(2)).toEqual([]);
});

it('the server pings silent connections and closes those that do not answer', () => {
  const { machine, heard, events } = pair({ quietMs: 100 });
  machine.tick(99);
  expect(events).toEqual([]);
  machine.tick(100);
  machine.tick(150);
  expect(events).toEqual(['ping 1', 'ping 2']);
  machine.heard(2, 160);
  machine.tick(200);
  expect(events.slice(2)).toEqual(['close 1: no answer']);
  expect(heard(2)).toEqual([{ type: 'went', member: ann }]);
});

it('a join without a valid proof of its name is refused, with a proof of another room, connection or key too', () => {
  const made = hub();
  for (const id of [1, 2, 3]) made.machine.opened(id, 'here', 0);
  const wrong = [
    '0'.repeat(64),
    made.proofOf(1, ann, 'other'),
    made.proofOf(2, ann, 'room'),
    made.proofOf(1, ben, 'room'),
    proveName(nodeCrypto, secrets.get(ann)!, { ...made.challenges.get(1)!, key: eve }, 'room'),
  ];
  for (const proof of wrong) {
    const heard = made.heard(made.join(1, ann, 'room', 0, { proof }));
    expect(heard).toMatchObject([{ type: 'refused', code: 'not-your-name' }]);
  }
  expect(made.machine.counts).toMatchObject({ rooms: 0, refused: { 'not-your-name': wrong.length } });
  expect(made.heard(made.join(1, ann))).toMatchObject([{ type: 'joined' }]);
});

it('a join with a key of low order is refused, because its secret is public', () => {
  const made = hub();
  made.machine.opened(1, 'here', 0);
  for (const member of ['0'.repeat(64), `01${'0'.repeat(62)}`]) {
    made.say(1, { type: 'join', room: 'room', member, card: '', proof: '0'.repeat(64) });
    expect(made.heard(1)).toMatchObject([{ code: 'not-your-name' }]);
  }
  expect(proveName(nodeCrypto, secrets.get(ann)!, { key: '0'.repeat(64), nonce: '0'.repeat(32) }, 'r')).toBeUndefined();
});

it('a server has a maximum number of connections, and an address one of rooms, members and connections', () => {
  const made = hub({ connections: 5, roomsPerAddress: 1, membersPerAddress: 2, connectionsPerAddress: 3 });
  made.enter(1, ann, 'one');
  expect(made.heard(made.enter(2, ann, 'two'))).toMatchObject([{ code: 'too-many-rooms-of-address' }]);
  made.join(2, ben, 'one');
  expect(made.heard(made.enter(3, eve, 'one'))).toMatchObject([{ code: 'too-many-members-of-address' }]);
  expect(made.machine.admits('here')).toBe(false);
  expect(made.machine.admits('there')).toBe(true);
  made.enter(4, ann, 'two', 'there');
  made.enter(5, eve, 'one', 'there');
  expect(made.machine.counts).toMatchObject({ rooms: 2, connections: 5 });
  expect(made.machine.admits('there')).toBe(false);
  // A member that left no longer counts for its address. A room counts for its address until it ends.
  made.machine.closed(1);
  expect(made.machine.admits('here')).toBe(true);
  expect(made.heard(made.enter(6, ann, 'three'))).toMatchObject([{ code: 'too-many-rooms-of-address' }]);
  made.machine.closed(2);
  made.machine.closed(5);
  expect(made.heard(made.join(6, ann, 'three'))).toMatchObject([{ type: 'joined' }]);
});

it('the end of a room by invitation does not affect the limits of the address that opened it', () => {
  const made = hub({ connectionsPerAddress: 1 }, { room: [forAnn, forBen] });
  for (const [id, address] of [
    [1, 'here'],
    [2, 'there'],
  ] as const)
    made.machine.opened(id, address, 0);
  made.bring(1, ann, forAnn);
  made.bring(2, ben, forBen);
  made.machine.closed(1);
  made.machine.opened(3, 'here', 0);
  made.machine.closed(2);
  expect([made.machine.counts.rooms, made.machine.admits('here')]).toEqual([0, false]);
});

it('a connection that joins no room is closed, and so is a room without messages', () => {
  const made = hub({ joinMs: 100, idleRoomMs: 1000, quietMs: 1e9 });
  made.enter(1, ann, 'idle');
  made.enter(2, ben, 'busy');
  made.machine.opened(3, 'here', 50);
  made.machine.tick(149);
  expect(made.events).toEqual([]);
  made.machine.tick(150);
  expect(made.events.splice(0)).toEqual(['close 3: no join']);
  made.say(2, { type: 'announce', text: 'beat' }, 500);
  made.machine.heard(1, 900);
  made.machine.tick(999);
  expect(made.events).toEqual([]);
  made.machine.tick(1000);
  expect(made.events).toEqual(['close 1: room idle']);
  expect(made.machine.counts.rooms).toBe(1);
  made.machine.tick(1499);
  expect(made.machine.counts.rooms).toBe(1);
  made.machine.tick(1500);
  expect(made.machine.counts).toMatchObject({ rooms: 0, connections: 3 });
  // Each connection was dropped once, and counts until its socket is closed.
  expect(made.events.splice(0)).toEqual(['close 1: room idle', 'close 2: room idle']);
  made.machine.tick(1e6);
  expect(made.events).toEqual([]);
  for (const id of [1, 2, 3]) made.machine.closed(id);
  expect(made.machine.counts.connections).toBe(0);
});

it('refuses limits of the server that are out of range', () => {
  expect(() => hub({ members: 129 })).toThrow('members: expected an integer from 1 to 128, got 129');
  for (const share of [0, 1.5, Number.NaN])
    expect(() => hub({ shareOfRoomPerAddress: share })).toThrow(
      `expected a number greater than 0 and at most 1, got ${share}`,
    );
});

it('a room by invitation has one place per invitation and none without, whatever the limits of others', () => {
  const limits = { rooms: 1, roomsPerAddress: 1, members: 1, membersPerAddress: 1 };
  const made = hub(limits, { room: [forAnn, forBen] });
  made.enter(1, eve, 'open');
  made.heard(1);
  for (const id of [2, 3, 4]) made.machine.opened(id, 'here', 0);
  for (const wrong of [undefined, 'C'.repeat(22)])
    expect(made.heard(made.bring(2, eve, wrong))).toMatchObject([{ code: 'not-invited' }]);
  made.bring(2, ann, forAnn);
  made.bring(3, ben, forBen);
  expect([...made.heard(2), ...made.heard(3)].map(({ type }) => type)).toEqual(['joined', 'came', 'joined']);
  expect(made.heard(made.bring(4, eve, forAnn))).toMatchObject([{ code: 'invitation-taken' }]);
  // The member has left, as it does when its page is reopened. The member's place is free again, even for a new key.
  made.machine.closed(2);
  expect(made.heard(made.bring(4, eve, forAnn))).toMatchObject([{ type: 'joined' }]);
  made.machine.opened(5, 'there', 0);
  expect(made.heard(made.bring(5, ann, forAnn, 'elsewhere'))).toMatchObject([{ code: 'not-invited' }]);
  // The open room still counts towards the limit. The room by invitation does not.
  expect(made.heard(made.join(5, ann, 'elsewhere'))).toMatchObject([{ code: 'too-many-rooms' }]);
  made.machine.closed(1);
  expect(made.heard(made.join(5, ann, 'elsewhere'))).toMatchObject([{ type: 'joined' }]);
});

it('an invitation that joins and leaves repeatedly does not block other invitations, on the same address either', () => {
  const made = hub({}, { room: [forAnn, forBen] });
  made.machine.opened(1, 'here', 0);
  made.bring(1, ben, forBen);
  let attempts = 0;
  let id = 1;
  const churn = (nowMs: number) => {
    for (let again = 0; again < 20; again++) {
      made.machine.opened(++id, 'here', nowMs);
      made.bring(id, eve, forAnn, 'room', nowMs);
      attempts++;
      if (made.heard(id).length === 0) return void made.machine.closed(id);
      made.machine.closed(id);
    }
  };
  for (let nowMs = 0; nowMs < 20_000; nowMs += 100) churn(nowMs);
  expect(attempts).toBeGreaterThan(200);
  // The invitation allows four joins at once and one per 10 s: each join costs others a notice and a check.
  expect(made.heard(1).filter(({ type }) => type === 'came')).toHaveLength(4 + 1);
  made.machine.closed(1);
  made.machine.opened(++id, 'here', 20_000);
  expect(made.heard(made.bring(id, ben, forBen, 'room', 20_000))).toMatchObject([{ type: 'joined' }]);
});

it.each([
  ...[[], [forAnn, forAnn], Array.from({ length: 129 }, (_, n) => forAnn.slice(3) + (100 + n))].map(
    (given): [string[], string] => [given, `expected 1 to 128 different invitations per room, got ${given.length}`],
  ),
  [['short'], 'expected 22 letters, digits, hyphens or underscores in each'],
])('%j are not valid invitations of a room', (given, line) => {
  expect(() => hub({}, { room: given })).toThrow(`invitations: ${line}`);
});

it('refuses invitations to a room that no member can join', () => {
  expect(() => hub({}, { 'a b': [forAnn] })).toThrow(expect.objectContaining({ code: 'room-name' }));
  expect(() => hub({}, { room: 5 as never })).toThrow(/^invitations: expected an array, got/);
});

it('arbitrary messages in any order never exceed the maximum number of rooms and leave no room behind', () => {
  const id = fc.integer({ min: 1, max: 6 });
  const member = fc.constantFrom(ann, ben, eve);
  const request = fc.oneof(
    fc.record({ type: fc.constant('signal'), to: member, text: fc.constant('') }),
    fc.record({ type: fc.constant('announce'), text: fc.constant('') }),
    fc.anything(),
  );
  const happening = fc.oneof(
    fc.record({ what: fc.constant('opened' as const), id, address: fc.constantFrom('here', 'there') }),
    fc.record({ what: fc.constant('joined' as const), id, member, room: fc.constantFrom('one', 'two', 'three') }),
    fc.record({ what: fc.constant('closed' as const), id }),
    fc.record({ what: fc.constant('tick' as const), id }),
    fc.record({ what: fc.constant('said' as const), id, request }),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const limits = { rooms: 2, members: 2, membersPerAddress: 3, quietMs: 5, refusals: 10, joinsPerSecond: 1 };
      const { machine, join } = hub(limits);
      const open = new Set<number>();
      for (const [nowMs, one] of happenings.entries()) {
        if (one.what === 'opened' && !open.has(one.id)) machine.opened(one.id, one.address, nowMs);
        else if (one.what === 'closed') machine.closed(one.id);
        else if (one.what === 'tick') machine.tick(nowMs);
        else if (one.what === 'joined' && open.has(one.id)) join(one.id, one.member, one.room, nowMs);
        else if (one.what === 'said') machine.message(one.id, textOf(one.request), nowMs);
        if (one.what === 'opened') open.add(one.id);
        if (one.what === 'closed') open.delete(one.id);
        const { rooms, connections } = machine.counts;
        expect(rooms).toBeLessThanOrEqual(Math.min(2, connections));
      }
      for (let connection = 1; connection <= 6; connection++) machine.closed(connection);
      expect(machine.counts).toMatchObject({ connections: 0, rooms: 0 });
    }),
  );
});

/** Returns a value as the text of a message, or undefined if the value has no text form, as for binary messages. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? String(held) : held)) as string | undefined;
