import { type HandelConfig, registryDigest } from '@tutti/core';
import { inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { closing, rethrow, until } from '../../test/compliance.ts';
import { openBroadcast } from '../broadcast/broadcast.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { SharedTransport } from '../rounds/sharedTransport.ts';
import { batched } from '../rounds/verifier.ts';
import { type MemberIdentity, makeIdentity } from './card.ts';
import { type RoomResult, RoomSession, type RoomStep } from './roomSession.ts';
import type { RoomRound } from './roomState.ts';

const bls = await loadBls();
const people = Array.from({ length: 5 }, (_, at) =>
  makeIdentity(nodeCrypto, bls, { label: `person ${at}`, mayLead: true }),
).sort((a, b) => (a.name < b.name ? -1 : 1));

function sessions(
  group: string,
  members: readonly MemberIdentity[],
  round: Partial<RoomRound> = {},
  config: Partial<HandelConfig> = {},
  ready: (steps: readonly RoomStep[], levels: number) => Promise<void> = async () => {},
) {
  const entries = members.map(({ entry }) => entry);
  return members.map((identity) => {
    const seen = {
      steps: [] as RoomStep[],
      results: [] as RoomResult[],
      refused: [] as [member: string, code: string][],
      invalid: [] as string[],
      news: 0,
    };
    const transport = closing(new SharedTransport(openBroadcast({ group, name: identity.name })));
    const session: RoomSession = new RoomSession({
      round: {
        number: 7,
        message: 'größer',
        share: 1,
        beacon: '7'.repeat(64),
        threshold: members.length,
        entries,
        ...round,
      },
      identity,
      crypto: nodeCrypto,
      kernel: bls,
      openVerifier(keys, message) {
        const verifier = batched(inThreadVerifier(bls.round(keys, message)));
        const verifyBatch: typeof verifier.verifyBatch = async (claims) => {
          const levels = session.progress().levels.filter(([, peers]) => peers > 0);
          await ready(seen.steps, levels.length);
          return verifier.verifyBatch(claims);
        };
        return { verifyBatch, close: async () => verifier.close() };
      },
      transport,
      config: { disseminationPeriodMs: 10, levelStartMs: 10, ...config },
      onProgress: () => void seen.news++,
      onResult: (result) => seen.results.push(result),
      onStep: (step) => seen.steps.push(step),
      onRefused: (member, code) => seen.refused.push([member, code]),
      onInvalid: (member) => seen.invalid.push(member),
      onFailure: rethrow,
    });
    return { identity, session: closing(session), seen };
  });
}

it('every member obtains the multi-signature of all members and the data to verify it', async () => {
  const all = sessions('session-1', people);
  const names = people.map(({ name }) => name);
  for (const { session, identity } of all) {
    expect(session.digest).toEqual(registryDigest(nodeCrypto, { entries: people.map(({ entry }) => entry) }));
    expect([...session.assignment].sort()).toEqual(names);
    expect(session.assignment[session.position]).toBe(identity.name);
    expect(session.assignment).toEqual(all[0]!.session.assignment);
    session.start();
  }
  await until(() => all.every(({ seen }) => seen.results.length > 0));
  for (const { seen, session } of all) {
    expect(seen.news).toBe(seen.results.length);
    const [result] = seen.results as [RoomResult];
    expect(result).toMatchObject({ round: 7, weight: 5, bits: Uint8Array.of(0b11111) });
    expect(new TextDecoder().decode(result.message)).toBe('größer');
    expect(result.publicKeys).toEqual(people.map(({ entry }) => entry.publicKey));
    expect(bls.fastAggregateVerify(result.publicKeys, result.message, result.signature)).toBe(true);
    expect(result.reachedMs).toBe(session.progress().reachedMs);
  }
});

it('v1.0 section 4.3: the positions depend only on the seed that the leader generated for the round', () => {
  const assignments = Array.from({ length: 8 }, (_, nth) => {
    const [first] = sessions(`session-${nth}-drawn`, people, { beacon: `${nth}`.repeat(64) });
    return first!.session.assignment.join();
  });
  expect(new Set(assignments).size).toBeGreaterThan(4);
});

it('reports each step of its node, and a progress equal to the sum of the steps', async () => {
  const all = sessions('session-2', people);
  for (const { session } of all) {
    const { levels, ...rest } = session.progress();
    expect(rest).toEqual({ round: 7, weight: 1, sent: 0, received: 0, checked: 0, reachedMs: null });
    expect(levels.map(([held]) => held)).toEqual([0, 0, 0]);
    // The peers of all levels together are all other members.
    expect(levels.reduce((sum, [, peers]) => sum + peers, 0)).toBe(4);
    session.start();
  }
  await until(() => all.every(({ seen }) => seen.results.length > 0));
  for (const { seen, session } of all) {
    const progress = session.progress();
    const of = (what: RoomStep['what']) => seen.steps.filter((step) => step.what === what);
    expect(progress).toMatchObject({
      weight: 5,
      sent: of('sent').length,
      received: of('received').length,
      checked: of('checking').length,
    });
    expect(progress.levels.every(([held, peers]) => held === peers)).toBe(true);
    expect(Number.isInteger(progress.reachedMs)).toBe(true);
    expect(of('checked').length).toBeGreaterThan(0);
    expect(of('checked').every(({ level }) => level === 0)).toBe(true);
    const times = seen.steps.map(({ timeUs }) => timeUs);
    expect(times).toEqual([...times].sort((a, b) => a - b));

    const peersOf = new Map<number, Set<number>>();
    for (const step of seen.steps)
      if (step.what === 'sent' || step.what === 'received' || step.what === 'checking')
        peersOf.set(step.level, (peersOf.get(step.level) ?? new Set()).add(step.peer));
    for (const [level, peers] of peersOf) {
      expect(peers.size, `level ${level}`).toBeLessThanOrEqual(progress.levels[level - 1]![1]);
      expect(peers.has(session.position)).toBe(false);
    }
    // In the end, the contributions of all levels together include all other members.
    const last = new Map(seen.steps.flatMap((step) => (step.what === 'improved' ? [[step.level, step.held]] : [])));
    expect([...last.values(), session.position].flat().sort()).toEqual([0, 1, 2, 3, 4]);
  }
});

it('verifies batches if configured, and reports each verification as one step', async () => {
  // A verification ends when every level has received something, so the next of three levels is a batch.
  const heard = (steps: readonly RoomStep[]) =>
    new Set(steps.flatMap((step) => (step.what === 'received' ? [step.level] : []))).size;
  const ready = (steps: readonly RoomStep[], levels: number) => until(() => heard(steps) === levels);
  const all = sessions('session-batch', people, {}, { batch: 4 }, ready);
  for (const { session } of all) session.start();
  await until(() => all.every(({ seen }) => seen.results.length > 0));
  let batches = 0;
  for (const { seen, session } of all) {
    const checking = seen.steps.filter(({ what }) => what === 'checking');
    expect(session.progress()).toMatchObject({ weight: 5, checked: checking.length });
    for (const [at, { what }] of seen.steps.entries()) {
      if (what === 'checking' && seen.steps[at + 1]?.what === 'checking') batches++;
      if (what === 'checked') expect(seen.steps[at]).toMatchObject({ level: 0 });
    }
    expect(checking.every((step) => 'peer' in step && step.peer !== session.position)).toBe(true);
  }
  expect(batches).toBeGreaterThan(0);
});

it('names the member of an invalid contribution and refuses its later packets', async () => {
  const [honest, ...others] = people as [MemberIdentity, ...MemberIdentity[]];
  const byzantine = { ...honest, sign: () => honest.sign(Uint8Array.of(1)) };
  const all = sessions('session-3', [byzantine, ...others], { threshold: 4 });
  for (const { session } of all) session.start();
  await until(() => all.slice(1).every(({ seen }) => seen.results.length > 0));
  await until(() => all.slice(1).some(({ seen }) => seen.refused.length > 0));
  const invalid = new Set(all.slice(1).flatMap(({ seen }) => seen.invalid));
  expect([...invalid]).toEqual([byzantine.name]);
  const refused = new Set(all.slice(1).flatMap(({ seen }) => seen.refused.map((one) => one.join())));
  expect([...refused]).toEqual([`${byzantine.name},blacklisted`]);
});
