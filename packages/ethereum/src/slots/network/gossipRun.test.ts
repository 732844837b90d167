import { RandomStream } from '@tutti/core';
import { createNetwork } from '@tutti/simulation/engine';
import { expect, it } from 'vitest';
import { blsBatchCosts, type ClientParameters, clientPresets } from '../../horn/network/client.ts';
import { ethereumGossipsub, type GossipsubParameters } from '../../horn/network/gossipsub.ts';
import { bytesPerUs } from '../../horn/network/nodes.ts';
import { GossipRun } from './gossipRun.ts';
import { drawMesh, type GossipSetting, PlaceBits, Priority } from './gossipState.ts';

const client: ClientParameters = { ...clientPresets.lighthouse, machine: 'i7-8550U', cores: 4 };

interface Setting extends Partial<Pick<GossipSetting, 'gossip' | 'aheadUs'>> {
  readonly mbps?: number;
  readonly load?: number;
  readonly which?: ClientParameters;
  readonly down?: Float64Array;
  readonly clients?: readonly ClientParameters[];
}

/** Creates a run with one topic that contains all nodes, which are 50 ms apart. */
function setUp(nodes: number, setting: Setting = {}) {
  const { gossip = ethereumGossipsub, mbps = 50, load = 1, which = client, ...rest } = setting;
  const all = (value: number) => new Float64Array(nodes).fill(value);
  const ofNodes = { up: all(bytesPerUs(mbps)), down: all(bytesPerUs(mbps)), load: all(load), ...rest };
  const network = createNetwork('constant:50', nodes, 1);
  const run = new GossipRun(
    { nodes: ofNodes, network, gossip, client: which, costs: blsBatchCosts(which), ...rest },
    1,
  );
  return { run, topic: run.addTopic(Int32Array.from({ length: nodes }, (_, node) => node)) };
}

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + value, 0);
const message = { bytes: 400, sets: 3, keyUs: 0, priority: Priority.global, together: 1 } as const;

it.each([1, 2, 3, 9, 10, 13, 17, 100, 1000])('a mesh of %i members is mutual, of D_low to D_high peers', (members) => {
  const { peers, back } = drawMesh(members, ethereumGossipsub, new RandomStream(1, 'mesh'));
  const { dLow, dHigh } = ethereumGossipsub;
  const isFit = (of: Int32Array): boolean =>
    of.length >= Math.min(dLow, members - 1) && of.length <= dHigh && new Set(of).size === of.length;
  expect(peers.every(isFit)).toBe(true);
  const isMutual = (other: number, place: number, index: number): boolean =>
    other !== place && peers[other]![back[place]![index]!] === place;
  expect(peers.every((of, place) => of.every((other, index) => isMutual(other, place, index)))).toBe(true);
});

it('members with more neighbours than D do not reduce the number of missing ones', () => {
  const { run, topic } = setUp(100, { gossip: { ...ethereumGossipsub, d: ethereumGossipsub.dLow } });
  expect(run.missingPeers(topic)).toBe(0);
});

it('a run delivers every message once to every member, verified, and counts further copies', () => {
  const { run, topic } = setUp(60);
  for (let node = 0; node < 20; node++) run.publish(1000 * node, node, { topic, ...message });
  run.run(10e6);
  for (let number = 0; number < 20; number++) expect(Math.min(...run.verifiedUs(number))).toBeGreaterThanOrEqual(0);
  expect(sum(run.costs.copies) - sum(run.costs.duplicates)).toBe(20 * 59);
  expect(sum(run.costs.duplicates)).toBeGreaterThan(20 * 59 * 3);
});

it('a message waits for its batch at most the given time, rounded to a microsecond', () => {
  const { run, topic } = setUp(2, { which: { ...client, batchWaitMs: 100.0004 } });
  run.publish(0, 0, { topic, ...message });
  run.run(1e6);
  const { batchUs, setUs } = blsBatchCosts(client);
  const workUs = Math.round(batchUs + 3 * setUs);
  expect(run.verifiedUs(0)[1]! - run.receivedUs(0)[1]!).toBe(100_000 + workUs);
});

