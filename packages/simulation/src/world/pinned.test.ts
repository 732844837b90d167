import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, ownOutcomes, spoiltOf } from '../../../../tests/digests.ts';
import { drawAnyRun, drawAttacks, drawFault, drawRun, toldBy } from '../../test/drawnRuns.ts';
import { silence } from '../attacks/silent.ts';
import { RunMemory, slabOf } from '../engine/runMemory.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import type { Extensions } from './extensions.ts';
import { createPriorities, windowOf } from './honest.ts';
import { createWorld } from './world.ts';

it('what a seed draws before a run begins is what it was', () => {
  const pins = drawn(60, (draw, seed) => {
    const drawnRun = drawRun(draw, seed, { attackBy: draw.one(['nodes', 'weight', 'heaviest', 'lightest']) });
    const attacked = draw.chance(0.6) ? drawAttacks(draw, drawnRun) : drawnRun;
    const scenario = { ...attacked, faults: draw.list(2, () => drawFault(draw, drawnRun.nodes)) };
    return outcomeOf(() => {
      const priorities = createPriorities(scenario);
      const { network, attacks, faults, ...world } = createWorld(scenario, priorities);
      const ranks = Array.from({ length: scenario.nodes }, (_, of) => priorities.rank(0, of));
      return digestOf([world, network.region, network.regionNames, windowOf(scenario, priorities), ranks]);
    });
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "fceb7019a9e8",
      "f0d384aca00a",
      "4e494750314d",
      "bdff67fe5938",
      "68b1758be0a8",
      "ca60be3981ae",
      "1cff6a8a88a1",
      "664145d9ab5f",
      "304b952e68f7",
      "913c3e83fb57",
      "62f355670905",
      "6ce3227e5c1a",
      "b83d21614306",
      "97861001ba7d",
      "2affb88c4d73",
      "6992b91d011f",
      "8ce174cc104d",
      "e2b7a64faa93",
      "b2d1e82601bd",
      "871df27f31f7",
      "ec2016ac81c8",
      "29eef68a7f03",
      "2e7269ea423a",
      "8ae2c936e09e",
      "eab6cf58f75b",
      "58a0fb2d3185",
      "ec006e20ec58",
      "e224d514e3bd",
      "cee2cbdb78ac",
      "dd18f70f5907",
      "b07ba54eb3d0",
      "3e27d6c68ba3",
      "22e881ef300d",
      "444020bdb341",
      "6816bd23bfe4",
      "ffe2ecbec132",
      "5e430d332459",
      "77833283dfd5",
      "7fc8dcfa84ef",
      "120a775f4215",
      "781d13555611",
      "27e0f502423a",
      "019b26f4cc4d",
      "80c22a121d10",
      "69c04cf28bf2",
      "3cbef61eecaf",
      "fad2cb3f3604",
      "863c9c74bba4",
      "35d95bd4e153",
      "f9c2e8eb8238",
      "72155fbd147a",
      "9d8fc6f93cf0",
      "b5b9c4ef6d16",
      "cc277aaaefe1",
      "ff4094fd935d",
      "c9474a4c58d4",
      "ab5b3ee5504f",
      "df0b2ecb2507",
      "a8adf6c1f47c",
      "3db01f604d9d",
    ]
  `);
});

it('what honest nodes and attackers make of it is what it was', () => {
  const pins = drawn(12, (draw, seed) => outcomeOf(() => toldBy(drawAttacks(draw, drawAnyRun(draw, seed)))));
  expect(pins).toMatchInlineSnapshot(`
    [
      "64f7da214b21",
      "99ced2412958",
      "9d66e2a87084",
      "3dd6e4bce4e5",
      "b1de22c83cea",
      "ba3a30a18c25",
      "8820183320ab",
      "a593fa8d6d07",
      "1823f5746366",
      "4cc54ceded87",
      "8dda99587071",
      "19cb4fbe0f33",
    ]
  `);
});

it('extensions of another kind, at any depth, are refused with the words they were', () => {
  const small = { ...defaultScenario, nodes: 4 };
  const attack = { name: 'mine', section: '', aim: '', against: ['handel'], form: () => ({ join: () => silence }) };
  const whole = {
    nodes: () => () => silence,
    network: { regionNames: ['one'], region: [0, 0, 0, 0], oneWayUs: () => 1000 },
    attacks: [{ attack, share: 0.25 }],
    checker: { onMessage() {}, onOutput() {} },
  };
  const played = (options: unknown) =>
    outcomeOf(() => {
      const simulation = createSimulation(small, options as Extensions);
      while (simulation.nowUs < 60_000 && simulation.advance(4));
      return simulation.events;
    });
  const nodes = ['start', 'onMessage', 'onTimer', 'onVerified'].map((name) => ({ ...silence, [name]: undefined }));
  const others = [
    ...nodes.map((node) => ({ nodes: () => () => node })),
    ...[0, 1, 0.5, Number.NaN].map((us) => ({ network: { ...whole.network, oneWayUs: () => us } })),
    ...[{ machine: [0, 0, 0, 0] }, { region: [0] }].map((more) => ({ network: { ...whole.network, ...more } })),
    ...[0, 1, -0.1, 1.1, 0.9].map((share) => ({ attacks: [{ attack, share }] })),
    { checker: {} },
    { faults: 7 },
  ];
  const faults = [{ kind: 'crash', nodes: [0, 1, 2, 3], atMs: 1 }] as const;
  const worlds = [{ faults }, { threshold: 5 }, { threshold: 4 }].map((fields) =>
    outcomeOf(() => createSimulation({ ...small, ...fields }).live),
  );
  const outcomes = ownOutcomes([whole, ...spoiltOf(whole), ...others].map(played));
  expect([outcomes.length, digestOf(outcomes), ...worlds]).toMatchInlineSnapshot(`
    [
      245,
      "2465301530ea",
      "RangeError: faults: expected an honest node that no crash ends, got "none"",
      "RangeError: threshold: expected a share, or a count up to 4, got 5",
      4,
    ]
  `);
});

it('the memory of a run has room from the beginning for what it comes to keep, as it had', () => {
  const roomOf = (fields: Partial<Scenario>) => {
    const memory = new RunMemory();
    createSimulation({ ...defaultScenario, nodes: 64, ...fields }, { memory });
    return slabOf(memory, 1).ints.length;
  };
  const loss = { kind: 'loss', share: 0.01 } as const;
  expect([
    roomOf({}),
    roomOf({ dead: 0.1 }),
    roomOf({ absent: 1 }),
    roomOf({ faults: [loss] }),
    roomOf({ attacks: [{ name: 'silent', share: 0.1 }] }),
    roomOf({ protocol: 'gossip' }),
  ]).toMatchInlineSnapshot(`
    [
      65536,
      131072,
      131072,
      131072,
      131072,
      1,
    ]
  `);
});
