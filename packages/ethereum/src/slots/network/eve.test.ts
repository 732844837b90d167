import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sampled } from '../../../../../tests/sampled.ts';
import { hornAttacks } from '../../horn/attacks.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../../horn/network/scenario.ts';
import { expectedLoss } from '../../horn/sample/expectedLoss.ts';
import { runChain } from './chain.ts';
import { type NetworkSlotResult, runNetworkSlot } from './networkSlot.ts';
import { createNetworkWorld } from './networkWorld.ts';

// The limit allows for a busy machine. No test waits for time to pass.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const small: NetworkScenario = {
  ...defaultNetworkScenario,
  validators: 1024,
  nodes: 64,
  changes: { committees: 2, subcommittees: 4 },
};
const sample = { subnets: 6, committeeTopics: 2, nodes: 52, messages: 2048 };
const third = [{ name: 'griefing', share: 1 / 3 }];

/** Seeds drawn with the seed of the property tests, so that TUTTI_FC_SEED changes them. */
const seeds = fc.sample(fc.integer({ min: 0, max: 2 ** 32 - 1 }), 12);

/** Settings to test. A sample of them suffices for their common code; each also has code of its own. */
const settings = [
  ['nobody is Eve', {}],
  ['Horn, griefing', { attacks: third }],
  ['Horn, late', { attacks: [{ name: 'late', share: 0.3 }] }],
  ['the strawman, griefing', { system: 'strawman', attacks: third }],
  ['Electra, griefing', { system: 'electra', attacks: third, changes: { period: 1, subcommittees: 8 } }],
  ['Handel in the committees, griefing', { system: 'handel-committees', attacks: third }],
] as const;

describe.each(sampled<(typeof settings)[number]>(settings, 1))(
  `sampled and with every message, seeds ${seeds.join(', ')}: %s`,
  (_, changes) => {
    let both: { readonly singly: NetworkSlotResult; readonly sampled: NetworkSlotResult }[];
    beforeAll(() => {
      both = seeds.map((seed) => {
        const scenario = { ...small, ...changes, seed } as NetworkScenario;
        return {
          singly: runNetworkSlot(scenario, { mode: 'singly' }).result,
          sampled: runNetworkSlot(scenario, { sample }).result,
        };
      });
    });
    const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
    const off = (value: (result: NetworkSlotResult) => number): number =>
      meanOf(both.map(({ sampled }) => value(sampled))) / meanOf(both.map(({ singly }) => value(singly))) - 1;

    it('delays of every layer agree: mean and 95th percentile within 5 %', () => {
      for (const layer of ['subnets', 'committees', 'global'] as const) {
        if (both[0]!.singly.delays[layer] === undefined) continue;
        expect(Math.abs(off(({ delays }) => delays[layer]!.meanMs)), layer).toBeLessThan(0.05);
        expect(Math.abs(off(({ delays }) => delays[layer]!.p95Ms)), layer).toBeLessThan(0.05);
      }
    });

    it('messages on the global topic, honest and Byzantine votes in reach: the same within 5 %', () => {
      expect(Math.abs(off(({ globalMessages }) => globalMessages))).toBeLessThan(0.05);
      expect(Math.abs(off(({ inReach }) => inReach.mean))).toBeLessThan(0.05);
      if (both[0]!.singly.eve !== undefined) expect(Math.abs(off(({ eve }) => eve!.inReach))).toBeLessThan(0.05);
    });
  },
);

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

  it.each(hornAttacks.map(({ name }) => name))('%s: uses bandwidth, and nothing throws', (name) => {
    const { result } = runNetworkSlot({ ...small, attacks: [{ name, share: 0.3 }] }, { sample });
    expect(result.cast).toBeLessThan(1024);
    expect(result.loads[0]!.receivedBytes).toBeGreaterThan(0);
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

it.each([
  [[{ name: 'tuba', share: 0.1 }], 'attacks: expected silent or griefing'],
  [[{ name: 'late', share: 1 }], 'dead and Byzantine shares together: expected under 1'],
  [[{ name: 'late' }], 'share of late: expected a number from 0 to 1'],
  ['late', 'attacks: expected an array'],
])('refuses attacks %j', (attacks, message) => {
  expect(() => runNetworkSlot({ ...small, attacks } as unknown as NetworkScenario)).toThrow(message);
});