it('a single message takes per hop: upload, latency, download and one check', () => {
  const { run, topic } = setUp(2, { mbps: 10 });
  run.publish(0, 0, { topic, ...message, bytes: 125_000 - ethereumGossipsub.overheadBytes });
  run.run(10e6);
  // 125 kB at 10 Mbit/s take 100 ms, on both links. A batch of three sets takes its verification time on an i7-8550U.
  const { batchUs, setUs } = blsBatchCosts(client);
  expect(run.verifiedUs(0)[1]! / 1000).toBeCloseTo(250 + (batchUs + 3 * setUs) / 1000, 1);
});

it('a node outside of the topic sends to D of its members', () => {
  const { run } = setUp(41);
  run.publish(0, 40, { topic: run.addTopic(Int32Array.from({ length: 40 }, (_, node) => node)), ...message });
  run.run(5e6);
  expect(Math.min(...run.verifiedUs(0))).toBeGreaterThan(0);
  expect(run.costs.sent[40]).toBe(ethereumGossipsub.d * (message.bytes + ethereumGossipsub.overheadBytes));
});

it.each([0, 59])('member %i of 60: each member sends the message to all peers that have not sent it', (publisher) => {
  const { run, topic } = setUp(60, { gossip: { ...ethereumGossipsub, d: 64, dHigh: 128 }, mbps: 1e6 });
  run.publish(0, publisher, { topic, ...message });
  run.run(1e6);
  // The publisher and 58 other peers send a copy before any of their copies arrives.
  expect(Math.min(...run.costs.copies.filter((_, node) => node !== publisher))).toBe(59);
});

it('IDONTWANT saves copies of large messages', () => {
  const bytes = (idontwantBytes: number | undefined): number => {
    const { run, topic } = setUp(100, { gossip: { ...ethereumGossipsub, idontwantBytes } });
    for (let node = 0; node < 20; node++) run.publish(0, node, { topic, ...message, bytes: 20_000 });
    run.run(30e6);
    return sum(run.costs.received);
  };
  expect(bytes(20_000)).toBeLessThan(0.9 * bytes(undefined));
  expect(bytes(20_001)).toBe(bytes(undefined));
});

it('a node verifies more urgent messages first', () => {
  const { run, topic } = setUp(2, { mbps: 1000, which: { ...client, machine: 'raspberry-pi-4' } });
  const votes = Array.from({ length: 2000 }, () =>
    run.publish(0, 0, { topic, ...message, sets: 1, priority: Priority.vote }),
  );
  const urgent = run.publish(0.15e6, 0, { topic, ...message });
  run.run(600e6);
  expect(votes.filter((vote) => run.verifiedUs(vote)[1]! > run.verifiedUs(urgent)[1]!).length).toBeGreaterThan(500);
});

it('several cores verify proportionally faster, and a batch costs less than its single messages', () => {
  const doneUs = (cores: number, batch: number): number => {
    const { run, topic } = setUp(2, { mbps: 10_000, load: 10, which: { ...client, cores, batch } });
    for (let count = 0; count < 512; count++) run.publish(0, 0, { topic, ...message });
    run.run(600e6);
    return Math.max(...Array.from({ length: 512 }, (_, number) => run.verifiedUs(number)[1]!));
  };
  const [one, four, singly] = [doneUs(1, 64), doneUs(4, 64), doneUs(1, 1)];
  expect(one / four).toBeGreaterThan(3.5);
  expect(singly / one).toBeGreaterThan(2.5);
});

it('summed votes need one check for all and a part each, for the client of each node', () => {
  const which = { ...client, cores: 2 };
  const { run, topic } = setUp(3, { mbps: 1e6, which, clients: [which, { ...which, ...clientPresets.nimbus }, which] });
  for (let count = 0; count < 72; count++) run.publish(0, 0, { topic, ...message, sets: 1, priority: Priority.vote });
  run.run(60e6);
  const { batchUs, setUs, summedUs } = blsBatchCosts(which);
  expect(Math.abs(run.costs.busyUs[1]! - (batchUs + setUs + 72 * summedUs))).toBeLessThan(1);
  // The first message is verified immediately, and the others in batches of waiting messages.
  expect(run.costs.busyUs[2]).toBeGreaterThan(72 * setUs + 2 * batchUs);
});

