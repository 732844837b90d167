import { describe, expect, it } from 'vitest';
import { refusedBy } from '../../../../../tests/outcomes.ts';
import { linkPresets } from '../../horn/network/nodes.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../../horn/network/scenario.ts';
import { defaultChainOptions, runChain } from './chain.ts';
import { type NetworkSlot, runNetworkSlot, runNetworkSlots } from './networkSlot.ts';
import { createNetworkWorld } from './networkWorld.ts';

const slot: NetworkScenario = {
  ...defaultNetworkScenario,
  changes: { committees: 2, subcommittees: 2, aggregators: 3, collectors: 2 },
  validators: 128,
  nodes: 24,
  links: linkPresets['eip-7870'],
  observers: 3,
  participation: 0.8,
};

it('a sampled run refuses clients that ignore covered messages', () => {
  expect(() => runNetworkSlot({ ...slot, client: { ...slot.client, ignoresCovered: true } })).toThrow(
    new RangeError('ignoresCovered: expected false unless every message is run, got true'),
  );
});

it('options of a chain are accepted up to their limits, and refused beyond', () => {
  const slots = runNetworkSlots(slot, 1, { mode: 'singly' });
  const taken = [{ slots: 1 }, { missed: 0 }, { missed: 1 }, { omitting: 0 }, { omitting: 1 }];
  const refused = [
    ...[{ slots: 0 }, { slots: 1.5 }, { slots: 4097 }],
    ...[-0.1, 1.1].flatMap((share) => [{ missed: share }, { omitting: share }]),
  ];
  const outcome = (option: object) => refusedBy(() => runChain(slots, { ...defaultChainOptions, slots: 2, ...option }));
  expect(taken.map(outcome)).toEqual(Array(5).fill('taken'));
  expect(refused.map(outcome)).toEqual(refused.map((option) => Object.keys(option)[0]));
});

describe('runChain(slot, options)', () => {
  const runSlot = (system: 'electra' | 'horn', changes: object): NetworkSlot =>
    runNetworkSlot(
      { ...defaultNetworkScenario, system, changes, validators: 1024, nodes: 48 },
      { sample: { subnets: 2, committeeTopics: 1, nodes: 24, messages: 2048 } },
    );
  const today = runSlot('electra', { period: 4, subcommittees: 4 });
  const every = runSlot('horn', { committees: 2, subcommittees: 4 });

  it('with all votes in reach, the next block contains all, and all slots are justified and final', () => {
    expect(runChain([today])).toMatchObject({
      inNextBlock: 1,
      rewardLost: 0,
      justified: 1,
      justifiedSeconds: 384,
      finalSeconds: 768,
    });
    expect(runChain([every])).toMatchObject({
      inNextBlock: 1,
      rewardLost: 0,
      justified: 32,
      justifiedSeconds: 22,
      finalSeconds: 44,
    });
  });

  it('a proposer can exclude votes: today the next block includes them at a lower reward, in single slots they are lost', () => {
    const omitting = { ...defaultChainOptions, omitting: 1 / 3 };
    const [once, always] = [runChain([today], omitting), runChain([every], omitting)];
    expect(once.inNextBlock).toBeLessThan(1);
    expect(once.included).toBeGreaterThan(always.included);
    expect(once.rewardLost).toBeLessThan(always.rewardLost);
    expect(once.proposerForgone).toBeGreaterThan(0);
    expect(always.rewardLost).toBeCloseTo(1 - always.inNextBlock, 9);
  });

  it('if no validator votes, every share is 0', () => {
    const absent = { ...slot, participation: 0.01, validators: 64, nodes: 16, observers: 0 };
    const silent = Array.from({ length: 8 }, (_, seed) => ({ ...absent, seed })).find(
      (scenario) => createNetworkWorld(scenario).cast === 0,
    );
    const result = runChain([runNetworkSlot(silent!, { mode: 'singly' })]);
    expect(result).toMatchObject({ inNextBlock: 0, included: 0, rewardLost: 0, proposerForgone: 0, attestations: 0 });
  });

  it('a slot without a block delays finality', () => {
    const late = runChain([every], { ...defaultChainOptions, missed: 0.3 });
    expect(late.justified).toBeLessThan(32);
    expect(late.finalSeconds).toBeGreaterThan(44);
  });

  it('Byzantine proposers exclude a share of the blocks, in addition to the votes lost to griefing', () => {
    const griefed = runNetworkSlot(
      {
        ...{ ...defaultNetworkScenario, validators: 4096, nodes: 512, changes: { committees: 2, subcommittees: 8 } },
        attacks: [{ name: 'griefing', share: 1 / 3 }],
      },
      { sample: { subnets: 6, committeeTopics: 2, nodes: 52, messages: 2048 } },
    );
    const options = { slots: 256, missed: 0, seed: 1 };
    const alone = runChain([griefed], { ...options, omitting: 0 });
    const both = runChain([griefed], { ...options, omitting: 1 / 3 });
    expect(alone.included).toBeCloseTo(griefed.result.inReach.mean, 2);
    expect(both.included / alone.included).toBeGreaterThan(0.6);
    expect(both.included / alone.included).toBeLessThan(0.73);
  });
});
