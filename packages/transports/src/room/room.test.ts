import { verifyEntry } from '@tutti/core/registry';
import { loadBls } from '@tutti/wasm-bls';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { maxMembers } from '../signalling/messages.ts';
import { type MemberIdentity, makeIdentity, validatorsPerMember } from './card.ts';
import {
  encodeHeartbeat,
  encodeLeaderMessage,
  type LeaderMessage,
  type MemberProgress,
  type RoundProposal,
} from './messages.ts';
import { Room, type RoomRound } from './room.ts';

const bls = await loadBls();
const people = Array.from({ length: 4 }, (_, i) =>
  makeIdentity(nodeCrypto, bls, { label: `person ${i}`, mayLead: i < 3 }),
);
const [ann, ben, eve, guest] = people as [MemberIdentity, MemberIdentity, MemberIdentity, MemberIdentity];

/** Creates a room as one member sees it, and records all its output. */
function roomOf(self: MemberIdentity, proposal?: RoundProposal) {
  const sealed: [to: string, message: LeaderMessage][] = [];
  const announced: unknown[] = [];
  const begun: RoomRound[] = [];
  const changes = { count: 0 };
  let beacons = 0;
  const room = new Room({
    self,
    ...(proposal !== undefined && { proposal }),
    port: {
      announce: (text) => announced.push(JSON.parse(text)),
      send: (to, text) => sealed.push([to, JSON.parse(text)]),
      isGenuine: (entry) => {
        try {
          verifyEntry(entry, 0, bls);
          return true;
        } catch {
          return false;
        }
      },
      beacon: () => `${++beacons}`.padStart(64, '0'),
      begin: (round) => begun.push(round),
      changed: () => {
        changes.count++;
      },
    },
  });
  /** Returns how often a call reports a change. */
  const changesBy = (call: () => void) => {
    const before = changes.count;
    call();
    return changes.count - before;
  };
  return { room, sealed, announced, begun, changesBy };
}

const beat = (awake: boolean, progress: MemberProgress | null = null) => encodeHeartbeat({ awake, progress });
const progressOf = (weight: number): MemberProgress => ({
  ...{ round: 1, weight, levels: [], sent: 0, received: 0, checked: 0, reachedMs: null },
});

const names = (...members: MemberIdentity[]) => members.map(({ name }) => name).sort();
const beacon = '7'.repeat(64);
const start = (number: number, ...members: MemberIdentity[]) =>
  encodeLeaderMessage({ type: 'start', number, message: 'yes', share: 0.5, members: names(...members), beacon });

