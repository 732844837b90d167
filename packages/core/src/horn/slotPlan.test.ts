import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Duty } from './committees.ts';
import { defaultHornParameters } from './parameters.ts';
import { HornTopic } from './rules.ts';
import { planSlot, proposerOf, receiversOn, type SlotPlanOptions, topicOfPlace } from './slotPlan.ts';

const options: SlotPlanOptions = {
  parameters: { ...defaultHornParameters, validators: 256, committees: 2, subcommittees: 4 },
  nodeOf: Int32Array.from({ length: 256 }, (_, validator) => validator >> 3),
  degree: 4,
  seed: 7,
};

it('planSlot is equal for equal parameters, registry and seed, and differs for another seed', () => {
  expect(planSlot(options)).toEqual(planSlot(options));
  expect(planSlot({ ...options, seed: 8 }).nodeAt).not.toEqual(planSlot(options).nodeAt);
});

it('planSlot assigns the nodes of elected validators to their topics, and all nodes to the global one', () => {
  const plan = planSlot(options);
  const { duties, nodeAt, nodes } = plan;
  for (let place = 0; place < 256; place++) {
    const on = (topic: HornTopic) => topicOfPlace(plan, topic, place).members.includes(nodeAt[place]!);
    if ((duties[place]! & Duty.aggregator) !== 0) expect(on(HornTopic.subnet)).toBe(true);
    if ((duties[place]! & Duty.collector) !== 0) expect(on(HornTopic.committee)).toBe(true);
    expect(on(HornTopic.global)).toBe(true);
  }
  expect([plan.subnets.length, plan.committees.length, nodes]).toEqual([8, 2, 32]);
  const elected = (first: number) => duties.subarray(first, first + 32).filter((duty) => duty & Duty.aggregator);
  for (const [group, { members }] of plan.subnets.entries())
    expect(members.length).toBeLessThanOrEqual(elected(32 * group).length);
});

it('planSlot makes neighbours mutual; a node outside of a topic sends to as many members as there are neighbours', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.nat(31), (seed, node) => {
      const plan = planSlot({ ...options, seed });
      for (const topic of [...plan.subnets, ...plan.committees, plan.global]) {
        const receivers = receiversOn(plan, topic, node);
        expect(new Set(receivers).size).toBe(receivers.length);
        expect(receivers).not.toContain(node);
        const isMember = topic.members.includes(node);
        if (!isMember) expect(receivers.length).toBe(Math.min(4, topic.members.length));
        else for (const other of receivers) expect(receiversOn(plan, topic, other)).toContain(node);
      }
    }),
    { numRuns: 20 },
  );
});

it('planSlot selects a proposer among the nodes that can propose', () => {
  const plan = planSlot(options);
  const first = plan.nodeAt[proposerOf(plan)]!;
  expect(plan.nodeAt[proposerOf(plan, (node) => node !== first)]).not.toBe(first);
  expect(() => proposerOf(plan, () => false)).toThrow('nodes: expected at least one node that can propose, got none');
});

it.each([
  [{ ...options, parameters: { ...options.parameters, validators: 240, subcommittees: 3, aggregators: 4 } }, 'of two'],
  [
    { ...options, parameters: { ...options.parameters, validators: 192, subcommittees: 3 } },
    /^subcommittees: expected/,
  ],
  [{ ...options, nodeOf: new Int32Array(3) }, /^nodeOf.length: expected/],
  ...[-1, 2 ** 20, 2 ** 31 - 1].map((node): [SlotPlanOptions, RegExp] => [
    { ...options, nodeOf: options.nodeOf.with(9, node) },
    new RegExp(`^nodeOf: expected nodes from 0 to 1048575, got ${node}`),
  ]),
  [{ ...options, parameters: { ...options.parameters, validators: 2 ** 21 } }, /^validators: expected .* to 1048576/],
  [{ ...options, degree: 0 }, /^degree: expected/],
])('planSlot refuses parameters without a plan, %#', (wrong, message) => {
  expect(() => planSlot(wrong)).toThrow(message);
});
