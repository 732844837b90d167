import { expect, it } from 'vitest';
import { sizes, upTo } from '../../../core/test/sizes.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { stakesOf } from '../scenario/weights.ts';
import { createPriorities } from './honest.ts';
import { createWorld } from './world.ts';

function world(change: Partial<Scenario>) {
  const scenario = { ...defaultScenario, ...change };
  return createWorld(scenario, createPriorities(scenario));
}

it.each(['heaviest', 'lightest'] as const)('createWorld selects the %s node first', (attackBy) => {
  const ids = upTo(16);
  const weights = ids.map((id) => 10 + id).join(',');
  for (const seed of [1, 2, 3, 4, 5]) {
    const change = { nodes: 16, weights, attackBy, attacks: [{ name: 'silent', share: 0.2 }], seed };
    const stakes = stakesOf({ ...defaultScenario, ...change })!;
    const byWeight = ids.toSorted((a, b) => Number(stakes.weight(a) - stakes.weight(b)));
    const { attack } = world(change);
    expect(attack[byWeight.at(attackBy === 'heaviest' ? -1 : 0)!]).toBe(0);
    expect(attack[byWeight.at(attackBy === 'heaviest' ? 0 : -1)!]).toBe(-1);
  }
});

it('createWorld keeps one node honest for any attacking share below 1', () => {
  const { attack } = world({ nodes: 8, attacks: [{ name: 'silent', share: 0.999 }] });
  expect(attack.filter((index) => index === -1)).toHaveLength(1);
});

it('createWorld has the dead share of the nodes dead, rounded down, by seed', () => {
  for (const nodes of sizes) {
    for (const dead of [0, 0.2, 0.4, 0.5, 0.999]) {
      const { alive, live } = world({ nodes, dead });
      expect(live).toBe(nodes - Math.floor((nodes * Math.round(dead * 1000)) / 1000));
      expect(alive.filter((lives) => lives === 1).length).toBe(live);
      expect(live).toBeGreaterThan(0);
    }
  }
  expect(world({ nodes: 100, dead: 0.2, seed: 1 }).alive).not.toEqual(world({ nodes: 100, dead: 0.2, seed: 2 }).alive);
});

it('v1.03 7.3: createWorld has one dead node per machine in turn with the published placement', () => {
  const layout = { network: 'aws-blocks:20', deadBy: 'machine' } as const;
  const deadOf = (nodes: number, dead: number, seed = 1) => {
    const { alive } = world({ ...layout, nodes, dead, seed });
    const on = new Array<number>(20).fill(0);
    for (const [id, lives] of alive.entries()) if (lives === 0) on[id % 20]!++;
    return on;
  };
  // Two nodes per machine: with a quarter of the nodes dead, each machine of the first half loses one node.
  expect(deadOf(40, 0.25)).toEqual([...Array(10).fill(1), ...Array(10).fill(0)]);
  expect(deadOf(40, 0.5)).toEqual(Array(20).fill(1));
  expect(deadOf(40, 0.525)).toEqual([2, ...Array(19).fill(1)]);
  // With one node per machine and a quarter of the nodes dead, the first quarter of the machines lose their nodes.
  expect(deadOf(20, 0.25)).toEqual([...Array(5).fill(1), ...Array(15).fill(0)]);
  const slots = (seed: number) => world({ ...layout, nodes: 40, dead: 0.5, seed }).alive;
  expect(slots(1)).not.toEqual(slots(2));
});

it('createWorld refuses starts after the maximum time of a run', () => {
  const cpu = { ...defaultScenario.cpu, startsApartMs: 600_000 };
  expect(() => world({ network: 'aws-blocks:1', nodes: 5, cpu })).toThrow(
    'start of a node: expected within 2000000 ms',
  );
});

it('createWorld starts the live nodes of a machine one after the other, in either order, and a single one at once', () => {
  const cpu = { ...defaultScenario.cpu, startsApartMs: 70 };
  const { startUs, alive } = world({ network: 'aws-blocks:20', nodes: 40, cpu, deadBy: 'machine', dead: 0.25 });
  let firsts = 0;
  for (let machine = 0; machine < 20; machine++) {
    const both = [machine, machine + 20].filter((id) => alive[id] === 1).map((id) => startUs[id]!);
    expect(both.toSorted((a, b) => a - b)).toEqual(machine < 10 ? [0] : [0, 70_000]);
    if (both.length === 2 && both[0] === 0) firsts++;
  }
  expect(firsts).toBeGreaterThan(0);
  expect(firsts).toBeLessThan(10);
});

it('createWorld has as threshold a share of the live nodes, rounded up, or a count', () => {
  for (const nodes of [1, 2, 13, 1024]) expect(world({ nodes }).threshold).toBe(Math.ceil(0.99 * nodes));
  expect(world({ nodes: 1000, dead: 0.2 }).threshold).toBe(792);
  expect(world({ nodes: 1000, dead: 0.2, threshold: 800 }).threshold).toBe(800);
  expect(world({ nodes: 64, threshold: 1 }).threshold).toBe(64);
  expect(world({ nodes: 64, threshold: 1e-9 }).threshold).toBe(1);
  expect(() => world({ nodes: 1000, dead: 0.2, threshold: 801 })).toThrow(
    new RangeError('threshold: expected at most the 800 live nodes of 1000, got 801'),
  );
});

it('createWorld starts the live nodes uniformly in [0, desyncMs), and has no start for dead ones', () => {
  const { startUs, alive } = world({ nodes: 2000, dead: 0.2, desyncMs: 500 });
  const starts = [...startUs].filter((_, id) => alive[id] === 1);
  expect([...startUs].filter((_, id) => alive[id] === 0).every((at) => at === -1)).toBe(true);
  expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...starts)).toBeLessThan(500_000);
  expect(Math.max(...starts)).toBeGreaterThan(480_000);
  expect(starts.reduce((sum, at) => sum + at) / starts.length / 250_000).toBeCloseTo(1, 1);
  expect([...world({ nodes: 20 }).startUs]).toEqual(new Array(20).fill(0));
});

it('createWorld draws each purpose from its own stream: the dead nodes change neither speeds, places nor starts', () => {
  const base = world({ nodes: 200, desyncMs: 100 });
  const other = world({ nodes: 200, desyncMs: 100, dead: 0.3 });
  expect(other.cpuFactor).toEqual(base.cpuFactor);
  expect(other.network.region).toEqual(base.network.region);
  for (let id = 0; id < 200; id++) if (other.alive[id] === 1) expect(other.startUs[id]).toBe(base.startUs[id]);
});
