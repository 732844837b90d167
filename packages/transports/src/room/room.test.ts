import { loadBls } from '@tutti/wasm-bls';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { checkEntry } from '../registry.ts';
import { type MemberIdentity, makeIdentity } from './card.ts';
import { encodeBeat, encodeHostMessage, type HostMessage } from './messages.ts';
import { Room, type RoomRound } from './room.ts';

const bls = await loadBls();
const people = Array.from({ length: 4 }, (_, i) =>
  makeIdentity(nodeCrypto, bls, { label: `person ${i}`, mayHost: i < 3 }),
);
const [ann, ben, eve, guest] = people as [MemberIdentity, MemberIdentity, MemberIdentity, MemberIdentity];

/** A room as one member sees it, with all that it said. */
function roomOf(self: MemberIdentity) {
  const told: [to: string, message: HostMessage][] = [];
  const announced: unknown[] = [];
  const begun: RoomRound[] = [];
  const room = new Room({
    self,
    port: {
      announce: (text) => announced.push(JSON.parse(text)),
      tell: (to, text) => told.push([to, JSON.parse(text)]),
      isGenuine: (entry) => {
        try {
          checkEntry(nodeCrypto, entry, 0, bls);
          return true;
        } catch {
          return false;
        }
      },
      begin: (round) => begun.push(round),
      changed: () => {},
    },
  });
  return { room, told, announced, begun };
}

const names = (...members: MemberIdentity[]) => members.map(({ name }) => name).sort();
const start = (number: number, ...members: MemberIdentity[]) =>
  encodeHostMessage({ type: 'start', number, message: 'yes', share: 0.5, members: names(...members) });

describe('the host', () => {
  it('is the member that has been there longest, and the next one when it leaves', () => {
    const { room } = roomOf(eve);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    expect(room.host).toBe(ann.name);
    room.onWent(ann.name, 1);
    expect(room.host).toBe(ben.name);
    room.onWent(ben.name, 2);
    expect(room.isHost).toBe(true);
  });

  it('is nobody that may not be, however long it has been there', () => {
    const { room } = roomOf(ben);
    room.onCame(guest.name, guest.card, 0);
    expect(room.host).toBeUndefined();
    room.onCame(ben.name, ben.card, 1);
    expect(room.isHost).toBe(true);
  });

  it('that is not heard any more is so no longer, until it is heard again', () => {
    const { room } = roomOf(ben);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.tick(9999);
    expect(room.host).toBe(ann.name);
    room.tick(10_000);
    expect(room.isHost).toBe(true);
    room.onAnnouncement(ann.name, encodeBeat({ awake: true, progress: null }), 11_000);
    expect(room.host).toBe(ann.name);
  });

  it('that takes over says again what is proposed', () => {
    const { room, told } = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    const proposal = { message: 'We were here.', share: 1 };
    room.onTold(ann.name, encodeHostMessage({ type: 'propose', ...proposal }), 0);
    room.onWent(ann.name, 1);
    expect(told).toEqual([[eve.name, { type: 'propose', ...proposal }]]);
  });

  it('tells whoever comes what it proposes, and everybody when it changes its mind', () => {
    const { room, told } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(told).toEqual([[ben.name, { type: 'propose', ...room.view().proposal }]]);
    const proposal = { message: 'We were here.', share: 1 };
    room.propose(proposal);
    expect(told[1]).toEqual([ben.name, { type: 'propose', ...proposal }]);
    expect(room.view().proposal).toEqual(proposal);
  });

  it('starts a round with everybody who is there and was heard, in the order of their names', () => {
    const { room, told, begun } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve, guest]) room.onCame(name, card, 0);
    room.onAnnouncement(ben.name, encodeBeat({ awake: false, progress: null }), 9000);
    room.onAnnouncement(eve.name, encodeBeat({ awake: true, progress: null }), 9000);
    room.tick(10_000);
    told.length = 0;
    room.start();
    const members = names(ann, ben, eve);
    expect(told.map(([to]) => to).sort()).toEqual(names(ben, eve));
    expect(told[0]![1]).toMatchObject({ type: 'start', number: 1, members });
    expect(begun).toMatchObject([{ number: 1, threshold: 2 }]);
    expect(begun[0]!.entries.map(({ endpoint }) => endpoint.host)).toEqual(members);
    room.start();
    expect(begun[1]!.number).toBe(2);
  });

  it('alone may propose and start', () => {
    const { room } = roomOf(ben);
    room.onCame(ann.name, ann.card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(() => room.start()).toThrow(`host: expected to be it, but it is ${ann.name.slice(0, 8)}`);
    expect(() => room.propose({ message: 'mine', share: 1 })).toThrow(/^host: /);
  });

  it('cannot propose what nobody may be asked to sign', () => {
    const { room } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    expect(() => room.propose({ message: 'tutti identity v1\0', share: 1 })).toThrow(/^message: expected/);
    expect(() => room.propose({ message: 'yes', share: 0 })).toThrow('share: expected a number over 0');
  });
});

