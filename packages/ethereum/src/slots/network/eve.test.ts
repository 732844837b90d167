import { describe, expect, it, vi } from 'vitest';
import { defaultNetworkScenario, type NetworkScenario } from '../../horn/network/scenario.ts';
import { expectedLoss } from '../../horn/sample/expectedLoss.ts';
import { runChain } from './chain.ts';
import { runNetworkSlot } from './networkSlot.ts';
import { createNetworkWorld } from './networkWorld.ts';

// The time limit allows for a busy machine. No test waits for time to pass.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const small: NetworkScenario = {
  ...defaultNetworkScenario,
  validators: 1024,
  nodes: 64,
  changes: { committees: 2, subcommittees: 4 },
};
const sample = { subnets: 6, committeeTopics: 2, nodes: 52, messages: 2048 };
const third = [{ name: 'griefing', share: 1 / 3 }];

describe('Byzantine validators', () => {
  it('are on their own nodes, up to their share', () => {
    const world = createNetworkWorld({ ...small, attacks: third });
    const hers = world.attack.filter((one) => one !== -1).length;
    expect(hers).toBeLessThanOrEqual(1024 / 3);
    expect(hers).toBeGreaterThan(1024 / 3 - 16);
    world.nodeAt.forEach((node, place) => {
      expect(world.attack[place]).toBe(world.attackOf[node]);
    });
  });

  it('are counted separately from honest ones, whose votes are those in reach', () => {
    const { result } = runNetworkSlot({ ...small, attacks: third }, { sample });
    expect(result.cast + result.eve!.voters).toBe(1024);
    expect(result.inReach.most).toBeLessThanOrEqual(1);
    expect(result.eve!.inReach).toBeCloseTo(result.eve!.voters, 6);
  });
});

describe('griefing of collectors that forward the best aggregate (Horn: "Reward griefing attacks against Horn")', () => {
  /** Scenario with subcommittees of 256. */
  const even: NetworkScenario = {
    ...small,
    validators: 4096,
    nodes: 512,
    changes: { committees: 2, subcommittees: 8 },
  };

  it('costs the honest validators the loss of the closed form', () => {
    const slots = [1, 2, 3].map((seed) => runNetworkSlot({ ...even, attacks: third, seed }, { sample }).result);
    const cast = slots.reduce((sum, one) => sum + one.cast, 0);
    const lost = slots.reduce((sum, one) => sum + one.cast * (1 - one.inReach.mean), 0);
    const odds = { election: { members: 256, aggregators: 16 }, eveShare: 1 / 3, participation: 1 };
    const expected = expectedLoss(odds).lost.bitfield / (256 * (1 - odds.eveShare));
    expect(Math.abs(lost / cast / expected - 1)).toBeLessThan(0.05);
  });

  it.each(['electra', 'strawman', 'handel-committees'] as const)(
    'loses nothing with %s, without a choice or with overlapping results',
    (system) => {
      const changes = { ...even.changes, ...(system === 'electra' && { period: 1, committees: 1 }) };
      const { result } = runNetworkSlot({ ...even, system, changes, attacks: third }, { sample });
      expect(result.inReach.mean).toBeGreaterThan(0.999);
    },
  );

  it('by proposers excludes in addition a share of the blocks, in any system', () => {
    const slot = runNetworkSlot({ ...even, attacks: third }, { sample });
    const options = { slots: 256, missed: 0, seed: 1 };
    const alone = runChain([slot], { ...options, omitting: 0 });
    const both = runChain([slot], { ...options, omitting: 1 / 3 });
    expect(alone.included).toBeCloseTo(slot.result.inReach.mean, 2);
    expect(both.included / alone.included).toBeGreaterThan(0.6);
    expect(both.included / alone.included).toBeLessThan(0.73);
  });
});
