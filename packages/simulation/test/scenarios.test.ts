import { beforeAll, describe, expect, it } from 'vitest';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { upTo } from '../../core/test/sizes.ts';
import { simulate } from '../src/run/simulation.ts';
import type { RunResult } from '../src/scenario/result.ts';
import { defaultScenario, protocolNames, type Scenario } from '../src/scenario/scenario.ts';
import { expectAllReached } from './attacked.ts';

function run(change: Partial<Scenario>, options: Parameters<typeof simulate>[1] = {}): RunResult {
  return simulate({ ...defaultScenario, ...change }, options);
}

describe('v1.03 2.4, termination: every live node gives an output over the threshold, with every claim checked after every event', () => {
  const networks = ['aws', 'constant:50', 'constant:0', 'distance'];
  it.each([1, 2, 3, 13, 17, 31, 32, 33, 64, 100, 257])('N = %i', (nodes) => {
    for (const [index, network] of networks.entries()) {
      for (const dead of [0, 0.2, 0.4]) {
        for (const desyncMs of [0, 300]) {
          // Outside CI, each combination runs on only one network; in CI, this applies only to the largest sizes.
          const only = (nodes + dead * 5 + desyncMs / 300) % networks.length;
          if ((!isWhole || nodes > 64) && index !== only) continue;
          expectAllReached(run({ nodes, network, dead, desyncMs, seed: nodes }, { checkers: true }));
        }
      }
    }
  });

  it.each<[string, Partial<Scenario>[]]>([
    ['a threshold of all signatures', [3, 17, 64].map((nodes) => ({ nodes, threshold: 1, dead: 0.2 }))],
    ['independent priorities', [0, 0.3].map((dead) => ({ nodes: 100, priorities: 'independent', dead }))],
    ['no fast path', [{ fastPath: 0 }]],
    ['long periods', [{ periodMs: 200 }]],
    ['slow checks, and with free checks', [{ verifyMs: 40 }, { verifyMs: 0 }]],
    ['all levels starting at once', [{ levelStartMs: 0 }]],
    ['starts spread over two seconds', [{ nodes: 64, desyncMs: 2000 }]],
  ])('with %s', (_what, changes) => {
    for (const change of changes) expectAllReached(run({ nodes: 50, dead: 0.2, ...change }, { checkers: true }));
  });

  it('v1.03 6: with a branching factor of 4 and of 8', () => {
    for (const branching of [4, 8] as const) {
      for (const nodes of [2, 3, 13, 17, 33, 64, 100]) {
        for (const dead of [0, 0.3]) {
          const until = nodes < 64 ? 'fairness' : 'threshold';
          expectAllReached(run({ nodes, branching, dead, desyncMs: 50 }, { checkers: true, until }));
        }
      }
    }
  });

  it('with nine of ten nodes dead, late: a quiet level asks one peer in 7 times 32 periods, and most are dead', () => {
    expectAllReached(run({ nodes: 100, dead: 0.9 }, { checkers: true, giveUpAfterMs: 300_000 }));
  });

  it('20 seeds at N = 1024 with a fifth dead: no node is ever stuck', () => {
    for (const seed of sampled(upTo(20), 2)) expectAllReached(run({ nodes: 1024, dead: 0.2, seed: seed + 1 }));
  });
});

it.each([1, 2, 3, 13, 17, 33, 64, 100])(
  "v1.03 2.4, fairness: every live node's contribution is in every live node's last output: N = %i",
  (nodes) => {
    for (const dead of [0, 0.2, 0.4]) {
      for (const seed of sampled([1, 2], 1)) {
        // The checkers exclude other contributions, and a finished run has those of all live nodes.
        const until = (giveUpAfterMs: number, checkers: boolean) =>
          run({ nodes, dead, seed, desyncMs: 50 }, { checkers, until: 'fairness', giveUpAfterMs });
        const result = until(30_000, true);
        expectAllReached(result);
        expect(until(60_000, false).events, 'the run ended by itself').toBe(result.events);
      }
    }
  },
);

