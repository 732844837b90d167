import { describe, expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { Cores, cpuFactors } from './cpu.ts';

it('Cores assigns the configured number of nodes of one region to each core, fewer to the last core of a region', () => {
  const region = Uint8Array.from(upTo(103), (id) => id % 5);
  const { of } = new Cores(region, 4, 9);
  // Three regions have 21 nodes and six cores each; two regions have 20 nodes and five cores each.
  expect(new Set(of).size).toBe(3 * 6 + 2 * 5);
  for (const core of new Set(of)) {
    const nodes = upTo(103).filter((id) => of[id] === core);
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

describe('a run on shared cores', () => {
  // The latency is 10 ms, and a verification takes 4 ms.
  it.each<[what: string, cpu: Partial<Scenario['cpu']>, ms: number]>([
    ['v1.03 7.1: without cores, nodes verify at the same time', {}, 14],
    ['v1.03 7.1: two nodes on two cores verify at the same time', { nodesPerCore: 1 }, 14],
    ['v1.03 7.1: two nodes on one core verify one after the other', { nodesPerCore: 2 }, (14 + 18) / 2],
    ['charges each key that a check adds', { perKeyUs: 500 }, 14.5],
    // Sending takes 1 ms. The message is read at once, and its check starts after 1 ms for receiving the message.
    ['charges a message to its sender and to its receiver', { nodesPerCore: 1, perMessageUs: 1000 }, 1 + 10 + 1 + 4],
  ])('%s', (_what, cpu, ms) => {
    const { timeToThresholdMs } = simulate({ ...lone, cpu: { ...lone.cpu, spread: 1, ...cpu } });
    expect(timeToThresholdMs.mean).toBe(ms);
  });

  it('a timer that expires on a busy core waits a slice longer, so that fewer messages are sent', () => {
    const sent = (sliceMs: number): number => {
      const cpu = { spread: 1, perKeyUs: 0, perMessageUs: 300, nodesPerCore: 2, sliceMs, startsApartMs: 0 };
      return simulate({ ...lone, nodes: 64, cpu }).untilThreshold.messagesSent.mean;
    };
    expect(sent(40)).toBeLessThan(0.9 * sent(0));
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
