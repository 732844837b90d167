import { describe, expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { Cores, cpuFactors } from './cpu.ts';

it('Cores assigns the configured number of nodes of one region to each core, fewer to the last core of a region', () => {
  const region = Uint8Array.from(upTo(103), (id) => id % 5);
  const { of } = new Cores(region, 4, 9);
  const onCore = (core: number): number[] => upTo(103).filter((id) => of[id] === core);
  // Three regions have 21 nodes and six cores each; two regions have 20 nodes and five cores each.
  expect(new Set(of).size).toBe(3 * 6 + 2 * 5);
  for (const core of new Set(of)) {
    const nodes = onCore(core);
    expect(nodes.length).toBeLessThanOrEqual(4);
    expect(new Set(nodes.map((id) => region[id])).size).toBe(1);
  }
});

it('Cores runs its tasks in order, one after another', () => {
  const cores = new Cores(new Uint8Array(2), 2, 1);
  expect(cores.freeUs(0, 1000)).toBe(1000);
  expect(cores.work(0, 1000, 400)).toBe(1400);
  expect(cores.freeUs(1, 1100)).toBe(1400);
  expect(cores.work(1, 1100, 50)).toBe(1450);
  expect(cores.work(0, 2000, 10)).toBe(2010);
});

const lone: Scenario = { ...defaultScenario, nodes: 2, network: 'constant:10', threshold: 1, levelStartMs: 0 };
const meanMs = (cpu: Partial<Scenario['cpu']>): number =>
  simulate({ ...lone, cpu: { ...lone.cpu, spread: 1, ...cpu } }).timeToThresholdMs.mean;

describe('a run on shared cores', () => {
  it('v1.03 7.1: two nodes on one core verify one after the other', () => {
    // 10 ms of latency, then 4 ms of verification at each node.
    expect(meanMs({})).toBe(14);
    expect(meanMs({ nodesPerCore: 1 })).toBe(14);
    expect(meanMs({ nodesPerCore: 2 })).toBe((14 + 18) / 2);
  });

  it('charges each key that a check adds', () => {
    expect(meanMs({ perKeyUs: 500 })).toBe(14.5);
  });

  it('charges a message to its sender and to its receiver', () => {
    // Sending takes 1 ms, and the latency is 10 ms. The message is read at once, and its check starts after 1 ms for
    // receiving the message.
    expect(meanMs({ nodesPerCore: 1, perMessageUs: 1000 })).toBe(1 + 10 + 1 + 4);
  });

  it('a timer that expires on a busy core waits a slice longer, so that fewer messages are sent', () => {
    const scenario = (sliceMs: number): Scenario => ({
      ...lone,
      nodes: 64,
      cpu: { spread: 1, perKeyUs: 0, perMessageUs: 300, nodesPerCore: 2, sliceMs, startsApartMs: 0 },
    });
    expect(simulate(scenario(40)).untilThreshold.messagesSent.mean).toBeLessThan(
      0.9 * simulate(scenario(0)).untilThreshold.messagesSent.mean,
    );
  });
});

it('v1.03 appendix A: half of the nodes are uniform in [1/3, 1], half in [1, 3]', () => {
  const factors = cpuFactors(20_000, 1, 3).toSorted();
  expect(factors[0]).toBeGreaterThanOrEqual(Math.fround(1 / 3));
  expect(factors.at(-1)).toBeLessThanOrEqual(3);
  // Every quarter of the sorted factors ends at the factor that the two uniform distributions predict.
  for (const [share, factor] of [
    [0, 1 / 3],
    [0.25, 2 / 3],
    [0.5, 1],
    [0.75, 2],
    [1, 3],
  ] as const)
    expect(factors[Math.min(19_999, share * 20_000)]).toBeCloseTo(factor, 1);
});
