import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HubLimits, SignallingHub } from './hub.ts';

const [ann, ben, eve] = ['a', 'b', 'e'].map((digit) => digit.repeat(64)) as [string, string, string];

/** A hub whose connections are tested by what they were sent. */
function hub(limits: Partial<HubLimits> = {}) {
  const sent = new Map<number, { type: string; [field: string]: unknown }[]>();
  const events: string[] = [];
  const machine = new SignallingHub(
    {
      send: (id, text) => void sent.set(id, [...(sent.get(id) ?? []), JSON.parse(text)]),
      ping: (id) => void events.push(`ping ${id}`),
      close: (id, reason) => void events.push(`close ${id}: ${reason}`),
    },
    limits,
  );
  return {
    machine,
    events,
    /** What a connection was sent since this was last asked. */
    heard: (id: number) => {
      const notices = sent.get(id) ?? [];
      sent.delete(id);
      return notices;
    },
    say: (id: number, request: unknown, nowMs = 0) => machine.message(id, JSON.stringify(request), nowMs),
    enter: (id: number, member: string, room = 'room') => {
      machine.opened(id, 0);
      machine.message(id, JSON.stringify({ type: 'join', room, member, card: `card of ${member[0]}` }), 0);
    },
  };
}

it('whoever joins is told who is there, the longest there first, and they are told who came and went', () => {
  const { machine, enter, heard } = hub();
  enter(1, ben);
  enter(2, ann);
  expect(heard(1)).toEqual([
    { type: 'joined', members: [] },
    { type: 'came', member: ann, card: 'card of a' },
  ]);
  enter(3, eve);
  expect(heard(3)).toEqual([
    {
      type: 'joined',
      members: [
        { member: ben, card: 'card of b' },
        { member: ann, card: 'card of a' },
      ],
    },
  ]);
  heard(1);
  machine.closed(2);
  expect(heard(1)).toEqual([{ type: 'went', member: ann }]);
  expect(machine.counts).toEqual({ connections: 2, rooms: 1, refused: {} });
});

it('a signal goes to its addressee and an announcement to all the others, in the name of who sent them', () => {
  const { enter, heard, say } = hub();
  enter(1, ann);
  enter(2, ben);
  enter(3, eve);
  for (const id of [1, 2, 3]) heard(id);
  say(1, { type: 'signal', to: ben, text: 'offer', from: eve });
  say(1, { type: 'announce', text: 'hello' });
  const announcement = { type: 'announcement', from: ann, text: 'hello' };
  expect(heard(2)).toEqual([{ type: 'signal', from: ann, text: 'offer' }, announcement]);
  expect(heard(3)).toEqual([announcement]);
  expect(heard(1)).toEqual([]);
});

it('rooms do not hear each other, and an empty one is forgotten', () => {
  const { machine, enter, heard, say } = hub();
  enter(1, ann, 'one');
  enter(2, ben, 'two');
  heard(1);
  heard(2);
  say(1, { type: 'announce', text: 'hello' });
  say(1, { type: 'signal', to: ben, text: 'offer' });
  expect(heard(2)).toEqual([]);
  expect(heard(1)).toMatchObject([{ type: 'refused', code: 'unknown-member' }]);
  machine.closed(1);
  machine.closed(2);
  expect(machine.counts).toMatchObject({ connections: 0, rooms: 0 });
});

it.each([
  ['malformed', (id: number, { say }: ReturnType<typeof hub>) => say(id, { type: 'shout' })],
  ['malformed', (id: number, { machine }: ReturnType<typeof hub>) => machine.message(id, undefined, 0)],
  ['not-joined', (id: number, { say }: ReturnType<typeof hub>) => say(id, { type: 'announce', text: '' })],
  ['name-taken', (id: number, { enter }: ReturnType<typeof hub>) => enter(id, ann)],
  ['room-full', (id: number, { enter }: ReturnType<typeof hub>) => enter(id, eve)],
  ['too-many-rooms', (id: number, { enter }: ReturnType<typeof hub>) => enter(id, eve, 'another')],
])('%s is refused, said in one line, and counted', (code, provoke) => {
  const made = hub({ members: 2, rooms: 1 });
  made.enter(1, ann);
  made.enter(2, ben);
  made.machine.opened(3, 0);
  provoke(3, made);
  expect(made.heard(3)).toMatchObject([{ type: 'refused', code, line: expect.stringMatching(`^${code}: [^\n]+$`) }]);
  expect(made.machine.counts.refused).toEqual({ [code]: 1 });
});