describe('a member', () => {
  let seen: ReturnType<typeof roomOf>;
  const refusedOf = ({ name }: MemberIdentity) =>
    seen.room.view().members.find((member) => member.name === name)?.refused;
  beforeEach(() => {
    seen = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) seen.room.onCame(name, card, 0);
  });

  it('begins the round that the host starts, once', () => {
    seen.room.onTold(ann.name, start(1, ann, ben, eve), 0);
    seen.room.onTold(ann.name, start(1, ann, ben, eve), 0);
    expect(seen.begun).toMatchObject([{ number: 1, message: 'yes', threshold: 2 }]);
    expect(refusedOf(ann)).toEqual({ 'old-round': 1 });
  });

  it('begins none that another starts', () => {
    seen.room.onTold(eve.name, start(1, ann, ben, eve), 0);
    expect(seen.begun).toEqual([]);
    expect(refusedOf(eve)).toEqual({ 'not-host': 1 });
  });

  it('begins none with somebody whom it does not know', () => {
    seen.room.onTold(ann.name, start(1, ann, ben, guest), 0);
    expect(seen.begun).toEqual([]);
    expect(refusedOf(ann)).toEqual({ 'stranger-in-round': 1 });
  });

  it('watches one that it is not in', () => {
    seen.room.onTold(ann.name, start(4, ann, eve), 0);
    expect(seen.begun).toEqual([]);
    seen.room.onTold(ann.name, start(4, ann, ben), 0);
    expect(refusedOf(ann)).toEqual({ 'old-round': 1 });
  });

  it('counts what is no message, against whom it came from', () => {
    seen.room.onTold(ann.name, 'start!', 0);
    seen.room.onAnnouncement(eve.name, '{}', 0);
    seen.room.onTold(guest.name, start(1, ann, ben), 0);
    expect([refusedOf(ann), refusedOf(eve), seen.room.view().refused]).toEqual([
      { 'malformed-message': 1 },
      { 'malformed-beat': 1 },
      { 'unknown-member': 1 },
    ]);
  });
});

describe('a card that does not hold', () => {
  const fields = JSON.parse(eve.card);
  it.each([
    ['is another’s', eve.card, 'forged-card'],
    [
      'has another’s proof of possession',
      JSON.stringify({ ...JSON.parse(guest.card), proofOfPossession: fields.proofOfPossession }),
      'forged-card',
    ],
    [
      'has a network key that its BLS key did not sign',
      JSON.stringify({ ...fields, networkKey: guest.name }),
      'forged-card',
    ],
    ['is none', 'hello', 'malformed-card'],
  ])('for it %s: its member takes part in nothing', (_, card, code) => {
    const { room, begun } = roomOf(ben);
    room.onCame(guest.name, card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(room.view().members[0]).toMatchObject({ name: guest.name, condition: 'refused' });
    expect(room.view().refused).toEqual({ [code]: 1 });
    expect(room.isHost).toBe(true);
    room.start();
    expect(begun[0]!.entries).toHaveLength(1);
  });
});

describe('a member is shown', () => {
  const conditionOf = (room: Room, { name }: MemberIdentity) =>
    room.view().members.find((member) => member.name === name)?.condition;

  it('asleep while its page is hidden, or when nothing was heard of it for a while', () => {
    const { room } = roomOf(ann);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.onAnnouncement(ben.name, encodeBeat({ awake: false, progress: null }), 1000);
    expect(conditionOf(room, ben)).toBe('asleep');
    room.onAnnouncement(ben.name, encodeBeat({ awake: true, progress: null }), 2000);
    expect(conditionOf(room, ben)).toBe('here');
    room.tick(12_000);
    expect(conditionOf(room, ben)).toBe('asleep');
    expect(conditionOf(room, ann)).toBe('here');
  });

  it('left, as long as its round is shown, and then no more', () => {
    const { room } = roomOf(ann);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.start();
    room.onWent(ben.name, 1);
    expect(conditionOf(room, ben)).toBe('left');
    room.start();
    expect(conditionOf(room, ben)).toBeUndefined();
  });

  it('a liar, when its contribution did not verify', () => {
    const { room } = roomOf(ann);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.start();
    room.onLie(ben.name);
    room.onRefused(ben.name, 'blacklisted');
    expect(room.view().members[1]).toMatchObject({ lied: true, refused: { blacklisted: 1 } });
    room.start();
    expect(room.view().members[1]).toMatchObject({ lied: false });
  });
});

it('beats at first, then when there is news, and otherwise every three seconds', () => {
  const { room, announced } = roomOf(ann);
  room.onCame(ann.name, ann.card, 0);
  const progress = { round: 1, weight: 1, levels: [], sent: 0, received: 0, checked: 0, reachedMs: null };
  room.tick(0);
  room.tick(2999);
  expect(announced).toEqual([{ awake: true, progress: null }]);
  room.tick(3000);
  expect(announced).toHaveLength(2);
  room.setProgress(progress);
  room.tick(3249);
  expect(announced).toHaveLength(2);
  room.tick(3250);
  expect(announced[2]).toEqual({ awake: true, progress });
  room.setAwake(false);
  expect(announced[3]).toEqual({ awake: false, progress });
});