it.each(Array.from({ length: 24 }, (_, index) => index + 1))(
  'bytes on links, world %i: never above the capacity, and sent = received + in transit + lost',
  (seed) => {
    const random = new RandomStream(seed, 'worlds of links');
    const one = <T>(of: readonly T[]): T => of[random.nextBelow(of.length)]!;
    const nodes = 4 + random.nextBelow(20);
    const gossip: GossipsubParameters = {
      ...ethereumGossipsub,
      lostShare: one([0, 0, 0.1]),
      sharesUpload: one([false, true]),
      idontwantBytes: one([undefined, 500]),
      ...(one([true, false]) && { bundles: { tickMs: 20, maxVotes: 10, dataBytes: 200, voteBytes: 100, idBytes: 8 } }),
      forwardWaitMs: one([undefined, 500]),
    };
    const mbps = one([0.2, 1, 5, 50]);
    const flow = one([undefined, { aheadUs: 100_000 }]);
    const { run, topic } = setUp(nodes, { gossip, mbps, ...flow });
    for (let count = 0; count < 100; count++) {
      const bytes = one([300, 2000, 40_000]);
      const priority = bytes === 300 ? Priority.vote : Priority.global;
      run.publish(random.nextBelow(2_000_000), random.nextBelow(nodes), { topic, ...message, bytes, priority });
    }
    for (let atUs = 250_000; atUs <= 4_000_000; atUs += 250_000) {
      run.run(atUs);
      const { sent, received } = run.through();
      // A copy that arrives at a whole microsecond may have begun within the preceding microsecond.
      const most = bytesPerUs(mbps) * (atUs + 1);
      for (let node = 0; node < nodes; node++) {
        expect(received[node]).toBeLessThanOrEqual(most);
        expect(sent[node]).toBeLessThanOrEqual(most);
      }
      if (flow === undefined) continue;
      const underWay = sum(Array.from({ length: nodes }, (_, node) => run.links.underWayBytes(node)));
      expect(sum(received) + underWay + run.costs.lost).toBeCloseTo(sum(run.costs.sent), 3);
    }
    expect(sum(run.costs.received)).toBeGreaterThan(0);
  },
);

it('a copy that waits for a link beyond the limit is dropped, and the queue is bounded', () => {
  const after = (forwardWaitMs: number | undefined): { readonly expired: number; readonly waitingUs: number } => {
    const gossip = { ...ethereumGossipsub, forwardWaitMs, publishWaitMs: forwardWaitMs };
    const { run, topic } = setUp(20, { gossip, mbps: 0.1 });
    for (let count = 0; count < 100; count++) run.publish(0, count % 20, { topic, ...message });
    run.run(2e6);
    return { expired: run.costs.expired, waitingUs: run.links.waitingUp(0) / bytesPerUs(0.1) };
  };
  const [bounded, endless] = [after(1000), after(undefined)];
  expect(bounded.expired).toBeGreaterThan(0);
  // In addition to the waiting copies, one copy is in transit.
  const copyUs = (message.bytes + ethereumGossipsub.overheadBytes) / bytesPerUs(0.1);
  expect(bounded.waitingUs).toBeLessThan(1e6 + 2 * copyUs);
  expect(endless.expired).toBe(0);
  expect(endless.waitingUs).toBeGreaterThan(2 * bounded.waitingUs);
});

it('a message whose content another message covers arrives with it, and is neither verified nor forwarded again', () => {
  const busyUs = (isCovered: boolean): number => {
    const { run, topic } = setUp(60);
    const numbers = Array.from({ length: 16 }, (_, node) => run.publish(0, node, { topic, ...message }));
    if (isCovered) {
      const others = (number: number) => numbers.filter((other) => other !== number);
      for (const number of numbers) run.cover(number, others(number));
    }
    run.run(10e6);
    for (const number of numbers) expect(Math.min(...run.hadUs(number))).toBeGreaterThanOrEqual(0);
    expect(run.costs.ignored > 0).toBe(isCovered);
    return sum(run.costs.busyUs);
  };
  expect(busyUs(true)).toBeLessThan(0.5 * busyUs(false));
});

it.each([
  ['newest-first', 99, 0],
  ['oldest-first', 0, 99],
] as const)('%s: a full queue has space for such a message', (order, kept, lost) => {
  const { run, topic } = setUp(2, { mbps: 1e6, which: { ...client, cores: 1, batch: 1, aggregateQueue: 8, order } });
  for (let count = 0; count < 100; count++) run.publish(count, 0, { topic, ...message });
  run.run(10e6);
  expect(run.verifiedUs(kept)[1]).toBeGreaterThan(0);
  // The first message is being verified when the queue fills up.
  expect(run.verifiedUs(lost === 0 ? 1 : lost)[1]).toBe(-1);
  expect(run.costs.dropped).toBe(91);
});

