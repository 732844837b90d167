import { addMember, defaultHornParameters, emptySet, HornTopic, slotClock, type ValidatorRole } from '@tutti/core/horn';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { closing } from '../../test/compliance.ts';
import { HornNodes, type HornNodesOptions, votersOf, wrongSignature } from '../../test/hornNodes.ts';

const bls = await loadBls();
const small = { bls, validators: 64, nodes: 8, committees: 2, subcommittees: 2 };

async function outcomeOf(options: Partial<HornNodesOptions>) {
  const nodes = new HornNodes({ ...small, ...options });
  const reports = await nodes.run();
  await nodes.close();
  return { nodes, reports };
}

const unchanged = await outcomeOf({});
const tiny = { bls, validators: 32, nodes: 4, committees: 1, subcommittees: 2 };

describe('HornPeer: a slot of real nodes with real signatures', () => {
  it('every node builds a block with every vote, and an independent library verifies its signatures', async () => {
    const { nodes, reports } = unchanged;
    expect(reports.map(({ votesInReach }) => votesInReach)).toEqual(Array(8).fill(64));
    expect(reports.every(({ refused, invalid }) => invalid === 0 && Object.keys(refused).length === 0)).toBe(true);
    const { group, slot, peers } = nodes;
    const { votes, collections } = peers[5]!.block();
    const voters = votersOf(collections, slot.message, (place) => group.publicKeys[slot.plan.validatorAt[place]!]!);
    expect([voters.size, votes]).toEqual([64, 64]);
  });

  it('the node sends votes, aggregates and collections at the times of its clock', async () => {
    const { nodes, reports } = unchanged;
    const { attestUs, aggregateUs, collectUs } = nodes.slot.clock;
    const due = { [HornTopic.subnet]: attestUs, [HornTopic.committee]: aggregateUs, [HornTopic.global]: collectUs };
    for (const { published, verified } of reports)
      for (const { topic, atUs } of [...published, ...verified]) expect(atUs).toBe(due[topic]);
  });

  it('a node sends an empty packet to each peer before its first message', async () => {
    const nodes = closing(new HornNodes({ bls, validators: 16, nodes: 2, committees: 1, subcommittees: 2 }));
    const [peer, other] = nodes.peers;
    peer!.greet();
    await nodes.clock.run(() => true);
    expect(other!.counts.bytesReceived).toBeGreaterThan(0);
    expect([other!.counts.messagesReceived, other!.report().refused]).toEqual([0, {}]);
  });

  it('a node that sends invalid messages is ignored by all its receivers and loses only its own votes', async () => {
    const falsify = wrongSignature(bls);
    const { reports } = await outcomeOf({ more: (node) => (node === 3 ? { falsify } : {}) });
    for (const { node, blacklisted, votesInReach, invalid } of reports) {
      if (node === 3) continue;
      expect([votesInReach, blacklisted]).toEqual([56, [3]]);
      expect(invalid).toBeGreaterThan(0);
    }
  });

  it('an aggregate signed by a member other than its author is not included', async () => {
    // The aggregate itself is valid, but the author's signature is for different bytes.
    const falsify = (bytes: Uint8Array, topic: HornTopic): Uint8Array => {
      if (topic !== HornTopic.committee) return bytes;
      return Uint8Array.of(...bytes.subarray(0, -96), ...bytes.subarray(-96 - 97, -97));
    };
    const { reports } = await outcomeOf({ more: (node) => (node === 3 ? { falsify } : {}) });
    expect(reports.some(({ blacklisted }) => blacklisted.includes(3))).toBe(true);
  });

  /** Returns the role of validators that take no part, except for the given changes. */
  const absent = (changes: Partial<ValidatorRole>): ValidatorRole => ({
    clock: slotClock('horn', defaultHornParameters),
    collection: 'nothing',
    aggregate: (verified) => emptySet(32 * verified.length),
    rank: (_, weight) => weight,
    ...changes,
  });

  it('validators that send valid but useless aggregates and collections lose no votes and are not ignored', async () => {
    const alone = (place: number): ValidatorRole =>
      absent({
        collection: 'own-vote',
        aggregate(verified) {
          const own = emptySet(32 * verified.length);
          addMember(own, place % 16);
          return own;
        },
      });
    const { reports } = await outcomeOf({ more: (node) => (node === 3 ? { role: alone } : {}) });
    expect(reports[3]!.published.some(({ topic }) => topic === HornTopic.committee)).toBe(true);
    for (const { votesInReach, blacklisted, invalid } of reports)
      expect([votesInReach, blacklisted, invalid]).toEqual([64, [], 0]);
  });

  it('silent validators lose only their own votes', async () => {
    const silent = { role: () => absent({}), casts: () => false };
    const { reports } = await outcomeOf({ more: (node) => (node === 3 ? silent : {}) });
    expect(reports[3]!.published).toEqual([]);
    for (const { votesInReach, blacklisted } of reports) expect([votesInReach, blacklisted]).toEqual([56, []]);
  });

  it('refuses an invalid message by code and includes all other votes', async () => {
    const falsify = (bytes: Uint8Array, topic: HornTopic) =>
      topic === HornTopic.subnet ? bytes.subarray(0, bytes.length - 1) : bytes;
    const { reports } = await outcomeOf({ more: (node) => (node === 0 ? { falsify } : {}) });
    expect(reports.some(({ refused }) => 'truncated' in refused)).toBe(true);
    for (const { votesInReach } of reports) expect(votesInReach).toBe(56);
  });

  it('refuses messages of other authors, on other topics, of unelected aggregators, and duplicates', async () => {
    const { plan } = new HornNodes(small).slot;
    const places = [...plan.nodeAt.keys()];
    const unelected = places.find((place) => plan.duties[place] === 0)!;
    const liar = plan.nodeAt[unelected]!;
    /** Returns the codes for votes of a Byzantine node that claim another topic and the given authors in turn. */
    const codesOf = async (topic: HornTopic, authors: readonly number[]) => {
      let next = 0;
      const falsify = (bytes: Uint8Array, of: HornTopic) =>
        of === HornTopic.subnet
          ? Uint8Array.of(bytes[0]!, topic, 0, 0, authors[next++ % authors.length]!, ...bytes.subarray(5))
          : bytes;
      const { reports } = await outcomeOf({ more: (node) => (node === liar ? { falsify } : {}) });
      return new Set(reports.flatMap((report) => Object.keys(report.refused)));
    };
    expect(await codesOf(HornTopic.global, [unelected])).toContain('not-elected');
    expect(await codesOf(HornTopic.subnet, [unelected])).toContain('second-message');
    const others = places.filter((place) => plan.nodeAt[place] !== liar && place % 5 === 0);
    const codes = await codesOf(HornTopic.subnet, others);
    expect(codes).toContain('level-empty');
    expect(codes).toContain('sender-not-in-peer-set');
  });
});

