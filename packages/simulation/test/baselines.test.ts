import type { ExhaustedRule } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { simulate } from '../src/run/simulation.ts';
import type { Fault } from '../src/scenario/faultPlan.ts';
import type { RunResult } from '../src/scenario/result.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';

const baselines: Record<string, Partial<Scenario>> = {
  'the complete graph': { protocol: 'complete-graph' },
  'the complete graph, bulk verification': { protocol: 'complete-graph', completeGraph: { verification: 'bulk' } },
  'San Fermín, one candidate': { protocol: 'san-fermin' },
  'San Fermín, 50 candidates': {
    protocol: 'san-fermin',
    sanFermin: { candidates: 50, replyTimeoutMs: 150, exhausted: 'leave' },
  },
  'San Fermín that waits': {
    protocol: 'san-fermin',
    sanFermin: { candidates: 50, replyTimeoutMs: 150, exhausted: 'wait' },
  },
  'gossip of individual contributions': { protocol: 'gossip' },
  'gossip of aggregates': { protocol: 'gossip', gossip: { of: 'aggregates', degree: 8 } },
};

function run(change: Partial<Scenario>, options: Parameters<typeof simulate>[1] = {}): RunResult {
  return simulate({ ...defaultScenario, ...change }, { checkers: true, ...options });
}

describe.each(Object.entries(baselines))('%s', (name, baseline) => {
  const losesNodes = name.startsWith('San Fermín');

  it.each(sampled([1, 2, 3, 13, 17, 31, 32, 33, 64, 100], 3))('N = %i: each claim holds after every event', (nodes) => {
    for (const network of ['aws', 'constant:50', 'constant:0']) {
      for (const dead of [0, 0.2]) {
        for (const desyncMs of [0, 300]) {
          const result = run({ ...baseline, nodes, network, dead, desyncMs, seed: nodes });
          expect(result.ended === 'reached').toBe(result.reached === result.live);
          if (!losesNodes) expect(`${result.reached} of ${result.live}`).toBe(`${result.live} of ${result.live}`);
          else if (result.ended !== 'reached') expect(result.ended, 'it never hangs').toBe('silent');
        }
      }
    }
  });
});

describe('v1.03 2.3: baselines on a network that loses a fifth of all messages', () => {
  const faults: Fault[] = [{ kind: 'loss', share: 0.2 }];

  it('the complete graph sends everything again until all nodes finish', () => {
    for (const nodes of [2, 17, 40]) {
      const result = run({ protocol: 'complete-graph', nodes, threshold: 1, faults });
      expect(result).toMatchObject({ reached: nodes, ended: 'reached' });
    }
  });

  it('San Fermín loses nodes permanently, and reports it', () => {
    const result = run({ protocol: 'san-fermin', nodes: 256, faults });
    expect(result.reached).toBeLessThan(256);
    expect(result.ended).toBe('silent');
  });

  it('gossip has as many paths to a node as the mesh', () => {
    expect(run({ protocol: 'gossip', nodes: 128, faults })).toMatchObject({ ended: 'reached' });
    const thin = run({ protocol: 'gossip', nodes: 128, faults, gossip: { of: 'individuals', degree: 2 } });
    expect(thin).toMatchObject({ reached: 0, ended: 'silent' });
  });
});

describe('baselines compared with Handel', () => {
  it.runIf(isWhole)(
    'v1.03 7.2: the time and traffic of the complete graph grow with N, those of Handel with a polynomial of log N',
    () => {
      const [few, many] = [64, 512].map((nodes) => run({ protocol: 'complete-graph', nodes }, { checkers: false }));
      expect(many!.timeToThresholdMs.mean / few!.timeToThresholdMs.mean).toBeGreaterThan(4);
      // Each round has N messages per node, and a longer run has more rounds.
      expect(many!.bytesSent.mean / few!.bytesSent.mean).toBeGreaterThan(16);
      const handel = run({ nodes: 512 }, { checkers: false });
      expect(many!.timeToThresholdMs.mean / handel.timeToThresholdMs.mean).toBeGreaterThan(5);
    },
  );

  it('v1.03 7.2: if all nodes finish within the first round, each node of the complete graph sends one message to each other', () => {
    const result = run({ protocol: 'complete-graph', nodes: 100, verifyMs: 1 });
    expect(result.messagesSent).toEqual({ min: 99, mean: 99, max: 99 });
    expect(result.bytesSent.mean).toBe(99 * (3 + 1 + 96));
  });

  it('v1.03 8.1: San Fermín sends least without failures', () => {
    const [sanFermin, handel] = [run({ protocol: 'san-fermin', nodes: 512 }), run({ nodes: 512 })];
    expect(sanFermin.ended).toBe('reached');
    expect(sanFermin.bytesSent.mean * 5).toBeLessThan(handel.bytesSent.mean);
  });

  it('v1.03 8.1: San Fermín misses its threshold if time-outs are shorter than the slowest answers', () => {
    const of = (replyTimeoutMs: number, exhausted: ExhaustedRule): RunResult =>
      run(
        { protocol: 'san-fermin', nodes: 512, sanFermin: { candidates: 50, replyTimeoutMs, exhausted } },
        { checkers: false },
      );
    expect(of(300, 'leave')).toMatchObject({ ended: 'reached' });
    expect(of(100, 'leave')).toMatchObject({ reached: 0, ended: 'silent' });
    expect(of(100, 'wait')).toMatchObject({ ended: 'reached' });
  });

  it('gossip of individual contributions names the signer in each message', () => {
    const { bytesSent, messagesSent } = run({ protocol: 'gossip', nodes: 32 });
    expect(bytesSent.mean / messagesSent.mean).toBeCloseTo(3 + 4 + 1 + 96, 9);
  });
});
