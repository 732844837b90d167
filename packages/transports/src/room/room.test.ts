import { verifyEntry } from '@tutti/core';
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
import { Room } from './room.ts';
import type { RoomRound } from './roomState.ts';

const bls = await loadBls();
const people = Array.from({ length: 4 }, (_, i) =>
  makeIdentity(nodeCrypto, bls, { label: `person ${i}`, mayLead: i < 3 }),
);
const [ann, ben, eve, guest] = people as [MemberIdentity, MemberIdentity, MemberIdentity, MemberIdentity];

/** Creates a room from the viewpoint of one member, and records all output of this room. */
function roomOf(self: MemberIdentity, proposal?: RoundProposal) {
  const sealed: [to: string, message: LeaderMessage][] = [];
  const announced: unknown[] = [];
  const begun: RoomRound[] = [];
  let changes = 0;
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
      changed: () => void changes++,
    },
  });
  const changesBy = (call: () => void) => {
    const before = changes;
    call();
    return changes - before;
  };
  return { room, sealed, announced, begun, changesBy };
}

function roomWith(self: MemberIdentity, ...members: readonly MemberIdentity[]) {
  const made = roomOf(self);
  for (const { name, card } of members) made.room.onCame(name, card, 0);
  return made;
}

const addStranger = (room: Room, name: string) => room.onCame(name, 'no card', 0);

const withFields = ({ card }: MemberIdentity, fields: object) => JSON.stringify({ ...JSON.parse(card), ...fields });

const memberOf = (room: Room, { name }: MemberIdentity) => room.view().members.find((one) => one.name === name);

const beat = (awake: boolean, progress: MemberProgress | null = null) => encodeHeartbeat({ awake, progress });
const progressOf = (weight: number): MemberProgress => ({
  ...{ round: 1, weight, levels: [], sent: 0, received: 0, checked: 0, reachedMs: null },
});

const names = (...members: MemberIdentity[]) => members.map(({ name }) => name).sort();
const beacon = '7'.repeat(64);
const start = (number: number, ...members: MemberIdentity[]) =>
  encodeLeaderMessage({ type: 'start', number, message: 'yes', share: 0.5, members: names(...members), beacon });