it('consecutive slots share transports, group and clock; a slot refuses packets of the previous slot', async () => {
  const nodes = closing(new HornNodes(tiny));
  const slotUs = nodes.slot.clock.endUs;
  const second = nodes.open(2);
  expect(second.slot.session).not.toEqual(nodes.slot.session);
  expect(second.slot.plan.validatorAt).not.toEqual(nodes.slot.plan.validatorAt);
  for (const peer of second.peers) peer.start(slotUs);
  const first = await nodes.run();
  for (const { votesInReach, refused } of [...first, ...second.peers.map((peer) => peer.report())])
    expect([votesInReach, refused]).toEqual([32, {}]);
  for (const { published } of second.peers.map((peer) => peer.report()))
    for (const { atUs } of published) expect(atUs).toBeLessThan(slotUs);
});

it('a node starts once, and not after it is closed', async () => {
  const nodes = closing(new HornNodes(tiny));
  const [peer] = nodes.open(2).peers;
  await nodes.run();
  expect(() => nodes.peers[0]!.start()).toThrow('start: expected a node that was not started');
  await peer!.close();
  const endUs = nodes.clock.nowUs();
  peer!.start(endUs);
  await nodes.clock.run(() => true);
  expect([nodes.clock.nowUs(), peer!.report().published]).toEqual([endUs, []]);
});

it('messages that arrive before the slot begins, with or without a start in the future, have the time 0', async () => {
  const nodes = closing(new HornNodes(tiny));
  const second = nodes.open(2);
  const [late, ahead, ...others] = second.peers;
  const { endUs } = nodes.slot.clock;
  for (const peer of others) peer.start(endUs);
  ahead!.start(3 * endUs);
  await nodes.run();
  for (const peer of [late, ahead]) {
    const { votesInReach, verified } = peer!.report();
    expect([votesInReach, new Set(verified.map(({ atUs }) => atUs))]).toEqual([24, new Set([0])]);
  }
});
