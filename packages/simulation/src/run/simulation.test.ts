import { type Contribution, CountingScheme, peerSet, type Stakes, type Tree } from '@tutti/core';
import { describe, expect, it, vi } from 'vitest';
import { drawn } from '../../../../tests/drawn.ts';
import { outcomeOf, refusedBy } from '../../../../tests/outcomes.ts';
import { popcount } from '../../../core/src/bytes.ts';
import { refusalNumber } from '../../../core/src/refusals.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { drawAttacks, drawRun, outcomeText } from '../../test/drawnRuns.ts';
import { ended } from '../../test/ended.ts';
import { Checkers } from '../checkers/checkers.ts';
import { CheckFailed } from '../checkers/claims.ts';
import { RunMemory } from '../engine/runMemory.ts';
import { LineKind, type Recording } from '../recording/recording.ts';
import type { RunEnd } from '../scenario/result.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import type { SimulatedScheme } from '../world/extensions.ts';
import { createSimulation, simulate } from './simulation.ts';

const small: Scenario = { ...defaultScenario, nodes: 48, dead: 0.2, desyncMs: 100, seed: 11 };

/** Returns a function that creates a counting scheme, changed by the given function. */
const changedScheme =
  (change: (scheme: CountingScheme) => void) =>
  (tree: Tree, stakes?: Stakes): SimulatedScheme => {
    const scheme = new CountingScheme(tree, stakes);
    change(scheme);
    return { scheme, individual: (id) => scheme.individual(id) };
  };