describe('the leader', () => {
  it('is the member that joined first, and the next member after it leaves', () => {
    const { room } = roomWith(eve, ann, ben, eve);
    expect(room.leader).toBe(ann.name);
    room.onWent(ann.name, 1);
    expect(room.leader).toBe(ben.name);
    room.onWent(ben.name, 2);
    expect(room.isLeader).toBe(true);
  });

  it('is never a member that may not lead, however early it joined', () => {
    const { room } = roomWith(ben, guest);
    expect(room.leader).toBeUndefined();
    room.onCame(ben.name, ben.card, 1);
    expect(room.isLeader).toBe(true);
  });

  it('is replaced after its heartbeats stop by a leader that sends its proposal, and is leader again after the next heartbeat', () => {
    const { room, sealed } = roomWith(ben, ann, ben);
    room.tick(9999);
    expect([room.leader, sealed]).toEqual([ann.name, []]);
    const proposed = [ann.name, { type: 'propose', ...room.view().proposal }];
    room.tick(10_000);
    room.tick(10_001);
    expect([room.isLeader, sealed]).toEqual([true, [proposed]]);
    room.onAnnouncement(ann.name, beat(true), 11_000);
    expect(room.leader).toBe(ann.name);
    room.tick(21_000);
    expect(sealed).toEqual([proposed, proposed]);
  });

  it('sends its proposal to each new member, and to all members after a change', () => {
    const { room, sealed } = roomWith(ann, ann, ben);
    expect(sealed).toEqual([[ben.name, { type: 'propose', ...room.view().proposal }]]);
    const proposal = { message: 'We were here.', share: 1 };
    room.propose(proposal);
    expect(sealed[1]).toEqual([ben.name, { type: 'propose', ...proposal }]);
    expect(room.view().proposal).toEqual(proposal);
  });

  it('sends the proposal of the former leader when it takes over, and only to present members with a valid card', () => {
    const { room, sealed } = roomWith(ben, ann, ben, eve);
    addStranger(room, guest.name);
    const proposal = { message: 'We were here.', share: 1 };
    room.onLeaderMessage(ann.name, encodeLeaderMessage({ type: 'propose', ...proposal }), 0);
    expect(sealed).toEqual([]);
    room.onWent(ann.name, 1);
    expect(sealed).toEqual([[eve.name, { type: 'propose', ...proposal }]]);
    room.start();
    room.onWent(eve.name, 2);
    sealed.length = 0;
    room.propose({ message: 'Alone.', share: 1 });
    expect(sealed).toEqual([]);
  });

  it('starts a round with all members that are present and active, sorted by name', () => {
    const { room, sealed, begun } = roomWith(ann, ann, ben, eve, guest);
    room.onAnnouncement(ben.name, beat(false), 9000);
    room.onAnnouncement(eve.name, beat(true), 9000);
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

  it('is the only member that may propose and start', () => {
    const { room } = roomWith(ben, ann, ben);
    expect(() => room.start()).toThrow(`leader: expected this member as leader, got ${ann.name.slice(0, 8)}`);
    expect(() => room.propose({ message: 'mine', share: 1 })).toThrow(/^leader: /);
  });

  it('cannot propose a message that no member may sign', () => {
    const { room } = roomWith(ann, ann);
    expect(() => room.propose({ message: 'tutti identity v1\0', share: 1 })).toThrow(/^message: expected/);
    expect(() => room.propose({ message: 'yes', share: 0 })).toThrow('share: expected a number greater than 0');
    expect(() => roomOf(ann, { message: 'yes', share: 2 })).toThrow('share: expected a number greater than 0');
  });
});

describe('a member', () => {
  let seen: ReturnType<typeof roomOf>;
  const refusedOf = (member: MemberIdentity) => memberOf(seen.room, member)?.refused;
  beforeEach(() => {
    seen = roomWith(ben, ann, ben, eve);
  });

  it('opens the round that the leader starts, once', () => {
    for (let times = 0; times < 2; times++) seen.room.onLeaderMessage(ann.name, start(1, ann, ben, eve), 0);
    expect(seen.begun).toMatchObject([{ number: 1, message: 'yes', threshold: 2, beacon }]);
    expect(refusedOf(ann)).toEqual({ 'old-round': 1 });
  });

  it('accepts any first round up to 2^52, and later ones at most 2^20 ahead', () => {
    seen.room.onLeaderMessage(ann.name, start(2 ** 52 + 1, ann, ben), 0);
    seen.room.onLeaderMessage(ann.name, start(7, ann, eve), 0);
    seen.room.onLeaderMessage(ann.name, start(7 + 2 ** 20 + 1, ann, ben), 0);
    expect(refusedOf(ann)).toEqual({ 'round-too-far': 2 });
    seen.room.onLeaderMessage(ann.name, start(7 + 2 ** 20, ann, ben), 0);
    expect(seen.begun).toMatchObject([{ number: 7 + 2 ** 20 }]);
  });

  it.each<[string, MemberIdentity, string, MemberIdentity[]]>([
    ['that another member starts', eve, 'not-leader', [ann, ben, eve]],
    ['with a member that never joined', ann, 'unknown-member-in-round', [ann, ben, guest]],
  ])('ignores a round %s', (_, from, code, members) => {
    seen.room.onLeaderMessage(from.name, start(1, ...members), 0);
    expect(seen.begun).toEqual([]);
    expect(refusedOf(from)).toEqual({ [code]: 1 });
  });

  it('counts an invalid message against its sender', () => {
    seen.room.onLeaderMessage(ann.name, 'start!', 0);
    seen.room.onAnnouncement(eve.name, '{}', 0);
    seen.room.onLeaderMessage(guest.name, start(1, ann, ben), 0);
    expect(refusedOf(ann)).toEqual({ 'malformed-message': 1 });
    expect(refusedOf(eve)).toEqual({ 'malformed-heartbeat': 1 });
    expect(seen.room.view().refused).toEqual({ 'unknown-member': 1 });
  });
});

describe('an invalid card', () => {
  const { proofOfPossession } = JSON.parse(eve.card);
  it.each([
    ['is another’s', eve.card, 'forged-card'],
    ['has another’s proof of possession', withFields(guest, { proofOfPossession }), 'forged-card'],
    ['has a network key that its BLS key did not sign', withFields(eve, { networkKey: guest.name }), 'forged-card'],
    ['is not a card', 'hello', 'malformed-card'],
  ])('%s excludes its member from every round', (_, card, code) => {
    const { room, begun } = roomWith(ben, { ...guest, card }, ben);
    expect(room.view().members[0]).toMatchObject({ name: guest.name, condition: 'refused' });
    expect(room.view().refused).toEqual({ [code]: 1 });
    expect(room.isLeader).toBe(true);
    room.start();
    expect(begun[0]!.entries).toHaveLength(1);
  });
});

it('a member has its own card, whichever card the server reports for it', () => {
  const { proofOfPossession } = JSON.parse(eve.card);
  for (const card of ['no card', guest.card, withFields(guest, { label: 'eve', mayHost: true, proofOfPossession })]) {
    const { room } = roomWith(guest, { ...guest, card });
    expect(memberOf(room, guest)).toMatchObject({ label: 'person 3', condition: 'here' });
    expect([room.leader, room.view().refused]).toEqual([undefined, {}]);
  }
});

describe('a slot', () => {
  const [validators, others] = [eve, ben].map(({ card }) => JSON.parse(card).validators) as [string[], string[]];
  // Either the first proof is of another key, or the validator is another member's, whose proofs are public.
  const wrong = [`${validators[0]!.slice(0, 96)}${validators[1]!.slice(96)}`, others[0]!];

  it.each(wrong)('excludes a member whose validators belong to another member', (validator) => {
    const members = [ann, ben, { ...eve, card: withFields(eve, { validators: validators.with(0, validator) }) }];
    const [leader, member] = [roomWith(ann, ...members), roomWith(ben, ...members)];
    leader.room.startSlot();
    const { entries, threshold, slot } = leader.begun[0]!;
    expect(entries).toEqual([ann, ben].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ entry }) => entry));
    expect([slot!.validators.length, slot!.parameters.slotSeconds, threshold]).toEqual([16, 6.15, 11]);
    const [[to, message]] = leader.sealed.filter(([, { type }]) => type === 'start') as [[string, LeaderMessage]];
    expect(to).toBe(ben.name);
    // A leader's message that includes a member with an invalid validator is rejected.
    const withEve = { ...message, members: names(ann, ben, eve) } as LeaderMessage;
    member.room.onLeaderMessage(ann.name, encodeLeaderMessage(withEve), 0);
    expect(member.begun).toEqual([]);
    expect(member.room.view().members[0]!.refused).toEqual({ 'unknown-member-in-round': 1 });
    member.room.onLeaderMessage(ann.name, encodeLeaderMessage(message), 0);
    expect(member.begun[0]!.slot).toEqual(slot);
    // The member with the invalid validator does take part in a round.
    leader.room.start();
    expect(leader.begun[1]!.entries).toHaveLength(3);
  });

  it('has phases of 100 ms to 60 s, and only the leader starts it', () => {
    const { room, begun } = roomWith(ann, ann);
    for (const phaseMs of [99, 60_001])
      expect(() => room.startSlot(phaseMs)).toThrow(
        new RangeError(`phaseMs: expected an integer from 100 to 60000, got ${phaseMs}`),
      );
    room.startSlot(300);
    expect(begun[0]!.slot!.parameters.slotSeconds).toBeCloseTo(0.9);
    expect(() => roomWith(ben, ann, ben).room.startSlot()).toThrow(/^leader: /);
  });

  it('verifies validators one member at a time before it begins', () => {
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

describe('a member has the state', () => {
  const conditionOf = (room: Room, member: MemberIdentity) => memberOf(room, member)?.condition;

  it('asleep while its page is hidden or after its heartbeats stop', () => {
    const { room } = roomWith(ann, ann, ben);
    room.onAnnouncement(ben.name, beat(false), 1000);
    expect(conditionOf(room, ben)).toBe('asleep');
    room.onAnnouncement(ben.name, beat(true), 2000);
    expect(conditionOf(room, ben)).toBe('here');
    room.tick(12_000);
    expect(conditionOf(room, ben)).toBe('asleep');
    expect(conditionOf(room, ann)).toBe('here');
  });

  it('left while its round is displayed, and is removed afterwards', () => {
    const { room } = roomWith(ann, ann, ben);
    room.start();
    room.onWent(ben.name, 1);
    expect(conditionOf(room, ben)).toBe('left');
    room.start();
    expect(conditionOf(room, ben)).toBeUndefined();
  });

  it('invalid after its contribution failed verification', () => {
    const { room } = roomWith(ann, ann, ben);
    room.start();
    room.onInvalid(ben.name);
    room.onRefused(ben.name, 'blacklisted');
    expect(room.view().members[1]).toMatchObject({ isByzantine: true, refused: { blacklisted: 1 } });
    room.start();
    expect(room.view().members[1]).toMatchObject({ isByzantine: false });
  });
});

describe('a member that leaves and joins', () => {
  it('is listed once, and once again after it left', () => {
    const { room, changesBy } = roomOf(ann);
    for (const { name, card } of [ann, ben]) expect(changesBy(() => room.onCame(name, card, 0))).toBe(1);
    room.onAnnouncement(ben.name, beat(false), 0);
    expect(changesBy(() => room.onCame(ben.name, ben.card, 5))).toBe(0);
    const listed = room.view().members.map(({ name, condition }) => `${name} ${condition}`);
    expect(listed).toEqual([`${ann.name} here`, `${ben.name} asleep`]);
    expect(changesBy(() => room.onWent(ben.name, 6))).toBe(1);
    expect(room.view().members).toHaveLength(1);
    room.onCame(ben.name, ben.card, 7);
    expect(room.view().members[1]!.condition).toBe('here');
  });

  it('returns as a new member while its last round is still displayed', () => {
    const { room } = roomWith(ann, ann, ben, eve);
    room.start();
    room.onInvalid(ben.name);
    room.onWent(ben.name, 1);
    room.onCame(ben.name, ben.card, 2);
    expect(room.view().members.map(({ name }) => name)).toEqual([ann, eve, ben].map(({ name }) => name));
    expect(room.view().members[2]).toMatchObject({ condition: 'here', isByzantine: false, inRound: true });
  });

  it('is ignored if it is this member itself or never joined', () => {
    const { room, changesBy } = roomWith(ann, ann);
    for (const { name } of [ann, ben]) expect(changesBy(() => room.onWent(name, 1))).toBe(0);
    expect(room.leader).toBe(ann.name);
  });

  it('is listed within a limit of twice the capacity of the room, with members that left', () => {
    const { room } = roomOf(ann);
    for (let count = 0; count < 2 * maxMembers + 3; count++) addStranger(room, `stranger ${count}`);
    expect(room.view().members).toHaveLength(2 * maxMembers);
    expect(room.view().refused).toEqual({ 'malformed-card': 2 * maxMembers });
  });
});

describe('the view of a room', () => {
  it('shows the label of each member and whether it is leader, this member, and in the round', () => {
    const { room } = roomWith(ben, ann, ben, eve);
    addStranger(room, guest.name);
    room.onLeaderMessage(ann.name, start(1, ann, ben), 0);
    const { members, ...rest } = room.view();
    expect(members.map(({ label }) => label)).toEqual(['person 0', 'person 1', 'person 2', '']);
    expect(members.map(({ isSelf }) => isSelf)).toEqual([false, true, false, false]);
    expect(members.map(({ isLeader }) => isLeader)).toEqual([true, false, false, false]);
    expect(members.map(({ inRound }) => inRound)).toEqual([true, true, false, false]);
    expect(rest).toMatchObject({ self: ben.name, leader: ann.name });
    expect(rest.round).toMatchObject({ number: 1, message: 'yes', share: 0.5 });
  });

  it('shows the latest progress of each member until the next round', () => {
    const { room, changesBy } = roomWith(ann, ann, ben);
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

  it('changes after each message, after an invalid contribution, and after a member falls silent', () => {
    const { room, changesBy } = roomWith(ann, ann, ben, eve);
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
  it('requires its share of the signatures, rounded up', () => {
    const thresholds = [0.01, 0.25, 0.26, 0.66, 1].map((share) => {
      const { room, begun } = roomOf(ann, { message: 'We.', share });
      for (const { name, card } of [ann, ben, eve, guest]) room.onCame(name, card, 0);
      room.start();
      expect(begun).toMatchObject([{ message: 'We.', share }]);
      return begun[0]!.threshold;
    });
    expect(thresholds).toEqual([1, 1, 2, 3, 4]);
  });

  it('repeats the proposed message when the leader starts it, with this member or without', () => {
    const { room } = roomWith(ben, ann, ben, eve);
    room.onLeaderMessage(ann.name, start(4, ann, eve), 0);
    expect(room.view()).toMatchObject({ proposal: { message: 'yes', share: 0.5 }, round: undefined });
    room.onLeaderMessage(ann.name, start(4, ann, ben), 0);
    expect(room.view().members[0]!.refused).toEqual({ 'old-round': 1 });
    room.onLeaderMessage(ann.name, start(5, ann, ben), 0);
    expect(room.view().round).toMatchObject({ number: 5 });
    // The next leader continues from the highest number that it knows.
    room.onWent(ann.name, 1);
    room.start();
    expect(room.view().round).toMatchObject({ number: 6 });
  });

  it('does not begin with a member that is untrusted, although its card was received', () => {
    const { room, begun } = roomWith(ben, ann, ben);
    room.onCame(eve.name, ben.card, 0);
    room.onLeaderMessage(ann.name, start(1, ann, ben, eve), 0);
    expect(begun).toEqual([]);
    expect(room.view().members[0]!.refused).toEqual({ 'unknown-member-in-round': 1 });
    // Eve is not a verified member, so a message from Eve is rejected.
    room.onLeaderMessage(eve.name, start(1, ann, ben), 0);
    expect(room.view().refused).toEqual({ 'forged-card': 1, 'unknown-member': 1 });
  });
});

describe('heartbeats', () => {
  it.each([
    [1, 250],
    [10, 250],
    [12, 300],
  ])('of a room of %i members are sent every 3 s, and %i ms after the previous one with progress', (size, ms) => {
    const { room, announced } = roomWith(ann, ann);
    for (let count = 1; count < size; count++) addStranger(room, `stranger ${count}`);
    const countAt = (nowMs: number) => {
      room.tick(nowMs);
      return announced.length;
    };
    expect([0, 2999, 3000].map(countAt)).toEqual([1, 1, 2]);
    room.setProgress(progressOf(1));
    expect([3000 + ms - 1, 3000 + ms].map(countAt)).toEqual([2, 3]);
    expect(announced).toMatchObject([{ progress: null }, { progress: null }, { progress: progressOf(1) }]);
    expect([6000 + ms - 1, 6000 + ms].map(countAt)).toEqual([3, 4]);
  });

  it('are sent at once when the page is hidden or shown, and only on a change', () => {
    const { room, announced } = roomOf(ann);
    room.setAwake(true);
    expect(announced).toEqual([]);
    room.setAwake(false);
    room.setAwake(false);
    room.setAwake(true);
    expect(announced).toEqual([false, true].map((awake) => ({ awake, progress: null })));
  });
});

describe('a room that a member joins again', () => {
  it('has the members that the server lists from then on', () => {
    const { room } = roomWith(ben, ann, eve, ben);
    expect(room.leader).toBe(ann.name);
    room.onBack(1000);
    expect(room.view().members).toEqual([]);
    for (const one of [eve, ben]) room.onCame(one.name, one.card, 1000);
    expect(room.leader).toBe(eve.name);
    expect(room.view().members.map(({ name }) => name)).toEqual([eve.name, ben.name]);
    room.onCame(ann.name, ann.card, 1000);
    expect(room.view().members.map(({ condition }) => condition)).toEqual(['here', 'here', 'here']);
  });

  it('shows members of the round as left until they join again, and continues with known rounds', () => {
    const { room, sealed } = roomWith(ben, ben, guest);
    room.start();
    room.onBack(1000);
    expect(room.view().members).toMatchObject([{ name: guest.name, condition: 'left', inRound: true }]);
    sealed.length = 0;
    for (const one of [guest, ben]) room.onCame(one.name, one.card, 1000);
    // The leader sends the proposal to the guest, which may not lead although it has been there longer.
    expect(sealed).toMatchObject([[guest.name, { type: 'propose' }]]);
    room.start();
    expect(room.view().round).toMatchObject({ number: 2, entries: { length: 2 } });
  });
});

it('each member has one answer and may change it; an invalid answer changes nothing', () => {
  const { room, announced } = roomWith(ann, ann, ben);
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
