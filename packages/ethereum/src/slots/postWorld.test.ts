import { type Contribution, CountingScheme, createMesh, Tree } from '@tutti/core';
import { defaultHornParameters, electDuties, HornNode, HornTopic, planSlot } from '@tutti/core/horn';
import { createNetwork, EventQueue } from '@tutti/simulation/engine';
import { expect, it } from 'vitest';
import { isWhole, sampled } from '../../../../tests/sampled.ts';
import { runSlot } from '../../test/slots.ts';
import { verificationUs } from '../horn/costs.ts';
import { type PlannedSlotOptions, runPlannedSlot } from './postWorld.ts';
import { defaultSlotScenario, type SlotScenario } from './slotScenario.ts';
import { createSlotWorld } from './slotWorld.ts';

it('runPlannedSlot names a cost that is missing', () => {
  const parameters = { ...defaultHornParameters, validators: 64, committees: 2, subcommittees: 2 };
  const plan = planSlot({ parameters, nodeOf: new Int32Array(64), degree: 8, seed: 1 });
  const options = { network: 'constant:1', additionNs: 100, keySums: 'naive' } as PlannedSlotOptions;
  expect(() => runPlannedSlot(plan, options)).toThrow(/^options.verifyMs: expected/);
});

const small: SlotScenario = {
  ...defaultSlotScenario,
  parameters: { ...defaultHornParameters, validators: 512, committees: 2, subcommittees: 4 },
};

interface Heard {
  readonly topic: HornTopic;
  readonly aggregate: Contribution;
  readonly author: Contribution;
  readonly from: number;
}

/** Simulates a slot with gossip as in the post. Returns the votes in reach, and mean delays by topic, ms. */
function runNodes(scenario: SlotScenario): { readonly inReach: number; readonly delayMs: readonly number[] } {
  const { order, clock, proposer, committee, subcommittee } = createSlotWorld(scenario);
  const duties = electDuties(scenario.parameters, scenario.seed);
  const scheme = new CountingScheme(new Tree(order.length, 'packed'));
  const network = createNetwork(scenario.network, order.length, scenario.seed);
  const queue = new EventQueue();
  const neighbours = Array.from(order, (): Int32Array[] => []);
  for (const [topic, size] of [
    [HornTopic.subnet, subcommittee],
    [HornTopic.committee, committee],
    [HornTopic.global, order.length],
  ] as const) {
    for (let start = 0; start < order.length; start += size) {
      createMesh(size, scenario.degree, scenario.seed + topic + start).forEach((of, member) => {
        neighbours[start + member]![topic] = of.map((other) => start + other);
      });
    }
  }
  const events: (() => void)[] = [];
  const at = (atUs: number, act: () => void): void => queue.push(atUs, 0, events.push(act) - 1, 0, 0);
  const reached = new Set<number>();
  const sums = [0, 0, 0, 0];
  const counts = [0, 0, 0, 0];
  const sentUs = new Map<number, number>();
  const keyOf = ({ topic, author }: Heard): number => 4 * author + topic;
  const seen = Array.from(order, () => new Set<number>());
  const waiting = Array.from(order, (): Heard[] => []);
  const relay = (id: number, one: Heard): void => {
    const { topic, aggregate, author, from } = one;
    if (nodes[id]!.onMessage(topic, aggregate, author) !== undefined) throw new Error('refused');
    if (id === proposer && topic === HornTopic.global) {
      const start = scheme.tree.start(scheme.block(aggregate));
      const set = scheme.setWords(aggregate);
      for (let bit = 0; bit < committee; bit++)
        if (((set[bit >>> 5]! >>> (bit & 31)) & 1) === 1) reached.add(start + bit);
    }
    for (const to of neighbours[id]![topic]!) {
      if (to === from) continue;
      at(queue.timeUs + network.oneWayUs(order[id]!, order[to]!), () => {
        if (seen[to]!.has(keyOf(one))) return;
        seen[to]!.add(keyOf(one));
        if (waiting[to]!.push({ ...one, from: id }) === 1) verify(to);
      });
    }
  };
  const verify = (id: number): void => {
    const one = waiting[id]![0]!;
    const members = scheme.tree.size(scheme.block(one.aggregate));
    at(queue.timeUs + verificationUs(members, scheme.weight(one.aggregate), scenario), () => {
      sums[one.topic]! += (queue.timeUs - sentUs.get(keyOf(one))!) / 1000;
      counts[one.topic]!++;
      relay(id, one);
      waiting[id]!.shift();
      if (waiting[id]!.length > 0) verify(id);
    });
  };
  const nodes = Array.from(order, (_, id): HornNode => {
    const own = scheme.individual(id);
    const node: HornNode = new HornNode({
      ...{ id, scheme, subcommitteeOrder: Math.log2(subcommittee), committeeOrder: Math.log2(committee) },
      ...{ collects: true, casts: true, duties: duties[id]!, clock, own },
      port: {
        setTimer: (delayUs, timer) => at(queue.timeUs + delayUs, () => node.onTimer(timer)),
        publish: (topic, aggregate) => {
          scheme.retain(aggregate);
          const one = { topic, aggregate, author: own, from: -1 };
          seen[id]!.add(keyOf(one));
          sentUs.set(keyOf(one), queue.timeUs);
          relay(id, one);
        },
      },
    });
    return node;
  });
  for (const node of nodes) node.start();
  while (queue.next()) events[queue.b]!();
  return { inReach: reached.size, delayMs: sums.map((sum, topic) => sum / counts[topic]!) };
}

it('a slot of the post equals the nodes of the protocol, with every message and sampled (Horn: "Horn Protocol")', () => {
  const seeds = sampled([1, 2, 3, 4], 1);
  const nodes = seeds.map((seed) => runNodes({ ...small, seed }));
  for (const mode of ['messages', 'statistical'] as const) {
    const slots = seeds.map((seed) => runSlot({ ...small, seed }, { mode, observers: 8 }));
    expect(slots.map(({ votes }) => votes.inReach)).toEqual(nodes.map(({ inReach }) => inReach));
    for (const topic of ['subnet', 'committee', 'global'] as const) {
      const measured = slots.reduce((sum, { topics }) => sum + topics[topic].delayMs.mean, 0);
      const judged = nodes.reduce((sum, { delayMs }) => sum + delayMs[HornTopic[topic]]!, 0);
      // The tolerance allows for few messages, each over one mesh. Outside CI, only one seed is tested.
      const most = (topic === 'global' ? 0.1 : 0.05) * (isWhole ? 1 : 2);
      expect(Math.abs(measured / judged - 1), topic).toBeLessThan(most);
    }
  }
});
