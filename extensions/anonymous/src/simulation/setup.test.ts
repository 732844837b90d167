import { describe, expect, it } from 'vitest';
import { defaultSetupConfig } from '../setup.ts';
import { defaultSetupScenario, type SetupScenario, simulateSetup } from './setup.ts';

const run = (scenario: Partial<SetupScenario>) => simulateSetup({ ...defaultSetupScenario, nodes: 17, ...scenario });

/** v1.03 section 5.3. */
describe('a simulated set-up', () => {
  it('gives all members one registry of all anonymous keys, for 1, 2, 3, 17 and 33 of them', () => {
    for (const nodes of [1, 2, 3, 17, 33]) {
      const { registries, accepted, doubles, timeToEndMs } = run({ nodes });
      expect([registries, accepted.min, doubles.max]).toEqual([1, nodes, 0]);
      expect(timeToEndMs.max).toBeLessThan(defaultSetupConfig.collectMs);
    }
  });

  it('finds every double registration at every member, discards both and names the author if traceable', () => {
    const { registries, accepted, doubles, named } = run({ cheats: 3 });
    expect([registries, accepted.min, accepted.max, doubles.min]).toEqual([1, 14, 14, 3]);
    expect(named).toEqual([0, 1, 2]);
    const linked = run({ cheats: 3, traceable: false });
    expect([linked.accepted.max, linked.doubles.min, linked.named]).toEqual([14, 3, []]);
    const none = { min: 0, mean: 0, max: 0 };
    expect(run({ nodes: 2, cheats: 2 })).toMatchObject({ live: 0, registries: 0, accepted: none, timeToEndMs: none });
  });

  it('reports how many registrations have been verified, up to all of them', () => {
    const shares: number[] = [];
    const scenario = { ...defaultSetupScenario, nodes: 17 };
    const result = simulateSetup(scenario, (verified, expected) => shares.push(verified / expected));
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(result).toEqual(simulateSetup(scenario));
  });

  it('succeeds with lost packets and Byzantine members', () => {
    for (const seed of [1, 2]) {
      const { registries, accepted, named } = run({ loss: 0.2, cheats: 1, liars: 2, seed });
      expect([registries, accepted.min, named]).toEqual([1, 16, [0]]);
    }
  });

  it('gives all honest members one registry with all of their keys, with any hostile members', () => {
    const config = { ...defaultSetupConfig, collectMs: 6000, relayMs: 3000 };
    for (let seed = 1; seed <= 60; seed++) {
      const nodes = 5 + (seed % 5);
      const scenario = { nodes, hostile: 1 + (seed % 3), traceable: seed % 2 === 0, verifyMs: 5, seed, config };
      const { registries, honestKeys, live, checked } = run({ ...scenario, way: seed % 4 < 2 ? 'direct' : 'tor' });
      expect({ seed, registries, least: honestKeys.min }).toEqual({ seed, registries: 1, least: live });
      // At most two registrations per author, or three if a different content identifies the author, plus the invalid
      // registrations.
      expect(checked.max).toBeLessThanOrEqual(3 * nodes + 6 * scenario.hostile);
    }
  });

  it('ends at its timeout if a member is missing', () => {
    const config = { ...defaultSetupConfig, collectMs: 8000, relayMs: 2000 };
    const { registries, accepted, timeToEndMs } = run({ absent: 1, config });
    expect([registries, accepted.min, timeToEndMs.min]).toEqual([1, 16, 10_000]);
  });

  it('with as many contacts as members, equals the broadcast of the paper in its result', () => {
    const { registries, accepted } = run({ config: { ...defaultSetupConfig, contacts: 17 } });
    expect([registries, accepted.min]).toEqual([1, 17]);
  });

  it('gives the same run for the same scenario', () => {
    expect(run({ cheats: 1, loss: 0.1 })).toEqual(run({ cheats: 1, loss: 0.1 }));
    expect(run({ seed: 2 }).timeToEndMs).not.toEqual(run({ seed: 3 }).timeToEndMs);
  });

  it('refuses an invalid scenario', () => {
    const counts = [{ nodes: 0 }, { cheats: 18 }, { liars: -1 }, { hostile: 18 }, { absent: 18 }];
    for (const bad of [...counts, { loss: 1 }, { network: 'moon' }]) expect(() => run(bad)).toThrow(RangeError);
  });
});
