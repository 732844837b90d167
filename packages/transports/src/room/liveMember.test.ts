import { inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { expect, it, vi } from 'vitest';
import { closing, rethrow } from '../../test/compliance.ts';
import { openBroadcast } from '../broadcast/broadcast.ts';
import { nodeCrypto as crypto } from '../crypto/node.ts';
import { batched } from '../rounds/verifier.ts';
import type { Signalling, SignallingEvent } from '../signalling/signalling.ts';
import { joinTabs } from '../signalling/tabs.ts';
import { decodeCard, encodeCard, type MemberIdentity, makeIdentity } from './card.ts';
import { LiveMember, type LiveMemberOptions } from './liveMember.ts';
import type { RoomStep } from './roomSession.ts';

// Heartbeats depend on the clock. On a heavily loaded machine, heartbeats may be late.
vi.setConfig({ testTimeout: 60_000 });
const patient = { timeout: 30_000 };

const bls = await loadBls();
const noble = await loadBls({ engine: 'noble' });

async function join(
  room: string,
  change: (identity: MemberIdentity) => MemberIdentity = (same) => same,
  through: (signalling: Signalling) => Signalling = (same) => same,
  options: Partial<LiveMemberOptions> = {},
) {
  const identity = change(makeIdentity(crypto, bls, { label: 'somebody', mayLead: true }));
  const { name, card } = identity;
  const steps: RoomStep[] = [];
  const member = new LiveMember({
    room,
    identity,
    crypto,
    kernel: bls,
    signalling: through(await joinTabs({ room, member: name, card, gatherMs: 20 })),
    openTransport: () => openBroadcast({ group: room, name }),
    openVerifier: (keys, message) => batched(inThreadVerifier(bls.round(keys, message))),
    onStep: (step) => steps.push(step),
    onFailure: rethrow,
    ...options,
  });
  return { name, card, member: closing(member), steps };
}

/** Returns a wrapper of a member's signalling that lets a test emit events, and the events that arrived. */
function tapped() {
  const arrived: SignallingEvent[] = [];
  let emit: (event: SignallingEvent) => void = () => {};
  const through = (signalling: Signalling): Signalling => ({
    ...signalling,
    onEvent: (listener) => {
      emit = listener;
      signalling.onEvent((event) => {
        arrived.push(event);
        listener(event);
      });
    },
  });
  return { arrived, emit: (event: SignallingEvent) => emit(event), through };
}

/** Waits until the members have a result of the round, and verifies its signature with another library. */
async function results(members: readonly { member: LiveMember }[], round: number, weight: number) {
  const all = await vi.waitFor(
    () =>
      members.map(({ member }) => {
        const { result } = member.view();
        expect(result?.round).toBe(round);
        expect(result!.weight).toBeGreaterThanOrEqual(weight);
        return result!;
      }),
    patient,
  );
  for (const { bits, publicKeys, message, signature } of all) {
    const signers = publicKeys.filter((_, index) => (bits[index >> 3]! >> (index & 7)) & 1);
    expect(noble.fastAggregateVerify(signers, message, signature)).toBe(true);
  }
  return all;
}

async function untilAllSee(members: readonly { member: LiveMember }[], count: number) {
  await vi.waitFor(() => {
    for (const { member } of members) expect(member.view().members).toHaveLength(count);
  }, patient);
}

it('a room signs the message that its leader proposed, and signs again with the members present at the next round', async () => {
  const members = [await join('live-1'), await join('live-1'), await join('live-1'), await join('live-1')];
  const [leader, ...others] = members;
  await untilAllSee(members, 4);
  // A process that got no CPU time may briefly count the other members as silent.
  await vi.waitFor(
    () => expect(members.map(({ member }) => member.isLeader)).toEqual([true, false, false, false]),
    patient,
  );
  leader!.member.propose({ message: 'We were here.', share: 1 });
  leader!.member.start();
  for (const { message } of await results(members, 1, 4))
    expect(new TextDecoder().decode(message)).toBe('We were here.');
  const digests = members.map(({ member }) => member.view().digest);
  for (const digest of digests) expect(digest).toEqual(digests[0]);
  await vi.waitFor(() => {
    for (const one of leader!.member.view().members) expect(one.progress).toMatchObject({ round: 1, weight: 4 });
  }, patient);
  const seen = new Set(leader!.steps.map(({ what }) => what));
  expect([...seen].sort()).toEqual(['checked', 'checking', 'improved', 'received', 'sent']);
  const { assignment, position } = leader!.member.view();
  expect(assignment[position!]).toBe(leader!.name);
  const last = leader!.steps.findLast((step) => step.what === 'improved' && step.level === 2);
  expect(last).toMatchObject({ held: position! < 2 ? [2, 3] : [0, 1] });

  await leader!.member.close();
  const fifth = await join('live-1');
  const again = [...others, fifth];
  await vi.waitFor(() => {
    for (const { member } of again)
      expect(member.view().members.filter(({ condition }) => condition === 'here')).toHaveLength(4);
    expect(others[0]!.member.isLeader).toBe(true);
    expect(fifth.member.view().proposal.message).toBe('We were here.');
  }, patient);
  others[0]!.member.start();
  await results(again, 2, 4);
});

it('a member that signs another message is detected, and the other members finish without it', async () => {
  const byzantine = await join('live-2', (identity) => ({ ...identity, sign: () => identity.sign(Uint8Array.of(1)) }));
  const honest = [await join('live-2'), await join('live-2'), await join('live-2')];
  await untilAllSee([byzantine, ...honest], 4);
  byzantine.member.start();
  await results(honest, 1, 3);
  await vi.waitFor(() => {
    const seen = honest.map(
      ({ member }) => member.view().members.find(({ name }) => name === byzantine.name)!.isByzantine,
    );
    expect(seen).toContain(true);
  }, patient);
  for (const { member } of honest)
    for (const { name, isByzantine } of member.view().members)
      if (name !== byzantine.name) expect(isByzantine).toBe(false);
});

it('a member verifies the cards of the others, and a member with an invalid card takes part in nothing', async () => {
  const other = makeIdentity(crypto, bls, { label: 'other', mayLead: true });
  const honest = await join('live-4');
  // The forged card has another member's signing key and published proofs, and this member's network key.
  const forger = await join('live-4', (identity) => {
    const entry = { ...other.entry, networkKey: identity.entry.networkKey };
    return { ...identity, card: encodeCard({ ...decodeCard(identity.card)!, entry }) };
  });
  await untilAllSee([honest], 2);
  const { members, refused } = honest.member.view();
  const conditions = Object.fromEntries(members.map(({ name, condition }) => [name, condition]));
  expect(conditions).toEqual({ [honest.name]: 'here', [forger.name]: 'refused' });
  expect(refused).toEqual({ 'forged-card': 1 });
});

it('a server that reports a false leave and join cannot replay the packets of a member', async () => {
  const { arrived, emit, through } = tapped();
  const leader = await join('live-5');
  const member = await join('live-5', undefined, through);
  await untilAllSee([leader, member], 2);
  leader.member.propose({ message: 'First.', share: 1 });
  leader.member.propose({ message: 'Second.', share: 1 });
  const message = () => member.member.view().proposal.message;
  await vi.waitFor(() => expect(message()).toBe('Second.'), patient);
  const recorded = arrived.filter(({ type }) => type === 'signal');
  for (let times = 1; times <= 2; times++) {
    emit({ type: 'went', member: leader.name });
    emit({ type: 'came', member: leader.name, card: leader.card });
    for (const signal of recorded) emit(signal);
    expect(message()).toBe('Second.');
    expect(member.member.view().signalsRefused).toEqual({ replayed: times * recorded.length });
  }
});

it('a lost server is reported, and open links remain open', async () => {
  const { emit, through } = tapped();
  const shown: unknown[] = [];
  const onChange = (changed: LiveMember) => shown.push(changed.view().serverRefused);
  const { name, card, member } = await join('live-3', undefined, through, { onChange });
  expect(member.view().lost).toBeUndefined();
  emit({ type: 'refused', code: 'too-fast', line: 'too-fast: slow down' });
  expect(shown.at(-1)).toEqual({ 'too-fast': 1 });
  emit({ type: 'lost', line: 'signalling: the connection is gone' });
  expect(member.view()).toMatchObject({ lost: 'signalling: the connection is gone', leader: name });
  member.start();
  await results([{ member }], 1, 1);
  emit({ type: 'back' });
  emit({ type: 'came', member: name, card });
  expect(member.view()).toMatchObject({ lost: undefined, leader: name });
  member.start();
  await results([{ member }], 2, 1);
});

it('a verification that fails to run is reported', async () => {
  const failures: string[] = [];
  const failing = await join('live-6', undefined, undefined, {
    openVerifier: () => ({ verifyBatch: () => Promise.reject(new Error('its thread ended')), close: async () => {} }),
    onFailure: (error) => failures.push(error.message),
  });
  const other = await join('live-6');
  await untilAllSee([failing, other], 2);
  failing.member.start();
  await vi.waitFor(() => expect(failures).toContain('its thread ended'), patient);
});

it('a member that left receives nothing more', async () => {
  const { emit, through } = tapped();
  let closes = 0;
  const { member } = await join('live-7', undefined, (signalling) => ({
    ...through(signalling),
    close() {
      closes++;
      signalling.close();
    },
  }));
  await untilAllSee([{ member }], 1);
  await member.close();
  await member.close();
  expect(closes).toBe(1);
  emit({ type: 'came', member: 'a'.repeat(64), card: 'no card' });
  emit({ type: 'lost', line: 'gone' });
  expect(member.view()).toMatchObject({ lost: undefined, members: [{}] });
});
