import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it, vi } from 'vitest';
import { closing, rethrow, until } from '../../test/compliance.ts';
import { peers } from '../../test/peers.ts';
import { Channel } from '../channel/channel.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { MemoryNetwork } from '../transport/memory.ts';
import type { Group } from './group.ts';
import { Peer, type PeerOptions } from './peer.ts';
import { roundSession } from './plan.ts';

function opened(...args: Parameters<typeof peers>) {
  const made = peers(...args);
  made.peers.forEach(closing);
  return made;
}

it.each([1, 2, 3, 5])('%i peers run three rounds on one set of transports', async (size) => {
  const { planOf, runRound, verifies, peers } = opened(size);
  for (const round of [7, 8, 20]) {
    const reports = await runRound(planOf(round));
    for (const report of reports) {
      expect(report).toMatchObject({ round, timeToThresholdUs: expect.any(Number), output: { weight: size } });
      expect(report.refused).toEqual({});
      expect(verifies(report)).toBe(true);
    }
  }
  for (const peer of peers)
    expect(peer.totals()).toMatchObject({ roundsStarted: 3, roundsReached: 3, roundsMissed: 0 });
});

it('sums the counters of its rounds, open and closed', async () => {
  const { planOf, runRound, peers, closed } = opened(3);
  expect(peers[0]!.totals()).toEqual({
    ...{ roundsStarted: 0, roundsReached: 0, roundsMissed: 0 },
    ...{ messagesSent: 0, messagesReceived: 0, bytesSent: 0, bytesReceived: 0, checked: 0, events: 0, refused: {} },
  });
  for (const round of [1, 2, 3, 4]) await runRound(planOf(round));
  const peer = peers[0]!;
  const reports = [
    ...closed.received.filter(({ index }) => index === 0).map(({ report }) => report),
    ...peer.openRounds.map((round) => peer.report(round)),
  ];
  expect(reports.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
  const totals = peer.totals();
  for (const sum of ['messagesSent', 'messagesReceived', 'bytesSent', 'bytesReceived', 'checked', 'events'] as const) {
    expect(totals[sum], sum).toBe(reports.reduce((all, report) => all + report[sum], 0));
    expect(totals[sum], sum).toBeGreaterThan(0);
  }
});

it('a late peer gets the result of its missed rounds from peers that are one round ahead', async () => {
  const { planOf, runRound, peers, outputs, verifies } = opened(4, { threshold: 3 });
  await runRound(planOf(1), [0, 1, 2]);
  await runRound(planOf(2), [0, 1, 2]);
  const late = outputs.next(3, 1);
  peers[3]!.open(planOf(1));
  peers[3]!.start(1);
  const report = await late;
  expect(report.output!.weight).toBeGreaterThanOrEqual(3);
  expect(verifies(report)).toBe(true);
});

it('refusals in a round remain in the totals after the round is closed', async () => {
  const { planOf, peers, transports, groups } = opened(2);
  peers[0]!.open(planOf(4));
  const forger = new Channel({
    crypto: nodeCrypto,
    session: roundSession(nodeCrypto, groups[0]!.digest, planOf(4)),
    self: 1,
    secret: insecureSeed('network', 1, 1),
    publicKeys: groups[0]!.networkKeys,
  });
  const forged = forger.seal(0, new Uint8Array(200));
  forged[forged.length - 1]! ^= 1;
  transports[1]!.send(transports[0]!.local, forged);
  await until(() => peers[0]!.report(4).refused.forged !== undefined);
  expect(peers[0]!.totals().refused.forged).toBe(1);
  peers[0]!.closeRound(4);
  expect(peers[0]!.totals().refused.forged).toBe(1);
});

it('peers with different messages do not report each other as invalid', async () => {
  const { planOf, peers } = opened(2);
  peers[0]!.open(planOf(1));
  peers[1]!.open(planOf(1, { message: new TextEncoder().encode('another') }));
  for (const peer of peers) peer.start(1);
  await until(() => peers.every((peer) => peer.totals().refused['wrong-session'] !== undefined));
  for (const peer of peers) expect(Object.keys(peer.totals().refused)).toEqual(['wrong-session']);
});

it('refuses to open an open round, to close an unknown round, and to continue after close', async () => {
  const { planOf, peers, groups } = opened(2);
  expect(() => opened(1, { maxOpen: 0 })).toThrow('maxOpen: expected a number from 1 on, got 0');
  expect(groups[0]!.peers.size).toBe(1);
  peers[0]!.open(planOf(3));
  expect(() => peers[0]!.open(planOf(3))).toThrow('round 3: expected a round that is not open');
  expect(() => peers[0]!.start(4)).toThrow('round 4: expected an open round');
  await peers[0]!.close();
  expect(groups[0]!.peers.size).toBe(0);
  expect(() => peers[0]!.open(planOf(5))).toThrow('peer: expected an open peer');
});

/** Creates a peer on its own memory network, with the first entry of a group. */
function peerOf(group: Group, options: Pick<PeerOptions, 'sign' | 'onLate'>) {
  const network = new MemoryNetwork();
  const transport = network.open();
  const networkSecret = insecureSeed('network', 1, 0);
  const peer = closing(new Peer({ group, index: 0, networkSecret, transport, config: { threshold: 1 }, ...options }));
  return { peer, send: (packet: Uint8Array) => network.open().send(transport.local, packet) };
}

it('reports a packet of a closed round that names another member as its sender, and no other packet', async () => {
  const { groups, planOf } = opened(2);
  const [group, plan, late] = [groups[0]!, planOf(1), vi.fn()];
  const { peer, send } = peerOf(group, { sign: () => new Uint8Array(96), onLate: late });
  peer.open(plan);
  peer.closeRound(plan.number);
  const mark = roundSession(nodeCrypto, group.digest, plan).subarray(0, 4);
  for (const sender of [0, 1, 2]) send(Uint8Array.of(2, ...mark, 0, 0, sender, ...new Uint8Array(60)));
  await until(() => peer.totals().refused['wrong-session'] === 3);
  expect(late.mock.calls).toEqual([[plan.number, 1]]);
});

it('a round whose message cannot be signed is not open, and frees its data', async () => {
  const { groups, planOf } = opened(1);
  const [group, plan] = [groups[0]!, planOf(1)];
  const { peer } = peerOf(group, { sign: () => rethrow(new Error('no key')) });
  expect(() => peer.open(plan)).toThrow('no key');
  expect([peer.openRounds, group.openRounds]).toEqual([[], 0]);
});

it('a round that is closed before the threshold counts as missed', async () => {
  const { planOf, peers, closed } = opened(2);
  peers[0]!.open(planOf(1));
  peers[0]!.start(1);
  expect(peers[0]!.totals()).toMatchObject({ roundsStarted: 1, roundsReached: 0, roundsMissed: 0 });
  peers[0]!.closeRound(1);
  expect(peers[0]!.totals()).toMatchObject({ roundsStarted: 1, roundsReached: 0, roundsMissed: 1 });
  expect(closed.received).toMatchObject([{ index: 0, report: { round: 1, output: undefined } }]);
});
