import { describe, expect, it } from 'vitest';
import { defaultNetworkScenario } from '../../horn/network/scenario.ts';
import { defaultChainOptions, runChain } from './chain.ts';
import { type NetworkSlot, runNetworkSlot } from './networkSlot.ts';

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

  it('a slot without a block delays finality', () => {
    const late = runChain([every], { ...defaultChainOptions, missed: 0.3 });
    expect(late.justified).toBeLessThan(32);
    expect(late.finalSeconds).toBeGreaterThan(44);
  });
});