it('a second join of one connection is refused', () => {
  const made = hub();
  made.enter(1, ann);
  made.say(1, { type: 'join', room: 'other', member: ben, card: '' });
  expect(made.heard(1)).toMatchObject([{ type: 'joined' }, { type: 'refused', code: 'already-joined' }]);
});

it('what one sends faster than the rate is refused until time has passed', () => {
  const made = hub({ messagesPerSecond: 1 });
  made.enter(1, ann);
  made.enter(2, ben);
  made.heard(2);
  for (let count = 0; count < 12; count++) made.say(1, { type: 'announce', text: String(count) });
  expect(made.heard(2)).toHaveLength(9);
  expect(made.machine.counts.refused).toEqual({ 'too-fast': 3 });
  made.say(1, { type: 'announce', text: 'later' }, 1000);
  expect(made.heard(2)).toMatchObject([{ text: 'later' }]);
});

it('a room is not joined faster than its members can check cards', () => {
  const made = hub({ members: 3, joinsPerSecond: 1 });
  made.enter(1, ann);
  for (const id of [2, 3, 4, 5]) {
    made.enter(id, ben);
    made.machine.closed(id);
  }
  expect(made.machine.counts.refused).toEqual({ 'too-fast': 2 });
  made.machine.opened(6, 2000);
  made.say(6, { type: 'join', room: 'room', member: ben, card: '' }, 2000);
  expect(made.heard(6)).toMatchObject([{ type: 'joined' }]);
});

it('long messages use up the rate sooner', () => {
  const made = hub({ charactersPerSecond: 1000 });
  made.enter(1, ann);
  for (let count = 0; count < 3; count++) made.say(1, { type: 'announce', text: 'x'.repeat(5000) });
  expect(made.machine.counts.refused).toEqual({ 'too-fast': 2 });
});

it('a connection that is refused too often is closed, and its room told', () => {
  const made = hub({ refusals: 2 });
  made.enter(1, ann);
  made.enter(2, ben);
  made.heard(2);
  for (let count = 0; count < 3; count++) made.say(1, {});
  expect(made.events).toEqual(['close 1: refused too often']);
  expect(made.heard(2)).toEqual([{ type: 'went', member: ann }]);
  made.say(1, { type: 'announce', text: 'still there' });
  expect(made.heard(2)).toEqual([]);
});

it('the quiet are asked, and the dead closed', () => {
  const { machine, enter, heard, events } = hub({ quietMs: 100 });
  enter(1, ann);
  enter(2, ben);
  heard(2);
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

it('more members than a joined can name are no limit', () => {
  expect(() => hub({ members: 129 })).toThrow('members: expected at most 128, got 129');
});

it('whatever comes in whatever order, there are no more rooms than allowed, and none is left behind', () => {
  const id = fc.integer({ min: 1, max: 6 });
  const member = fc.constantFrom(ann, ben, eve);
  const request = fc.oneof(
    fc.record({
      type: fc.constant('join'),
      room: fc.constantFrom('one', 'two', 'three'),
      member,
      card: fc.constant(''),
    }),
    fc.record({ type: fc.constant('signal'), to: member, text: fc.constant('') }),
    fc.record({ type: fc.constant('announce'), text: fc.constant('') }),
    fc.anything(),
  );
  const happening = fc.oneof(
    fc.record({ what: fc.constant('opened' as const), id }),
    fc.record({ what: fc.constant('closed' as const), id }),
    fc.record({ what: fc.constant('tick' as const), id }),
    fc.record({ what: fc.constant('said' as const), id, request }),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const { machine } = hub({ rooms: 2, members: 2, quietMs: 5, refusals: 10 });
      const open = new Set<number>();
      for (const [nowMs, one] of happenings.entries()) {
        if (one.what === 'opened' && !open.has(one.id)) machine.opened(one.id, nowMs);
        else if (one.what === 'closed') machine.closed(one.id);
        else if (one.what === 'tick') machine.tick(nowMs);
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

/** Anything as the text of a message; undefined, as for bytes, for what has none. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? String(held) : held));
}