describe('the leader', () => {
  it('is the member that has been there longest, and the next one when it leaves', () => {
    const { room } = roomOf(eve);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    expect(room.leader).toBe(ann.name);
    room.onWent(ann.name, 1);
    expect(room.leader).toBe(ben.name);
    room.onWent(ben.name, 2);
    expect(room.isLeader).toBe(true);
  });

  it('is nobody that may not be, however long it has been there', () => {
    const { room } = roomOf(ben);
    room.onCame(guest.name, guest.card, 0);
    expect(room.leader).toBeUndefined();
    room.onCame(ben.name, ben.card, 1);
    expect(room.isLeader).toBe(true);
  });

  it('that is not heard any more is so no longer, until it is heard again', () => {
    const { room } = roomOf(ben);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.tick(9999);
    expect(room.leader).toBe(ann.name);
    room.tick(10_000);
    expect(room.isLeader).toBe(true);
    room.onAnnouncement(ann.name, encodeHeartbeat({ awake: true, progress: null }), 11_000);
    expect(room.leader).toBe(ann.name);
  });

  it('that takes over says again what is proposed', () => {
    const { room, sealed } = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    const proposal = { message: 'We were here.', share: 1 };
    room.onLeaderMessage(ann.name, encodeLeaderMessage({ type: 'propose', ...proposal }), 0);
    room.onWent(ann.name, 1);
    expect(sealed).toEqual([[eve.name, { type: 'propose', ...proposal }]]);
  });

  it('tells whoever comes what it proposes, and everybody when it changes its mind', () => {
    const { room, sealed } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(sealed).toEqual([[ben.name, { type: 'propose', ...room.view().proposal }]]);
    const proposal = { message: 'We were here.', share: 1 };
    room.propose(proposal);
    expect(sealed[1]).toEqual([ben.name, { type: 'propose', ...proposal }]);
    expect(room.view().proposal).toEqual(proposal);
  });

  it('starts a round with everybody who is there and was heard, in the order of their names', () => {
    const { room, sealed, begun } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve, guest]) room.onCame(name, card, 0);
    room.onAnnouncement(ben.name, encodeHeartbeat({ awake: false, progress: null }), 9000);
    room.onAnnouncement(eve.name, encodeHeartbeat({ awake: true, progress: null }), 9000);
    room.tick(10_000);
    sealed.length = 0;
    room.start();
    const members = names(ann, ben, eve);
    expect(sealed.map(([to]) => to).sort()).toEqual(names(ben, eve));
    const [first, second] = [1, 2].map((nth) => `${nth}`.padStart(64, '0'));
    expect(sealed[0]![1]).toMatchObject({ type: 'start', number: 1, members, beacon: first });
    expect(begun).toMatchObject([{ number: 1, threshold: 2, beacon: first }]);
    expect(begun[0]!.entries.map(({ endpoint }) => endpoint.host)).toEqual(members);
    room.start();
    expect(begun[1]).toMatchObject({ number: 2, beacon: second });
  });

  it('alone may propose and start', () => {
    const { room } = roomOf(ben);
    room.onCame(ann.name, ann.card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(() => room.start()).toThrow(`leader: expected this member as leader, got ${ann.name.slice(0, 8)}`);
    expect(() => room.propose({ message: 'mine', share: 1 })).toThrow(/^leader: /);
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

  it('begins the round that the leader starts, once', () => {
    seen.room.onLeaderMessage(ann.name, start(1, ann, ben, eve), 0);
    seen.room.onLeaderMessage(ann.name, start(1, ann, ben, eve), 0);
    expect(seen.begun).toMatchObject([{ number: 1, message: 'yes', threshold: 2, beacon }]);
    expect(refusedOf(ann)).toEqual({ 'old-round': 1 });
  });

  it('begins none that another starts', () => {
    seen.room.onLeaderMessage(eve.name, start(1, ann, ben, eve), 0);
    expect(seen.begun).toEqual([]);
    expect(refusedOf(eve)).toEqual({ 'not-leader': 1 });
  });

  it('begins none with somebody whom it does not know', () => {
    seen.room.onLeaderMessage(ann.name, start(1, ann, ben, guest), 0);
    expect(seen.begun).toEqual([]);
    expect(refusedOf(ann)).toEqual({ 'unknown-member-in-round': 1 });
  });

  it('watches one that it is not in', () => {
    seen.room.onLeaderMessage(ann.name, start(4, ann, eve), 0);
    expect(seen.begun).toEqual([]);
    seen.room.onLeaderMessage(ann.name, start(4, ann, ben), 0);
    expect(refusedOf(ann)).toEqual({ 'old-round': 1 });
  });

  it('counts what is no message, against whom it came from', () => {
    seen.room.onLeaderMessage(ann.name, 'start!', 0);
    seen.room.onAnnouncement(eve.name, '{}', 0);
    seen.room.onLeaderMessage(guest.name, start(1, ann, ben), 0);
    expect([refusedOf(ann), refusedOf(eve), seen.room.view().refused]).toEqual([
      { 'malformed-message': 1 },
      { 'malformed-heartbeat': 1 },
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
    ['is not a card', 'hello', 'malformed-card'],
  ])('for it %s: its member takes part in nothing', (_, card, code) => {
    const { room, begun } = roomOf(ben);
    room.onCame(guest.name, card, 0);
    room.onCame(ben.name, ben.card, 0);
    expect(room.view().members[0]).toMatchObject({ name: guest.name, condition: 'refused' });
    expect(room.view().refused).toEqual({ [code]: 1 });
    expect(room.isLeader).toBe(true);
    room.start();
    expect(begun[0]!.entries).toHaveLength(1);
  });
});

describe('a slot', () => {
  const [{ validators }, others] = [eve, ben].map(({ card }) => JSON.parse(card)) as [
    Record<string, string[]>,
    Record<string, string[]>,
  ];
  // Either the first proof belongs to another key, or the validator belongs to another member, whose proofs are all
  // public.
  const wrong = [`${validators![0]!.slice(0, 96)}${validators![1]!.slice(96)}`, others.validators![0]!];

  it.each(wrong)('is without a member whose validators are not its own', (validator) => {
    const card = JSON.stringify({ ...JSON.parse(eve.card), validators: validators!.with(0, validator) });
    const leader = roomOf(ann);
    const member = roomOf(ben);
    for (const { room } of [leader, member])
      for (const of of [ann, ben, { name: eve.name, card }]) room.onCame(of.name, of.card, 0);
    leader.room.startSlot();
    const { entries, threshold, slot } = leader.begun[0]!;
    expect(entries).toEqual([ann, ben].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ entry }) => entry));
    expect([slot!.validators.length, slot!.parameters.slotSeconds, threshold]).toEqual([16, 6.15, 11]);
    const [[to, message]] = leader.sealed.filter(([, { type }]) => type === 'start') as [[string, LeaderMessage]];
    expect(to).toBe(ben.name);
    // A message of a leader that includes this member is rejected.
    member.room.onLeaderMessage(
      ann.name,
      encodeLeaderMessage({ ...message, members: names(ann, ben, eve) } as LeaderMessage),
      0,
    );
    expect(member.begun).toEqual([]);
    expect(member.room.view().members[0]!.refused).toEqual({ 'unknown-member-in-round': 1 });
    member.room.onLeaderMessage(ann.name, encodeLeaderMessage(message), 0);
    expect(member.begun[0]!.slot).toEqual(slot);
    // The member does take part in a round.
    leader.room.start();
    expect(leader.begun[1]!.entries).toHaveLength(3);
  });

  it('validators are checked one member at a time, before a slot begins', () => {
    const checked: string[] = [];
    const port = { announce() {}, send() {}, beacon: () => beacon, begin() {}, changed() {} };
    const isGenuine = ({ endpoint }: { endpoint: { host: string } }): boolean => checked.push(endpoint.host) > 0;
    const room = new Room({ self: ann, port: { ...port, isGenuine } });
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    const before = checked.length;
    for (const times of [0, 1, 2, 2]) {
      room.tick(0);
      expect(checked.length).toBe(before + times * validatorsPerMember);
    }
    room.startSlot();
    expect(checked.length).toBe(before + 2 * validatorsPerMember);
  });
});