describe('a simulation', () => {
  it('is the same run in one piece, in pieces and event by event', () => {
    const whole = simulate(small);
    for (const piece of [1, 7, 1000]) expect(ended(small, {}, piece).result()).toEqual(whole);
  });

  it('is the same run with a recording and with checkers', () => {
    const plain = simulate(small);
    expect(simulate(small, { record: true, checkers: true })).toEqual(plain);
    expect(simulate(small, { record: { sends: false } })).toEqual(plain);
  });

  it('breaks no claim of v1.03 with the settings of v1.03, among them ranks that do not grow', () => {
    const letter = { without: ['rank-growth', 'rank-between-levels', 'capped-window', 'start-timers'] } as const;
    for (const attacks of [[], [{ name: 'invalid', share: 0.3 }], [{ name: 'worthless', share: 0.2 }]] as const)
      for (const seed of [1, 2, 3])
        expect(() =>
          simulate(
            { ...defaultScenario, ...letter, nodes: 64, window: 'paper', seed, attacks },
            { checkers: true, until: 'fairness' },
          ),
        ).not.toThrow();
  });

  it('handles the given number of events, in ascending time, and stops at its end', () => {
    const simulation = createSimulation(small);
    let before = 0;
    for (let count = 1; count <= 500; count++) {
      expect(simulation.advance(1)).toBe(true);
      expect(simulation.events).toBe(count);
      expect(simulation.nowUs).toBeGreaterThanOrEqual(before);
      before = simulation.nowUs;
    }
    while (simulation.advance(10_000));
    const result = simulation.result();
    expect(simulation.advance(1)).toBe(false);
    expect(simulation.result()).toEqual(result);
    expect(simulation.reached).toBe(simulation.live);
  });

  it('returns the scenario and the results of the run', () => {
    const result = simulate(small);
    expect(result).toMatchObject({ scenario: small, seed: 11, nodes: 48, live: 39, reached: 39 });
    expect(result.version).toMatch(/^\d+\.\d+\.\d+-dev\+[0-9a-f]{8}$/);
    expect(result.digest).toMatch(/^[0-9a-f]{16}$/);
    for (const measure of ['timeToThresholdMs', 'messagesSent', 'messagesReceived', 'bytesSent', 'checked'] as const) {
      const { min, mean, max } = result[measure];
      expect(min > 0 && min <= mean && mean <= max, measure).toBe(true);
    }
    expect(result.messagesDelivered).toBe(Math.round(result.messagesReceived.mean * result.live));
    expect(result.messagesDelivered).toBeLessThan(result.messagesSent.mean * result.live);
    expect(result.bytesSent.mean / result.messagesSent.mean).toBeGreaterThan(100);
    expect(result.bytesSent.mean / result.messagesSent.mean).toBeLessThan(3 + 2 * 97 + 8);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it("charges verifications to each node's CPU, one after the other", () => {
    // Two nodes, latency 10 ms: each verifies one contribution at its own speed.
    const scenario: Scenario = { ...defaultScenario, nodes: 2, network: 'constant:10', threshold: 1, verifyMs: 4 };
    const { world, result } = ended(scenario, { record: true }).recording();
    const times = [...world.cpuFactor].map((factor) => 10 + 4 * factor).sort((a, b) => a - b);
    expect(result.timeToThresholdMs.min).toBeCloseTo(times[0]!, 2);
    expect(result.timeToThresholdMs.max).toBeCloseTo(times[1]!, 2);
  });

  it("charges a sender's core once for a message that the network duplicates", () => {
    const cpu = { ...defaultScenario.cpu, perMessageUs: 1000, nodesPerCore: 1 };
    const faults = [{ kind: 'duplication', share: 1 }] as const;
    const scenario: Scenario = { ...defaultScenario, nodes: 4, network: 'constant:10', cpu, faults };
    const { kind, untilUs } = ended(scenario, { record: true }).recording();
    const arrivals = untilUs.filter((_, line) => kind[line] === LineKind.send);
    expect(arrivals.length).toBeGreaterThan(0);
    for (let copy = 1; copy < arrivals.length; copy += 2) expect(arrivals[copy]).toBe(arrivals[copy - 1]);
  });

  it('waits by default for 60 s after the last start, which a slow clock delays', () => {
    const faults = [{ kind: 'skew', nodes: [1], byMs: -60_000 }] as const;
    expect(simulate({ ...defaultScenario, nodes: 4, threshold: 1, faults }).ended).toBe('reached');
  });

  it('checks no load after a fault removes a node, because one of the others then receives many messages', () => {
    const away = simulate({ ...defaultScenario, nodes: 128, absent: 1 }, { checkers: true });
    expect(away.messagesReceived.max).toBeGreaterThan(5 * away.messagesReceived.mean);
  });

  it('continues for fairness until all nodes have all contributions, long after the threshold', () => {
    const scenario = { ...defaultScenario, nodes: 64, threshold: 0.51, attacks: [{ name: 'censor', share: 0.3 }] };
    const [soon, late] = (['threshold', 'fairness'] as const).map((until) => ended(scenario, { until }).nowUs);
    expect(late).toBeGreaterThan(1.2 * soon!);
    const between = ended(scenario, { until: 'fairness', giveUpAfterMs: soon! / 1000 + 1 });
    expect(between.unsatisfied().some(({ reached }) => reached)).toBe(true);
  });

  it('retains the heaviest output', () => {
    expect(createSimulation(small).heaviestOutput).toBeUndefined();
    const { heaviestOutput, scheme } = ended(small, { until: 'fairness' });
    expect(scheme.weight(heaviestOutput!.contribution)).toBe(39);
    expect(scheme.verify(heaviestOutput!.contribution)).toBe(true);
  });

  it('stops at the given time, and reports how many nodes reached the threshold', () => {
    const scenario = { ...defaultScenario, nodes: 64 };
    const early = simulate(scenario, { giveUpAfterMs: 230 });
    expect(early.reached).toBeGreaterThan(0);
    expect(early.reached).toBeLessThan(64);
    expect(early.timeToThresholdMs.max).toBeLessThanOrEqual(230);
    const waiting = ended(scenario, { giveUpAfterMs: 230 }).unsatisfied();
    expect(waiting).toHaveLength(64 - early.reached);
    expect(waiting.some(({ reached }) => reached)).toBe(false);
    const none = { min: 0, mean: 0, max: 0 };
    expect(simulate(scenario, { giveUpAfterMs: 0 })).toMatchObject({ reached: 0, timeToThresholdMs: none });
  });

  it('reports why it ended: all reached the threshold, time limit, or no events', () => {
    const running = createSimulation(small);
    expect([running.advance(10), running.result().ended]).toEqual([true, 'running']);
    expect(simulate(small).ended).toBe('reached');
    expect(simulate(small, { giveUpAfterMs: 150 }).ended).toBe('given-up');
    // Answers arrive after the reply timeout, so nodes running San Fermín continue alone and soon finish.
    const lonely: Scenario = { ...small, protocol: 'san-fermin', network: 'constant:1000' };
    expect(simulate(lonely)).toMatchObject({ ended: 'silent', reached: 0 });
    // After the limit, the messages of a complete graph are the last events.
    const over = ended({ ...defaultScenario, nodes: 4, protocol: 'complete-graph' }, { giveUpAfterMs: 1 });
    for (let call = 0; call < 20; call++) expect(over.advance(1)).toBe(false);
    expect([over.nowUs, over.result().ended]).toEqual([1000, 'given-up']);
  });

  const { cpu } = defaultScenario;
  const slow = { kind: 'slow-nodes', nodes: { share: 1 }, factor: 1000 } as const;
  const drift = { kind: 'drift', nodes: { share: 1 }, rate: 0.1 } as const;
  it.each<[what: string, end: RunEnd, fields: Partial<Scenario>]>([
    ['verifications', 'given-up', { verifyMs: 60_000, cpu: { ...cpu, spread: 1000 } }],
    ['verifications on one core', 'given-up', { verifyMs: 600_000, cpu: { ...cpu, spread: 1000, nodesPerCore: 16 } }],
    ['slowed verifications', 'given-up', { faults: [slow, slow, slow] }],
    ['periods of slow clocks', 'reached', { faults: Array<typeof drift>(12).fill(drift) }],
  ])('continues to its end if %s last longer than any run', (_what, end, fields) => {
    expect(simulate({ ...defaultScenario, nodes: 16, ...fields }, { giveUpAfterMs: 1000 }).ended).toBe(end);
  });
});

it('releases every delivered message, with its individual contribution', () => {
  let outstanding = 0;
  const scheme = changedScheme((made) => {
    const { leafBase } = made.tree;
    const isIndividual = (contribution: Contribution): boolean =>
      contribution >= leafBase && contribution < 2 * leafBase;
    for (const [name, step] of [
      ['retain', 1],
      ['release', -1],
    ] as const) {
      const inherited = made[name].bind(made);
      made[name] = (contribution: Contribution) => {
        if (isIndividual(contribution)) outstanding += step;
        inherited(contribution);
      };
    }
  });
  const { messagesSent, messagesDelivered } = simulate(
    { ...defaultScenario, nodes: 64, network: 'constant:1', verifyMs: 40 },
    { scheme },
  );
  // All remaining contributions are in flight or stored by a node, at most one for each of its 6 levels.
  const underWay = Math.round(messagesSent.mean * 64) - messagesDelivered;
  expect(outstanding).toBeLessThanOrEqual(2 * underWay + 64 * 6);
  expect(2 * underWay + 64 * 6).toBeLessThan(messagesDelivered / 2);
});

it.each<[string, Partial<Scenario>, (scheme: CountingScheme) => void, string | typeof CheckFailed]>([
  [
    'a scheme that aggregates overlapping contributions',
    {},
    (scheme) => {
      scheme.aggregatable = () => true;
    },
    CheckFailed,
  ],
  [
    'a dead signer in an aggregate, if every aggregate of more than 2 ids claims to be full',
    { dead: 0.4 },
    (scheme) => {
      const aggregate = scheme.aggregate.bind(scheme);
      scheme.aggregate = (block, a, b) => (scheme.tree.size(block) === 2 ? block : aggregate(block, a, b));
    },
    CheckFailed,
  ],
  [
    'an output that does not verify',
    {},
    (scheme) => {
      const verify = scheme.verify.bind(scheme);
      scheme.verify = (contribution) => scheme.block(contribution) !== 1 && verify(contribution);
    },
    'a valid output',
  ],
  [
    'a node that stores more than its limit',
    { nodes: 64, attacks: [{ name: 'flood', share: 0.3 }], without: ['bounded-queue'] },
    () => {},
    'memory: ',
  ],
])('checkers detect %s', (_what, change, fault, error) => {
  const scenario: Scenario = { ...defaultScenario, nodes: 32, ...change };
  expect(() => simulate(scenario, { checkers: true, scheme: changedScheme(fault) })).toThrow(error);
});

describe('a recording', () => {
  const simulation = ended(small, { record: true });
  const recording = simulation.recording();
  const result = simulation.result();
  const columns = ['timeUs', 'kind', 'node', 'peer', 'level', 'value', 'untilUs', 'set'] as const;

  type Line = Record<(typeof columns)[number], number>;
  const lines = (of: Recording, kind: number) =>
    upTo(of.length)
      .filter((line) => of.kind[line] === kind)
      .map((line) => Object.fromEntries(columns.map((name) => [name, of[name][line]!])) as Line);

  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  /** Returns the minimum, mean and maximum number of lines per live node. */
  const perNode = (found: readonly Line[]) => {
    const live = upTo(small.nodes).filter((id) => recording.world.role[id] === 1);
    const counts = live.map((id) => found.filter(({ node }) => node === id).length);
    return { min: Math.min(...counts), mean: mean(counts), max: Math.max(...counts) };
  };

  it('has columns of one length, in order of time', () => {
    expect(new Set(columns.map((name) => recording[name].length))).toEqual(new Set([recording.length]));
    expect(recording.timeUs).toEqual(recording.timeUs.toSorted());
    expect([recording.result, recording.scenario]).toEqual([result, small]);
  });

  it('has as many sends as the result has messages, and the lost ones are those to dead nodes', () => {
    const sends = lines(recording, LineKind.send);
    expect(result.messagesSent).toEqual(perNode(sends));
    for (const { peer, node, level, untilUs, timeUs, value } of sends) {
      expect(untilUs === -1).toBe(recording.world.role[peer] === 0);
      if (untilUs !== -1) expect(untilUs).toBeGreaterThan(timeUs);
      const { start, end } = peerSet(node, level, small.nodes);
      expect(peer >= start && peer < end).toBe(true);
      expect(value >= 1 && value <= 2 ** (level - 1)).toBe(true);
    }
    const arrived = sends.filter(({ untilUs }) => untilUs !== -1 && untilUs <= simulation.nowUs).length;
    expect(Math.abs(arrived - result.messagesDelivered)).toBeLessThanOrEqual(1);
  });

  it('has as many checks as the result, and none of a node overlaps another', () => {
    const checks = lines(recording, LineKind.check);
    expect(result.checked).toEqual(perNode(checks));
    const busyUntil = new Map<number, number>();
    for (const { node, timeUs, untilUs } of checks) {
      expect(timeUs).toBeGreaterThanOrEqual(busyUntil.get(node) ?? 0);
      busyUntil.set(node, untilUs);
      expect(Math.abs(untilUs - timeUs - 4000 * recording.world.cpuFactor[node]!)).toBeLessThanOrEqual(1);
    }
  });

  it('has every first output at the time in the result', () => {
    const first = new Map<number, number>();
    for (const { node, timeUs, value } of lines(recording, LineKind.output)) {
      expect(value).toBeGreaterThanOrEqual(recording.world.threshold);
      if (!first.has(node)) first.set(node, timeUs / 1000);
    }
    const times = [...first.values()];
    expect(times.length).toBe(result.reached);
    expect(result.timeToThresholdMs.min).toBeCloseTo(Math.min(...times), 6);
    expect(result.timeToThresholdMs.max).toBeCloseTo(Math.max(...times), 6);
    expect(result.timeToThresholdMs.mean).toBeCloseTo(mean(times), 6);
  });

  it('has with each improvement of In_l its set, heavier than the last one', () => {
    const before = new Map<string, number>();
    let partial = 0;
    for (const { node, level, value, set, peer } of lines(recording, LineKind.improve)) {
      const { start, end } = peerSet(node, level, small.nodes);
      expect(value).toBeGreaterThan(before.get(`${node} ${level}`) ?? 0);
      before.set(`${node} ${level}`, value);
      expect(peer >= start && peer < end).toBe(true);
      if (set === -1) {
        expect(value).toBe(end - start);
        continue;
      }
      partial++;
      const words = recording.words.subarray(set, set + ((end - start + 31) >>> 5));
      expect(words.reduce((sum, word) => sum + popcount(word), 0)).toBe(value);
      for (let bit = 0; bit < words.length * 32; bit++) {
        if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1) expect(recording.world.role[start + bit]).toBe(1);
      }
    }
    expect(partial).toBeGreaterThan(10);
  });

  it('has each blacklisting and the later refusals for invalid contributions', () => {
    const scheme = changedScheme((made) => {
      made.verify = (contribution: Contribution) => !made.contains(contribution, 9);
    });
    const found = ended({ ...defaultScenario, nodes: 32, threshold: 0.9 }, { record: true, scheme }).recording();
    const blacklisted = lines(found, LineKind.blacklist).filter(({ node }) => node !== 9);
    expect(new Set(blacklisted.map(({ peer }) => peer))).toEqual(new Set([9]));
    expect(new Set(blacklisted.map(({ node }) => node)).size, 'each blacklists once').toBe(blacklisted.length);
    const refused = lines(found, LineKind.refuse);
    expect(refused.length).toBeGreaterThan(0);
    for (const { node, peer, value, timeUs } of refused) {
      expect([node === 9 ? 9 : peer, value]).toEqual([9, refusalNumber('blacklisted')]);
      expect(lines(found, LineKind.blacklist).some((line) => line.node === node && line.timeUs <= timeUs)).toBe(true);
    }
    const invalid = lines(found, LineKind.check).filter(({ value }) => value < 0);
    expect(invalid.length).toBeGreaterThanOrEqual(blacklisted.length);
    expect(found.result.reached, '9 itself takes the others in').toBe(32);
  });

  it('is available at any time, with the events until then', () => {
    const running = createSimulation(small, { record: true });
    running.advance(300);
    const early = running.recording();
    expect([...early.timeUs]).toEqual([...recording.timeUs.subarray(0, early.length)]);
    expect([...early.value]).toEqual([...recording.value.subarray(0, early.length)]);
    const later = running.recordingLater();
    running.advance(300);
    expect(later().length).toBeGreaterThan(early.length);
    expect(later().result).toEqual(early.result);
  });
});

it('untilThreshold is measured from the own start of each node to its own first output', () => {
  const together = simulate({ ...defaultScenario, nodes: 50 });
  expect(together.untilThreshold.timeMs).toEqual(together.timeToThresholdMs);
  expect(together.untilThreshold.bytesSent.mean).toBeLessThan(together.bytesSent.mean);
  const apart = simulate({ ...defaultScenario, nodes: 50, desyncMs: 400 });
  expect(apart.untilThreshold.timeMs.mean).toBeLessThan(apart.timeToThresholdMs.mean - 100);
});

it('checkers check the end of a run of the whole protocol once, and of no other run', () => {
  const afterRun = vi.spyOn(Checkers.prototype, 'afterRun');
  const looks = (more: Partial<Scenario>, giveUpAfterMs = 9000) => {
    afterRun.mockClear();
    ended({ ...defaultScenario, nodes: 8, ...more }, { checkers: true, giveUpAfterMs }).advance(1);
    return afterRun.mock.calls.length;
  };
  const all = { kind: 'loss', share: 1 } as const;
  expect([
    looks({}),
    looks({ protocol: 'gossip' }),
    looks({ without: ['window'] }),
    looks({ faults: [all] }, 300),
    looks({ faults: [{ kind: 'pause', nodes: [1], atMs: 1, forMs: 5 }] }),
  ]).toEqual([1, 0, 0, 0, 0]);
  afterRun.mockRestore();
});

it('a run whose memory was freed or belongs to another run throws', () => {
  const memory = new RunMemory();
  const first = createSimulation({ ...defaultScenario, nodes: 4 }, { memory });
  createSimulation({ ...defaultScenario, nodes: 4 }, { memory });
  for (const ask of [() => first.advance(1), () => first.result(), () => first.handelNode(0)])
    expect(ask).toThrow('simulation: expected no call after its memory was freed or lent to another run, got a call');
});

it('deferred verdicts equal immediate verdicts', () => {
  const batching = changedScheme((scheme) => {
    Object.assign(scheme, { verifyBatch: (batch: readonly Contribution[]) => batch.map((one) => scheme.verify(one)) });
  });
  const pins = drawn(10, (draw, seed) => {
    const scenario = drawAttacks(draw, drawRun(draw, seed, { without: [], batch: draw.one([1, 1, 2]) }));
    const outcome = (options: object) => outcomeOf(() => outcomeText(scenario, { giveUpAfterMs: 900, ...options }));
    return [outcome({ scheme: batching }), outcome({})];
  });
  for (const [later, atOnce] of pins) expect(later).toBe(atOnce);
});

it('refuses missing or invalid parts of a run, and names them', () => {
  const small = { ...defaultScenario, nodes: 4 };
  const refused = [
    () => createSimulation(small).recording(),
    () => createSimulation({ ...small, scheme: 'bls' }),
    ...[0, 0.5, Number.NaN].map((maxEvents) => () => createSimulation(small).advance(maxEvents)),
  ].map(refusedBy);
  expect(refused).toEqual(['options.record', 'options.scheme', 'maxEvents', 'maxEvents', 'maxEvents']);
});

it.each([
  ['setsUpTo', 2 ** 20, (setsUpTo: number) => ({ record: { setsUpTo } })],
  ['giveUpAfterMs', 2_000_000, (giveUpAfterMs: number) => ({ giveUpAfterMs })],
])('%s accepts 0 to %i, and refuses larger values', (name, most, options) => {
  const take = (value: number) => createSimulation({ ...defaultScenario, nodes: 2 }, options(value));
  expect([0, 0.5, most].map((value) => refusedBy(() => take(value)))).toEqual(Array(3).fill('taken'));
  expect([-1, most + 1].map((value) => refusedBy(() => take(value)))).toEqual([name, name]);
});