describe('determinism', () => {
  it('every relevant field of a scenario changes the digest', () => {
    const base: Scenario = { ...defaultScenario, nodes: 40, dead: 0.2, desyncMs: 50 };
    const changes: Partial<Scenario>[] = [
      ...[{}, { nodes: 41 }, { threshold: 0.5 }, { network: 'distance' }, { dead: 0.3 }, { desyncMs: 60 }, { seed: 2 }],
      ...[{ periodMs: 25 }, { levelStartMs: 60 }, { fastPath: 5 }, { verifyMs: 5 }],
      ...([{ priorities: 'independent' }, { tree: 'packed' }, { branching: 4 }, { branching: 8 }] as const),
    ];
    expect(new Set(changes.map((change) => simulate({ ...base, ...change }).digest)).size).toBe(changes.length);
  });

  it('the digest of a run of each protocol is unchanged; a change needs an explanation', () => {
    const runs = protocolNames.map((protocol) => {
      const { digest } = run({ protocol, nodes: 64, dead: 0.1, threshold: 0.9, desyncMs: 100, seed: 2 });
      return [protocol, digest];
    });
    expect(Object.fromEntries(runs)).toMatchInlineSnapshot(`
      {
        "complete-graph": "81290c19120f986c",
        "gossip": "82f2b7376f7df105",
        "handel": "964381636633bc8f",
        "san-fermin": "827044fe628f7e17",
      }
    `);
  });
});

describe('v1.03 2.4, efficiency', () => {
  const sizes = [64, 256, 1024, 4096];
  let results: readonly RunResult[];
  let alive: RunResult;
  beforeAll(() => {
    alive = run({ nodes: 512 });
    results = sizes.map((nodes) => run({ nodes, seed: 1 }));
  });

  it('4.1: time grows with log2 N, and messages and bytes with a polynomial of it', () => {
    for (const result of results) expectAllReached(result);
    const mean = results.map(({ timeToThresholdMs }) => timeToThresholdMs.mean);
    // Each step of two levels costs a similar amount: between a twentieth and three tenths of the total.
    for (let at = 1; at < sizes.length; at++) {
      const step = mean[at]! - mean[at - 1]!;
      expect(step / mean[0]!).toBeGreaterThan(-0.05);
      expect(step / mean[0]!).toBeLessThan(0.3);
    }
    expect(mean[3]! / mean[0]!).toBeLessThan(12 / 6);
    const growth = (of: (result: RunResult) => number): number => of(results[3]!) / of(results[0]!);
    // N grows by a factor of 64, whereas log2 N grows by a factor of 2.
    expect(growth(({ messagesReceived }) => messagesReceived.mean)).toBeLessThan(2 ** 2);
    expect(growth(({ checked }) => checked.mean)).toBeLessThan(2 ** 2);
    expect(growth(({ bytesSent }) => bytesSent.mean)).toBeLessThan(2 ** 3);
  });

  it('N = 4096 on AWS reaches 99 % in under 450 ms on average', () => {
    const result = results[sizes.indexOf(4096)]!;
    expectAllReached(result);
    expect(result.timeToThresholdMs.mean).toBeLessThan(450);
  });

  it('a fifth of the nodes dead slows it down at most threefold', () => {
    const fifth = run({ nodes: 512, dead: 0.2 });
    expect(fifth.timeToThresholdMs.mean).toBeGreaterThan(alive.timeToThresholdMs.mean);
    expect(fifth.timeToThresholdMs.mean).toBeLessThan(3 * alive.timeToThresholdMs.mean);
  });

  it('A.1: level start times save messages if the threshold is reached quickly', () => {
    const at0 = run({ nodes: 512, levelStartMs: 0 });
    expect(alive.messagesSent.mean).toBeLessThan(0.95 * at0.messagesSent.mean);
  });

  it('3.6: the fast path makes it faster if most nodes are live', () => {
    expect(alive.timeToThresholdMs.mean).toBeLessThan(0.9 * run({ nodes: 512, fastPath: 0 }).timeToThresholdMs.mean);
  });
});
