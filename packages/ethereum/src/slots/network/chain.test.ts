import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultNetworkScenario } from '../../horn/network/scenario.ts';
import { packBlock } from './blockPacking.ts';
import { defaultChainOptions, runChain } from './chain.ts';
import { type NetworkSlot, runNetworkSlot } from './networkSlot.ts';

const set = (group: number, bits: number) => ({
  group,
  sentUs: 0,
  weight: bits.toString(2).replaceAll('0', '').length,
  bits: Int32Array.of(bits),
});

describe('packBlock(sets, groups, most, inclusion, before)', () => {
  it('one aggregate an attestation: takes what adds most, of any group', () => {
    const sets = [set(0, 0b1111), set(0, 0b1110001), set(1, 0b1), set(1, 0b111)];
    expect(packBlock(sets, 2, 2, 'one-aggregate')).toMatchObject({ votes: 7, attestations: 2 });
    expect(packBlock(sets, 2, 3, 'one-aggregate')).toMatchObject({ votes: 10, attestations: 3 });
  });

  it('one aggregate of each group an attestation: the second has what the first has left', () => {
    const sets = [set(0, 0b1111), set(0, 0b1110001), set(1, 0b1), set(1, 0b111)];
    expect(packBlock(sets, 2, 1, 'one-of-each')).toMatchObject({ votes: 7, attestations: 1 });
    expect(packBlock(sets, 2, 2, 'one-of-each')).toMatchObject({ votes: 10, attestations: 2 });
  });

  it('takes nothing that earlier blocks have', () => {
    expect(packBlock([set(0, 0b111)], 1, 8, 'one-of-each', [Int32Array.of(0b101)]).votes).toBe(1);
  });

  it('never has more than was published, nor more with less room', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 0xffff })), { maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('one-aggregate' as const, 'one-of-each' as const),
        (pairs, most, inclusion) => {
          const sets = pairs.map(([group, bits]) => set(group, bits));
          const all = [0, 1, 2, 3].map((group) =>
            sets.reduce((sum, one) => (one.group === group ? sum | one.bits[0]! : sum), 0),
          );
          const { included, votes } = packBlock(sets, 4, most, inclusion);
          for (const [group, of] of included.entries()) expect((of?.[0] ?? 0) & ~all[group]!).toBe(0);
          expect(packBlock(sets, 4, most + 1, inclusion).votes).toBeGreaterThanOrEqual(votes);
        },
      ),
    );
  });
});

describe('runChain(slot, options)', () => {
  const play = (system: 'electra' | 'horn', changes: object): NetworkSlot =>
    runNetworkSlot(
      { ...defaultNetworkScenario, system, changes, validators: 1024, nodes: 48 },
      { sample: { subnets: 2, committeeTopics: 1, nodes: 24, messages: 2048 } },
    );
  const today = play('electra', { period: 4, subcommittees: 4 });
  const every = play('horn', { committees: 2, subcommittees: 4 });

  it('where everything is in reach, everything is in the next block, and all is justified and final', () => {
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

  it('a proposer can leave votes out: today the next one has them for less, in single slots they are lost', () => {
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
