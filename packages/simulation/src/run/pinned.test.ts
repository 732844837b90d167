import { type Contribution, CountingScheme } from '@tutti/core';
import { expect, it, vi } from 'vitest';
import { drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawAnyRun, drawAttacks, drawFault, drawRun, toldBy } from '../../test/drawnRuns.ts';
import { attacks } from '../attacks/attacks.ts';
import { Checkers } from '../checkers/checkers.ts';
import { RunMemory } from '../engine/runMemory.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import type { SimulationOptions } from '../world/options.ts';
import { createSimulation } from './simulation.ts';

it('runs of every protocol are what they were, to the last line of their recording', () => {
  expect(drawn(16, (draw, seed) => outcomeOf(() => toldBy(drawAnyRun(draw, seed))))).toMatchInlineSnapshot(`
    [
      "f5cc0f51f902",
      "342b926d26c7",
      "5d530a82d3d6",
      "2edad4ce0702",
      "eab167702f7b",
      "3ef320fedd47",
      "b39071c031a1",
      "c6cc4af24e42",
      "eaed02ec7c30",
      "b926ceef0cd7",
      "4a33021bd899",
      "fd1ae1d74f8a",
      "6c042e52f86f",
      "5426286e8ef0",
      "9a43e8574b78",
      "1df68d5873a0",
    ]
  `);
});

it('so are those that wait for fairness, record less, or are given up', () => {
  const pins = drawn(12, (draw, seed) => {
    const scenario = drawRun(draw, seed, { dead: 0, without: [] });
    return outcomeOf(() =>
      toldBy(
        { ...scenario, faults: draw.list(draw.integer(0, 2), () => drawFault(draw, scenario.nodes)) },
        {
          until: draw.one(['fairness', 'threshold']),
          record: draw.one([{ sends: false }, { setsUpTo: 4 }, { sends: false, setsUpTo: 1 }]),
          giveUpAfterMs: draw.one([150, 2000]),
        },
      ),
    );
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "f7a83bef0c0e",
      "a2c8718e6641",
      "b243d34673fc",
      "c0321129e25a",
      "d13ed51cba03",
      "861ad370adc8",
      "ee4999dc84cf",
      "c60797a0a8fc",
      "74e96c897a19",
      "8d904562445d",
      "3d3de9dff919",
      "4d49dad9bddc",
    ]
  `);
});

it.each(attacks.flatMap(({ name, against }) => against.map((protocol) => [name, protocol] as const)))(
  'so are those under %s against %s',
  (name, protocol) => {
    const pins = drawn(2, (draw, seed) => {
      const run = drawAnyRun(draw, seed, protocol as Scenario['protocol']);
      const whole = { ...run, dead: 0, absent: 0, attacks: [{ name, share: 0.25 }] };
      return outcomeOf(() => toldBy({ ...whole, authenticated: draw.chance(0.5) }));
    });
    expect(pins).toMatchSnapshot();
  },
);

it('checkers look at the end of a run of the whole protocol that is reached, once, and at no other', () => {
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
  ]).toEqual([1, 0, 0, 0, 0, 0]);
  afterRun.mockRestore();
});

it('nothing is asked of a run whose memory another one has, or that was freed', () => {
  const memory = new RunMemory();
  const first = createSimulation({ ...defaultScenario, nodes: 4 }, { memory });
  createSimulation({ ...defaultScenario, nodes: 4 }, { memory });
  for (const ask of [() => first.advance(1), () => first.result(), () => first.handelNode(0)])
    expect(ask).toThrow('simulation: expected no call once its memory was lent to another run or freed, got one');
});

/** Verifies many at once, as schemes with curves do for less. */
class BatchingScheme extends CountingScheme {
  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    return contributions.map((one) => this.verify(one));
  }
}

const batching: SimulationOptions['scheme'] = (tree, stakes) => {
  const scheme = new BatchingScheme(tree, stakes);
  return { scheme, individual: (id) => scheme.individual(id) };
};

it('verdicts that are put off until many are asked for are those at once', () => {
  const pins = drawn(10, (draw, seed) => {
    const scenario = drawAttacks(draw, drawRun(draw, seed, { without: [], batch: draw.one([1, 1, 2]) }));
    const told = (options: object) => outcomeOf(() => toldBy(scenario, { giveUpAfterMs: 900, ...options }));
    return [told({ scheme: batching }), told({})];
  });
  for (const [later, atOnce] of pins) expect(later).toBe(atOnce);
});

it('what a run has not, or is not given, is refused with the words it was', () => {
  const small = { ...defaultScenario, nodes: 4 };
  const refused = [
    () => createSimulation(small).recording(),
    () => createSimulation({ ...small, scheme: 'bls' }),
    () => createSimulation(small).advance(0.5),
  ].map(outcomeOf);
  expect(refused).toMatchInlineSnapshot(`
    [
      "TypeError: options.record: expected true, to have a recording, got false",
      "RangeError: options.scheme: expected a bls scheme handed in, for core holds no curve, got undefined",
      true,
    ]
  `);
});

it('options of a run are taken and refused as they were, at their bounds', () => {
  const small = { ...defaultScenario, nodes: 2 };
  const values = [-1, 0, 0.5, 1, 2 ** 20, 2 ** 20 + 1, 2_000_000, 2_000_001];
  const pins = values.map((value) => [
    outcomeOf(() => createSimulation(small, { record: { setsUpTo: value } }).events),
    outcomeOf(() => createSimulation(small, { giveUpAfterMs: value }).events),
  ]);
  expect(pins).toMatchSnapshot();
});
