import { type Contribution, CountingScheme, type Port, Tree } from '@tutti/core';
import { defaultHornParameters } from '@tutti/core/horn';
import { HornNode, HornTopic } from '@tutti/core/internal/horn';
import { createMesh } from '@tutti/core/protocols';
import { createNetwork, EventQueue } from '@tutti/simulation/engine';
import { describe, expect, it } from 'vitest';
import { runSlot } from '../../test/slots.ts';
import { verificationUs } from '../horn/costs/verification.ts';
import { createPostWorld } from './postWorld.ts';
import { defaultSlotScenario, type SlotScenario } from './slotScenario.ts';
import { createSlotWorld } from './slotWorld.ts';

const small: SlotScenario = {
  ...defaultSlotScenario,
  parameters: { ...defaultHornParameters, validators: 512, committees: 2, subcommittees: 4 },
};

/** A slot between nodes of the protocol: votes in the proposer's reach, and by topic the mean delay until verified, ms. */
function playNodes(scenario: SlotScenario): { readonly inReach: number; readonly delayMs: readonly number[] } {
  const world = createSlotWorld(scenario);
  const { order, duties, clock, proposer, committee, subcommittee } = world;
  const scheme = new CountingScheme(new Tree(order.length, 'packed'));
  const network = createNetwork(scenario.network, order.length, scenario.seed);
  const queue = new EventQueue();
  const neighbours = Array.from(order, (): Int32Array[] => [new Int32Array(0)]);
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
  const reached = new Set<number>();
  const sentUs = new Map<number, number>();
  const asked: number[] = [];
  const sums = [0, 0, 0, 0];
  const counts = [0, 0, 0, 0];
  let tickets = 0;
  const port = (id: number): Port => ({
    nowUs: () => queue.timeUs,
    send: (to, topic, aggregate, author) => {
      scheme.retain(aggregate);
      const key = 4 * scheme.tree.start(scheme.block(author === 0 ? aggregate : author)) + topic;
      if (!sentUs.has(key)) sentUs.set(key, queue.timeUs);
      queue.push(queue.timeUs + network.oneWayUs(order[id]!, order[to]!), to, 4 * id + topic, aggregate, author);
    },
    setTimer: (delayUs, timer) => queue.push(queue.timeUs + delayUs, id, -timer, 0, 0),
    verify: (contribution, topic, author) => {
      const members = scheme.tree.size(scheme.block(contribution));
      const us = verificationUs(members, scheme.weight(contribution), scenario);
      asked[id] = 4 * author + topic;
      queue.push(queue.timeUs + us, id, -10, ++tickets, 0);
      return tickets;
    },
    output: (contribution) => {
      if (id !== proposer) return;
      const start = scheme.tree.start(scheme.block(contribution));
      const set = scheme.setWords(contribution);
      for (let bit = 0; bit < committee; bit++)
        if (((set[bit >>> 5]! >>> (bit & 31)) & 1) === 1) reached.add(start + bit);
    },
    refuse: (level) => {
      throw new Error(`refused on topic ${level}`);
    },
    trace: () => {},
  });
  const nodes = Array.from(order, (_, id) => {
    const own: Contribution = scheme.individual(id);
    const [subcommitteeOrder, committeeOrder] = [Math.log2(subcommittee), Math.log2(committee)];
    const rest = { collects: true, votes: true, duties: duties[id]!, clock, own, neighbours: neighbours[id]! };
    return new HornNode({ id, scheme, subcommitteeOrder, committeeOrder, ...rest, port: port(id) });
  });
  for (const node of nodes) node.start();
  while (queue.next()) {
    const node = nodes[queue.head]!;
    const { b, c, d } = queue;
    if (b === -10) {
      const key = asked[queue.head]!;
      sums[key & 3]! += (queue.timeUs - sentUs.get(key)!) / 1000;
      counts[key & 3]!++;
      node.onVerified(c, true);
    } else if (b < 0) node.onTimer(-b);
    else {
      node.onMessage(Math.floor(b / 4), b & 3, c, d, 0);
      scheme.release(c);
    }
  }
  return { inReach: reached.size, delayMs: sums.map((sum, topic) => sum / counts[topic]!) };
}

describe('createPostWorld(scenario)', () => {
  it('has a node for each validator, on the topics of its subcommittee and committee unless it is dead', () => {
    const scenario = { ...small, dead: 0.25 };
    const slot = createSlotWorld(scenario);
    const { subnets, committeeTopics, post, subcommittees } = createPostWorld(scenario, slot);
    expect(subnets.length).toBe(8);
    expect(committeeTopics.length).toBe(2);
    for (const topics of [subnets, committeeTopics])
      expect(topics.flatMap((of) => [...of])).toEqual([...post!.present]);
    expect(post!.present.length).toBe(384);
    subnets.forEach((of, group) => {
      for (const place of of) expect(Math.floor(place / 64)).toBe(group);
      for (const place of subcommittees[group]!.aggregators) expect(of).toContain(place);
    });
  });

  it('plays as the nodes of the protocol do, every message and by a sample (Horn: "Horn Protocol")', () => {
    const seeds = [1, 2, 3, 4];
    const nodes = seeds.map((seed) => playNodes({ ...small, seed }));
    for (const mode of ['messages', 'statistical'] as const) {
      const slots = seeds.map((seed) => runSlot({ ...small, seed }, { mode, observers: 8 }));
      expect(slots.map(({ votes }) => votes.inReach)).toEqual(nodes.map(({ inReach }) => inReach));
      for (const topic of ['subnet', 'committee', 'global'] as const) {
        const played = slots.reduce((sum, { topics }) => sum + topics[topic].delayMs.mean, 0);
        const judged = nodes.reduce((sum, { delayMs }) => sum + delayMs[HornTopic[topic]]!, 0);
        // Of few messages, each over one mesh.
        expect(Math.abs(played / judged - 1), topic).toBeLessThan(topic === 'global' ? 0.1 : 0.05);
      }
    }
  });
});
