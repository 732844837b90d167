import { type Contribution, CountingScheme } from '@tutti/core';
import { expect, it, vi } from 'vitest';
import { drawn, outcomeOf, refusedBy } from '../../../../tests/digests.ts';
import { drawAttacks, drawRun, outcomeText } from '../../test/drawnRuns.ts';
import { Checkers } from '../checkers/checkers.ts';
import { RunMemory } from '../engine/runMemory.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import type { SimulationOptions } from '../world/extensions.ts';
import { createSimulation } from './simulation.ts';

it('checkers check the end of a run of the whole protocol once, and of no other run', () => {
  const afterRun = vi.spyOn(Checkers.prototype, 'afterRun');
  const looks = (more: Partial<Scenario>, giveUpAfterMs = 9000) => {
    afterRun.mockClear();
    const simulation = createSimulation({ ...defaultScenario, nodes: 8, ...more }, { checkers: true, giveUpAfterMs });
    while (simulation.advance(100));
    simulation.advance(1);
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

/** A scheme that verifies several contributions at once, as schemes with curves do. */
class BatchingScheme extends CountingScheme {
  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    return contributions.map((one) => this.verify(one));
  }
}

const batching: SimulationOptions['scheme'] = (tree, stakes) => {
  const scheme = new BatchingScheme(tree, stakes);
  return { scheme, individual: (id) => scheme.individual(id) };
};

it('deferred verdicts equal immediate verdicts', () => {
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
    () => createSimulation(small).advance(0.5),
  ].map(refusedBy);
  expect(refused).toEqual(['options.record', 'options.scheme', 'taken']);
});

it.each([
  ['setsUpTo', 2 ** 20, (setsUpTo: number) => ({ record: { setsUpTo } })],
  ['giveUpAfterMs', 2_000_000, (giveUpAfterMs: number) => ({ giveUpAfterMs })],
])('%s accepts 0 to %i, and refuses larger values', (name, most, options) => {
  const take = (value: number) => createSimulation({ ...defaultScenario, nodes: 2 }, options(value));
  expect([0, 0.5, most].map((value) => refusedBy(() => take(value)))).toEqual(Array(3).fill('taken'));
  expect([-1, most + 1].map((value) => refusedBy(() => take(value)))).toEqual([name, name]);
});