describe('a member is shown', () => {
  const conditionOf = (room: Room, { name }: MemberIdentity) =>
    room.view().members.find((member) => member.name === name)?.condition;

  it('asleep while its page is hidden, or when nothing was heard of it for a while', () => {
    const { room } = roomOf(ann);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.onAnnouncement(ben.name, encodeHeartbeat({ awake: false, progress: null }), 1000);
    expect(conditionOf(room, ben)).toBe('asleep');
    room.onAnnouncement(ben.name, encodeHeartbeat({ awake: true, progress: null }), 2000);
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
    room.onInvalid(ben.name);
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

describe('who comes and goes', () => {
  it('is in the room once, and once more after leaving it', () => {
    const { room, changesBy } = roomOf(ann);
    for (const { name, card } of [ann, ben]) expect(changesBy(() => room.onCame(name, card, 0))).toBe(1);
    room.onAnnouncement(ben.name, beat(false), 0);
    expect(changesBy(() => room.onCame(ben.name, ben.card, 5))).toBe(0);
    expect(room.view().members.map(({ name, condition }) => [name, condition])).toEqual([
      [ann.name, 'here'],
      [ben.name, 'asleep'],
    ]);
    expect(changesBy(() => room.onWent(ben.name, 6))).toBe(1);
    expect(room.view().members).toHaveLength(1);
    room.onCame(ben.name, ben.card, 7);
    expect(room.view().members[1]!.condition).toBe('here');
  });

  it('comes back anew while its round is still shown', () => {
    const { room } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.start();
    room.onInvalid(ben.name);
    room.onWent(ben.name, 1);
    room.onCame(ben.name, ben.card, 2);
    expect(room.view().members.map(({ name }) => name)).toEqual([ann, eve, ben].map(({ name }) => name));
    expect(room.view().members[2]).toMatchObject({ condition: 'here', lied: false, inRound: true });
  });

  it('is neither this member itself nor somebody who never came', () => {
    const { room, changesBy } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    for (const { name } of [ann, ben]) expect(changesBy(() => room.onWent(name, 1))).toBe(0);
    expect(room.leader).toBe(ann.name);
  });

  it('is no more than twice what a room holds, gone or not', () => {
    const { room } = roomOf(ann);
    for (let count = 0; count < 2 * maxMembers + 3; count++) room.onCame(`stranger ${count}`, 'no card', 0);
    expect(room.view().members).toHaveLength(2 * maxMembers);
    expect(room.view().refused).toEqual({ 'malformed-card': 2 * maxMembers });
  });

  it('is told the proposal by its leader alone, and only when its card holds', () => {
    const { room, sealed } = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.onCame(guest.name, 'no card', 0);
    expect(sealed).toEqual([]);
    room.onWent(eve.name, 1);
    expect(sealed).toEqual([]);
    room.onCame(eve.name, eve.card, 2);
    room.onWent(ann.name, 3);
    expect(sealed.map(([to]) => to)).toEqual([eve.name]);
    room.onWent(eve.name, 4);
    room.propose({ message: 'Alone.', share: 1 });
    expect(sealed).toHaveLength(1);
  });

  it('is not told it once it has left, though its round is still shown', () => {
    const { room, sealed } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.start();
    room.onWent(ben.name, 1);
    sealed.length = 0;
    room.propose({ message: 'Without ben.', share: 1 });
    expect(sealed.map(([to]) => to)).toEqual([eve.name]);
  });
});

describe('what is shown', () => {
  it('of each member: its label, whether it is leader, this one, and in the round', () => {
    const { room } = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.onCame(guest.name, 'no card', 0);
    room.onLeaderMessage(ann.name, start(1, ann, ben), 0);
    const member = (label: string, isSelf: boolean, isLeader: boolean, inRound: boolean) => ({
      ...{ label, isSelf, isLeader, inRound, progress: undefined, refused: {}, lied: false },
    });
    expect(room.view()).toMatchObject({
      self: ben.name,
      leader: ann.name,
      members: [
        member('person 0', false, true, true),
        member('person 1', true, false, true),
        member('person 2', false, false, false),
        member('', false, false, false),
      ],
      round: { number: 1, message: 'yes', share: 0.5 },
    });
  });

  it('of progress: what each tells last, until the next round', () => {
    const { room, changesBy } = roomOf(ann);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    expect(room.view().members.map(({ progress }) => progress)).toEqual([undefined, undefined]);
    expect(changesBy(() => room.setProgress(progressOf(1)))).toBe(1);
    expect(changesBy(() => room.onAnnouncement(ben.name, beat(true, progressOf(2)), 1))).toBe(1);
    room.onAnnouncement(ben.name, beat(true), 2);
    // Announcements in this member's own name are ignored.
    room.onAnnouncement(ann.name, beat(true, progressOf(9)), 2);
    expect(room.view().members.map(({ progress }) => progress?.weight)).toEqual([1, 2]);
    expect(changesBy(() => room.start())).toBe(1);
    expect(room.view().members.map(({ progress }) => progress)).toEqual([undefined, undefined]);
  });

  it('changes when it is told something, when a member lies, and when one falls silent', () => {
    const { room, changesBy } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    expect(changesBy(() => room.onLeaderMessage(ben.name, 'no message', 0))).toBe(1);
    expect(changesBy(() => room.propose({ message: 'We.', share: 1 }))).toBe(1);
    expect(changesBy(() => room.onInvalid(ben.name))).toBe(1);
    expect(changesBy(() => room.onInvalid(guest.name))).toBe(0);
    expect(changesBy(() => room.onRefused(guest.name, 'blacklisted'))).toBe(0);
    room.onAnnouncement(eve.name, beat(true), 500);
    const silences = [9_999, 10_000, 10_499, 10_500, 20_000].map((nowMs) => changesBy(() => room.tick(nowMs)));
    expect(silences).toEqual([0, 1, 0, 1, 0]);
    room.onAnnouncement(guest.name, beat(true), 20_001);
    expect(room.view().members).toHaveLength(3);
  });
});

describe('a round', () => {
  it('takes its share of the signatures, rounded up', () => {
    for (const [share, threshold] of [
      [0.01, 1],
      [0.25, 1],
      [0.26, 2],
      [0.66, 3],
      [1, 4],
    ] as const) {
      const { room, begun } = roomOf(ann, { message: 'We.', share });
      for (const { name, card } of [ann, ben, eve, guest]) room.onCame(name, card, 0);
      room.start();
      expect(begun).toMatchObject([{ message: 'We.', share, threshold }]);
    }
  });

  it('is proposed as the house proposes where nobody says otherwise', () => {
    const { room } = roomOf(ann);
    expect(room.view().proposal).toEqual({ message: 'All together: many voices, one signature.', share: 0.66 });
  });

  it('that the leader starts says again what is signed, with this member or without', () => {
    const { room } = roomOf(ben);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.onLeaderMessage(ann.name, start(3, ann, eve), 0);
    expect(room.view().proposal).toEqual({ message: 'yes', share: 0.5 });
    expect(room.view().round).toBeUndefined();
    room.onLeaderMessage(ann.name, start(4, ann, ben), 0);
    expect(room.view().round).toMatchObject({ number: 4 });
    // The next leader continues from the highest number that it knows.
    room.onWent(ann.name, 1);
    room.start();
    expect(room.view().round).toMatchObject({ number: 5 });
  });

  it('begins without those whose cards do not hold, and without those who have left', () => {
    const { room, begun, sealed } = roomOf(ann);
    for (const { name, card } of [ann, ben, eve]) room.onCame(name, card, 0);
    room.onCame(guest.name, ben.card, 0);
    room.start();
    room.onWent(ben.name, 1);
    sealed.length = 0;
    room.start();
    expect(begun.map(({ entries }) => entries.length)).toEqual([3, 2]);
    expect(sealed.map(([to]) => to)).toEqual([eve.name]);
  });

  it('that an untrusted peer would be in is begun by nobody, though its card was seen', () => {
    const { room, begun } = roomOf(ben);
    for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
    room.onCame(eve.name, ben.card, 0);
    room.onLeaderMessage(ann.name, start(1, ann, ben, eve), 0);
    expect(begun).toEqual([]);
    expect(room.view().members[0]!.refused).toEqual({ 'unknown-member-in-round': 1 });
    // Eve is not a verified member, so its message is rejected.
    room.onLeaderMessage(eve.name, start(1, ann, ben), 0);
    expect(room.view().refused).toEqual({ 'forged-card': 1, 'unknown-member': 1 });
  });
});

describe('beats', () => {
  it('with news come the rarer the more members there are', () => {
    const { room, announced } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    for (let count = 1; count < 12; count++) room.onCame(`stranger ${count}`, 'no card', 0);
    room.tick(0);
    room.setProgress(progressOf(1));
    room.tick(299);
    expect(announced).toHaveLength(1);
    room.tick(300);
    expect(announced).toHaveLength(2);
    // The progress has been announced once. The next heartbeat is due after the normal interval.
    room.tick(3299);
    expect(announced).toHaveLength(2);
    room.tick(3300);
    expect(announced).toHaveLength(3);
  });

  it('come at once when the page is hidden or shown, and not when it is so already', () => {
    const { room, announced } = roomOf(ann);
    room.setAwake(true);
    expect(announced).toEqual([]);
    room.setAwake(false);
    room.setAwake(false);
    room.setAwake(true);
    expect(announced).toEqual([
      { awake: false, progress: null },
      { awake: true, progress: null },
    ]);
    // The next heartbeat is due three seconds after the last.
    room.tick(2999);
    expect(announced).toHaveLength(2);
    room.tick(3000);
    expect(announced).toHaveLength(3);
  });

  it('of this member and of those who never came are not listened to', () => {
    const { room, changesBy } = roomOf(ann);
    room.onCame(ann.name, ann.card, 0);
    for (const { name } of [ann, ben]) expect(changesBy(() => room.onAnnouncement(name, '{}', 0))).toBe(0);
    expect(room.view().members[0]!.refused).toEqual({});
  });
});

describe('a room that is joined again', () => {
  it('is as the server tells it from then on, whoever was there before', () => {
    const { room } = roomOf(ben);
    for (const one of [ann, eve, ben]) room.onCame(one.name, one.card, 0);
    expect(room.leader).toBe(ann.name);
    room.onBack(1000);
    expect(room.view().members).toEqual([]);
    for (const one of [eve, ben]) room.onCame(one.name, one.card, 1000);
    expect(room.leader).toBe(eve.name);
    expect(room.view().members.map(({ name }) => name)).toEqual([eve.name, ben.name]);
    room.onCame(ann.name, ann.card, 1000);
    expect(room.view().members.map(({ condition }) => condition)).toEqual(['here', 'here', 'here']);
  });

  it('shows who was in the round as gone until it comes again, and goes on with the rounds it knows', () => {
    const { room, sealed } = roomOf(ben);
    for (const one of [ben, guest]) room.onCame(one.name, one.card, 0);
    room.start();
    room.onBack(1000);
    expect(room.view().members).toMatchObject([{ name: guest.name, condition: 'left', inRound: true }]);
    sealed.length = 0;
    for (const one of [guest, ben]) room.onCame(one.name, one.card, 1000);
    // The guest may not lead. The leader therefore sends it the proposal, although the guest has been there longer.
    expect(sealed).toMatchObject([[guest.name, { type: 'propose' }]]);
    room.start();
    expect(room.view().round).toMatchObject({ number: 2, entries: { length: 2 } });
  });
});

it('a member has one answer, which it may change, and one that is no answer changes nothing', () => {
  const { room, announced } = roomOf(ann);
  for (const { name, card } of [ann, ben]) room.onCame(name, card, 0);
  const answers = () => room.view().members.map(({ answer }) => answer);
  expect(answers()).toEqual([undefined, undefined]);
  room.setAnswer(2);
  expect(announced.at(-1)).toEqual({ awake: true, progress: null, answer: 2 });
  for (const answer of [4, 1])
    room.onAnnouncement(ben.name, encodeHeartbeat({ awake: true, progress: null, answer }), 1000);
  expect(answers()).toEqual([2, 1]);
  room.onAnnouncement(ben.name, '{"awake":true,"progress":null,"answer":1e9}', 2000);
  room.onAnnouncement(eve.name, encodeHeartbeat({ awake: true, progress: null, answer: 3 }), 2000);
  expect(answers()).toEqual([2, 1]);
  expect(room.view().members[1]!.refused).toEqual({ 'malformed-heartbeat': 1 });
  for (const none of [-1, 16, 0.5]) expect(() => room.setAnswer(none)).toThrow(RangeError);
  room.setAnswer(undefined);
  room.onWent(ben.name, 3000);
  expect(answers()).toEqual([undefined]);
});