it('a message between two nodes uses links and cores like a message on a topic', () => {
  const verifiedUs = (isDirect: boolean): number => {
    const { run, topic } = setUp(2, { mbps: 10 });
    let atUs = -1;
    run.onVerified = (_, node, us) => {
      if (node === 1) atUs = us;
    };
    if (isDirect) run.send(0, 1, { ...message, bytes: 100_000 }, false);
    else run.publish(0, 0, { topic, ...message, bytes: 100_000 });
    run.run(10e6);
    return atUs;
  };
  expect(verifiedUs(true)).toBeGreaterThan(2 * 80_000 + 50_000);
  expect(Math.abs(verifiedUs(true) - verifiedUs(false))).toBeLessThan(2);
});

it('an urgent message leaves before the queue, and a message without verification arrives when received', () => {
  const { run } = setUp(2, { mbps: 1 });
  const order: number[] = [];
  run.onVerified = (number) => order.push(number);
  for (const isUrgent of [false, false, true])
    run.send(0, 1, { ...message, bytes: isUrgent ? 100 : 50_000, sets: isUrgent ? 0 : 1 }, isUrgent);
  run.run(10e6);
  expect(order).toEqual([2, 0, 1]);
});

it('an invalid message is verified by its receivers, and not forwarded', () => {
  const { run, topic } = setUp(60, { gossip: { ...ethereumGossipsub, dLazy: 0 } });
  const heard = new Set<number>();
  run.onVerified = (_, node) => heard.add(node);
  run.publish(0, 0, { topic, ...message, isInvalid: true });
  run.run(10e6);
  const busy = [...run.costs.busyUs.keys()].filter((node) => run.costs.busyUs[node]! > 0);
  expect(busy.length).toBeGreaterThanOrEqual(ethereumGossipsub.dLow);
  expect(busy.length).toBeLessThanOrEqual(ethereumGossipsub.dHigh);
  expect([...heard].sort((a, b) => a - b)).toEqual([0, ...busy]);
  expect(Math.max(...run.verifiedUs(0).slice(1))).toBe(-1);
});

it('a message with known content is forwarded without verification', () => {
  const { run, topic } = setUp(60);
  run.isKnown = () => true;
  run.publish(0, 0, { topic, ...message });
  run.run(10e6);
  expect(Math.min(...run.verifiedUs(0))).toBeGreaterThanOrEqual(0);
  expect(run.costs.busyUs.every((us) => us === 0)).toBe(true);
});

it('under flow control, copies for a busy receiver wait at their senders, and others are sent first', () => {
  const arrived = (aheadUs?: number) => {
    const { run } = setUp(3, { mbps: 8, down: Float64Array.of(1, 0.01, 1), ...(aheadUs && { aheadUs }) });
    const atUs: number[] = [];
    run.onVerified = (number, _, us) => {
      atUs[number] = us;
    };
    for (const to of [1, 1, 1, 2]) run.send(0, to, { ...message, bytes: 10_000, sets: 0 }, false);
    run.run(200_000);
    const waiting = run.links.waitingDown(1);
    run.run(10e6);
    return { atUs, waiting };
  };
  const [free, held] = [arrived(), arrived(100_000)];
  // Four copies of 10 kB leave one after another. With flow control, the copy for the free receiver leaves second.
  expect(free.atUs[3]! - held.atUs[3]!).toBeGreaterThan(15_000);
  expect(free.waiting).toBeGreaterThan(25_000);
  expect(held.waiting).toBeLessThan(10_000);
  // The busy receiver still uses its full rate.
  expect(Math.abs(held.atUs[2]! - free.atUs[2]!)).toBeLessThan(1000);
});

it('PlaceBits contains the added messages, for any number of messages', () => {
  const random = new RandomStream(1, 'bits of a test');
  const [members, messages] = [13, 1000];
  const bits = new PlaceBits(members);
  const added = new Set<number>();
  for (let step = 0; step < 2000; step++) {
    const place = random.nextBelow(members);
    const rank = random.nextBelow(Math.ceil((messages * (step + 1)) / 2000));
    bits.add(place, rank);
    added.add(place * messages + rank);
  }
  for (let place = 0; place < members; place++)
    for (let rank = 0; rank < messages; rank++) expect(bits.has(place, rank)).toBe(added.has(place * messages + rank));
  expect(bits.has(0, 10 * messages)).toBe(false);
});
