import { RandomStream } from '@tutti/core';
import { expect, it } from 'vitest';
import { Draw, digestOf, drawn, outcomeOf } from '../../../../../tests/digests.ts';
import { clientPresetNames, clientPresets } from '../../horn/network/client.ts';
import { ethereumGossipsub } from '../../horn/network/gossipsub.ts';
import { linkPresets } from '../../horn/network/linkClasses.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../../horn/network/scenario.ts';
import { votingSystemNames, votingSystems } from '../../horn/network/systems.ts';
import { defaultChainOptions, runChain } from './chain.ts';
import { runningEveryMessage } from './everyMessage.ts';
import { gatherByHandel } from './handelGathering.ts';
import { type MeshExperiment, runMeshExperiment } from './meshExperiment.ts';
import { type NetworkSlot, runNetworkSlot, runNetworkSlots } from './networkSlot.ts';
import { createNetworkWorld } from './networkWorld.ts';
import { alikeOf, standIns } from './patterns.ts';
import { runningSampled } from './sampledRun.ts';
import { arrivalQuantiles, DelayCollector, type SlotWatch } from './slotRun.ts';
import { topicSteps } from './topicSteps.ts';

const thinnest = [{ name: 'thinnest', share: 1, downMbps: 0.2, upMbps: 0.1 }];
const short = { attestMs: 200, aggregateMs: 500, collectMs: 800, blockMs: 1100 };

/** Slots of some hundred voters on few nodes, with any of their fields other than by default. */
function anySlot(draw: Draw, seed: number): NetworkScenario {
  const system = draw.one(votingSystemNames);
  const { committees, collectors, gathering } = votingSystems[system];
  const isHorn = collectors > 0;
  return {
    ...defaultNetworkScenario,
    system,
    changes: {
      period: 1,
      committees: Math.min(draw.integer(1, 2), committees),
      subcommittees: draw.integer(1, 4),
      ...(gathering === 'gossip' && draw.chance(0.3) && { subnets: draw.integer(4, 7) }),
      aggregators: draw.integer(1, 5),
      ...(isHorn && { collectors: draw.integer(1, 4) }),
      ...(draw.chance(0.5) ? short : { attestMs: 600, aggregateMs: 1300, collectMs: 2000, blockMs: 3100 }),
    },
    validators: draw.integer(100, 200),
    nodes: draw.integer(16, 30),
    distribution: draw.one(['uniform', 'heavy-tailed']),
    links: draw.one([
      linkPresets['eip-7870'],
      linkPresets.gigabit,
      [
        { name: 'thin', share: 0.7, downMbps: 0.5, upMbps: 0.25 },
        { name: 'home', share: 0.3, downMbps: 5, upMbps: 2 },
      ],
      thinnest,
    ]),
    reserved: draw.one([0, 0.4]),
    client: {
      ...clientPresets[draw.one(clientPresetNames)],
      machine: draw.one(['i7-8550U', 'raspberry-pi-4']),
      cores: draw.integer(1, 3),
      ...(draw.chance(0.3) && { voteQueue: 8, aggregateQueue: 4, batch: 3 }),
    },
    clients: draw.chance(0.3) ? [{ name: draw.one(clientPresetNames), share: 0.4 }] : [],
    keySums: draw.one(['naive', 'subtracting']),
    gossip: {
      ...ethereumGossipsub,
      ...(draw.chance(0.5) && { d: 4, dLow: 3, dHigh: 5, dLazy: 2, heartbeatMs: 150, historyGossip: 2 }),
      ...(draw.chance(0.3) && { idontwantBytes: draw.one([undefined, 0, 200]) }),
      ...(draw.chance(0.3) && { forwardWaitMs: undefined, publishWaitMs: undefined }),
      ...(draw.chance(0.3) && { forwardWaitMs: 30, publishWaitMs: 100 }),
      ...(draw.chance(0.3) && { fanout: 2 }),
      ...(draw.chance(0.3) && { sharesUpload: true }),
      ...(draw.chance(0.3) && { windowBytes: 600 }),
      ...(draw.chance(0.3) && { lostShare: 0.2 }),
      ...(draw.chance(0.3) && { bundles: { tickMs: 20, most: 5, dataBytes: 144, voteBytes: 104, idBytes: 8 } }),
    },
    subnetsPerNode: draw.integer(0, 3),
    committeeTopicsPerNode: draw.integer(0, 2),
    sourceBatches: draw.one([0, 0, 3]),
    observers: draw.one([0, 0, 3]),
    network: draw.one(['aws', 'constant:30', 'distance']),
    participation: draw.one([1, 0.8]),
    lateness: draw.one([
      defaultNetworkScenario.lateness,
      { headShare: 0.5, headMs: 100, headP99Ms: 400, late: [{ share: 0.3, fromMs: 20, toMs: 400 }] },
    ]),
    attacks: draw.one([[], [], [{ name: draw.one(['silent', 'griefing', 'worthless', 'late']), share: 0.3 }]]),
    seed,
  };
}

const of = ({ run, result }: NetworkSlot) => ({
  played: run,
  result,
  quantiles: arrivalQuantiles(run, [0.1, 0.5, 0.9]),
});

it.each(['singly', 'statistical'] as const)('slots of every kind, played %s, are what they were', (mode) => {
  const pins = drawn(mode === 'singly' ? 16 : 20, (draw, seed) => {
    const scenario = anySlot(draw, seed);
    const slots = runNetworkSlots(scenario, 2, {
      mode,
      sample: { subnets: 2, committeeTopics: 1, nodes: 16, messages: 64 },
    });
    const chain = runChain(slots, { ...defaultChainOptions, slots: 70, missed: 0.1, omitting: 0.1, seed });
    return `${scenario.system} ${digestOf(slots.map(of))} ${digestOf(chain)}`;
  });
  expect(pins).toMatchSnapshot();
});

it('slots of one collector, of clients that ignore what is covered, and more than links can carry, are what they were', () => {
  const pins = drawn(24, (draw, seed) => {
    const slot = anySlot(draw, 1000 + seed);
    const mode = draw.one(['singly', 'statistical'] as const);
    const isHorn = votingSystems[slot.system].collectors > 0;
    const scenario: NetworkScenario = {
      ...slot,
      changes: { ...slot.changes, ...(isHorn && { collectors: 1, committees: draw.integer(1, 3) }) },
      ...(mode === 'singly' && { client: { ...slot.client, ignoresCovered: true } }),
      ...(mode === 'statistical' && { nodes: 60, validators: 900, links: thinnest, subnetsPerNode: 2 }),
    };
    const slots = runNetworkSlots(scenario, 2, {
      mode,
      sample: { subnets: 1, committeeTopics: 1, nodes: 24, messages: draw.one([4, 7, 64]) },
    });
    const chain = runChain(slots, { ...defaultChainOptions, slots: 1, seed });
    const stepMs = draw.number(20, 300);
    const steps = slots.map((one) => topicSteps(one, stepMs));
    return `${mode} ${scenario.system} ${digestOf(slots.map(of))} ${digestOf([chain, steps])}`;
  });
  expect(pins).toMatchSnapshot();
});

it.each(['singly', 'statistical'] as const)('what who watches is told of slots, played %s, is what it was', (mode) => {
  const pins = drawn(8, (draw, seed) => {
    const world = createNetworkWorld(anySlot(draw, seed));
    const told: unknown[] = [];
    const note =
      (what: string) =>
      (...heard: readonly unknown[]) =>
        void told.push([what, ...heard]);
    const watch: SlotWatch = {
      published: note('published'),
      verified: (layer, sentUs, atUs) => {
        for (const one of atUs) if (one !== -1 && one !== sentUs) note('verified')(layer, sentUs, one);
      },
      seen: note('seen'),
      missingPeers: note('missingPeers'),
      overloaded: note('overloaded'),
    };
    const sample = { subnets: 2, committeeTopics: 1, nodes: 16, messages: 64 };
    const playing = mode === 'singly' ? runningEveryMessage(world, watch) : runningSampled(world, sample, watch);
    let step = playing.next();
    while (!step.done) {
      told.push(step.value);
      step = playing.next();
    }
    return digestOf([told, step.value]);
  });
  expect(pins).toMatchSnapshot();
});

it('Handel in a committee of more nodes than are played is what it was', () => {
  const scenario: NetworkScenario = {
    ...defaultNetworkScenario,
    ...{ system: 'handel-committees', nodes: 700, validators: 2100, seed: 1, network: 'constant:30' },
    changes: { ...short, period: 1, committees: 1, subcommittees: 3, aggregators: 3, collectors: 3 },
  };
  expect(digestOf(gatherByHandel(createNetworkWorld(scenario)))).toMatchInlineSnapshot(`"e674e23b860c"`);
});

it('Handel in committees that has hardly time is what it was', () => {
  const pins = drawn(8, (draw, seed) => {
    const slot = anySlot(draw, 2000 + seed);
    const scenario: NetworkScenario = {
      ...slot,
      system: 'handel-committees',
      attacks: draw.one([[], [{ name: 'griefing', share: 0.3 }], [{ name: 'silent', share: 0.6 }]]),
      changes: {
        ...short,
        collectMs: draw.integer(250, 900),
        period: 1,
        committees: 2,
        subcommittees: 3,
        collectors: 5,
      },
    };
    return digestOf(gatherByHandel(createNetworkWorld(scenario)));
  });
  expect(pins).toMatchSnapshot();
});

it('a slot alone is the first of a row, and what is run by a sample refuses what it has not', () => {
  const slot = anySlot(new Draw(7), 7);
  for (const mode of ['singly', 'statistical'] as const)
    expect(digestOf(of(runNetworkSlot(slot, { mode })))).toBe(digestOf(of(runNetworkSlots(slot, 1, { mode })[0]!)));
  const client = { ...slot.client, ignoresCovered: true };
  expect(() => runNetworkSlot({ ...slot, client })).toThrow(
    new RangeError('ignoresCovered: expected false unless every message is run, got true'),
  );
});

it('options of a chain are taken and refused as they were, at their bounds', () => {
  const slots = runNetworkSlots(anySlot(new Draw(3), 3), 1, { mode: 'singly' });
  const options = [
    ...[0, 1, 1.5, 4097].map((slots) => ({ slots })),
    ...[-0.1, 0, 1, 1.1].flatMap((share) => [{ missed: share }, { omitting: share }]),
  ];
  const pins = options.map((option) =>
    outcomeOf(() => runChain(slots, { ...defaultChainOptions, slots: 2, ...option }).attestations),
  );
  expect(pins).toMatchSnapshot();
});

it('who stands for whom is what it was', () => {
  const pins = drawn(60, (draw, seed) => {
    const some = () => draw.some([0, 1, 2, 3, 4, 5, 6, 7], draw.one([0.1, 0.5]));
    const late = draw.some([0, 1, 2, 3, 4, 5, 6, 7]);
    const alike = alikeOf(some(), some(), (one) => late.includes(one));
    const classOf = Uint8Array.from({ length: 12 }, () => draw.integer(0, 2));
    const patterns = [...new Set([draw.integer(0, 11), draw.integer(0, 11), draw.integer(0, 11)])].map((node) => ({
      ...{ node, of: classOf[node]!, count: 0 },
      missing: () => new Int32Array(),
      delayUs: () => 0,
    }));
    const nodes = draw.some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const standing = standIns(patterns, nodes, classOf, new RandomStream(seed, 'pinned'));
    return [alike, standing.map(({ node }) => node)];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"a8dd284ffe78"`);
});

it('delays are collected and arrivals told as they were', () => {
  const pins = drawn(60, (draw) => {
    const delays = new DelayCollector();
    const dueUs = draw.integer(2, 6);
    for (let left = draw.integer(0, 30); left > 0; left--)
      delays.add(draw.integer(0, 4), draw.integer(-1, 8), dueUs, draw.one([1, 1, 3]));
    const arrivals = draw.list(draw.integer(0, 3), () => ({
      members: Int32Array.from([0, 1, 2]),
      votes: draw.list(3, () => ({
        ...{ node: draw.integer(0, 3), castUs: draw.integer(0, 9) },
        verifiedUs: Int32Array.from(draw.list(3, () => draw.integer(-1, 20))),
      })),
    }));
    return [delays.result(), arrivalQuantiles({ arrivals } as never, [0, 0.3, 0.99, 1])];
  });
  const refused = [undefined, {}, { arrivals: 7 }].map((run) => outcomeOf(() => arrivalQuantiles(run as never, [])));
  const shares = [7, [-0.1], [1.1], ['x']].map((given) =>
    outcomeOf(() => arrivalQuantiles({ arrivals: [] }, given as never)),
  );
  expect([digestOf(pins), refused, shares]).toMatchInlineSnapshot(`
    [
      "e9c7c7ebee1a",
      [
        "TypeError: run: expected a slot that was run, got undefined",
        "TypeError: arrivals: expected an array, got undefined",
        "TypeError: arrivals: expected an array, got 7",
      ],
      [
        "TypeError: shares: expected an array, got 7",
        "RangeError: share: expected a number from 0 to 1, got -0.1",
        "RangeError: share: expected a number from 0 to 1, got 1.1",
        "RangeError: share: expected a number from 0 to 1, got "x"",
      ],
    ]
  `);
});

it('meshes of other simulators’ experiments are what they were', () => {
  const pins = drawn(8, (draw, seed) =>
    digestOf(
      runMeshExperiment({
        ...{
          nodes: draw.integer(8, 20),
          topics: draw.integer(1, 2),
          publishers: draw.integer(0, 4),
          slots: 2,
          slotMs: 1500,
        },
        ...{
          messageBytes: draw.one([200, 9000]),
          superShare: draw.one([0, 0.3]),
          superMbps: [100, 50],
          homeMbps: [5, 2],
        },
        gossip: {
          ...{ ...ethereumGossipsub, d: 4, dLow: 3, dHigh: 5, heartbeatMs: 200 },
          ...(draw.chance(0.5) && { fanout: draw.integer(1, 3), sharesUpload: draw.chance(0.5), lostShare: 0.1 }),
        },
        ...{ batchMs: draw.one([0, 8]), eachUs: 300, byReceipt: draw.chance(0.5), network: 'aws', seed },
        ...(draw.chance(0.5) && { batch: 3 }),
      }),
    ),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "5c5c557cf29c",
      "fb059392f115",
      "78bbc98b7ac3",
      "50d6c8cb3f4f",
      "f7739065819c",
      "f2f64168adaa",
      "78dd5d466fbc",
      "d0228e07e846",
    ]
  `);
});

it('a copy that just fits a sender’s window does not wait for it to open', () => {
  const sent = (windowBytes: number) =>
    digestOf(
      runMeshExperiment({
        ...{ nodes: 4, topics: 1, publishers: 0, slots: 1, slotMs: 3000, messageBytes: 2000, superShare: 0, seed: 1 },
        ...{ superMbps: [5, 5], homeMbps: [5, 5], batchMs: 0, eachUs: 0, network: 'constant:50' },
        gossip: { ...ethereumGossipsub, windowBytes },
      }),
    );
  const size = 2000 + ethereumGossipsub.overheadBytes;
  expect(sent(size)).toBe(sent(2 * size));
  expect(sent(size - 1)).not.toBe(sent(size));
});

it('every field of an experiment is refused with the words it was', () => {
  const small: MeshExperiment = {
    ...{ nodes: 4, topics: 1, publishers: 0, slots: 1, slotMs: 50, messageBytes: 9, superShare: 0, superMbps: [1, 1] },
    ...{ homeMbps: [1, 1], gossip: ethereumGossipsub, batchMs: 0, eachUs: 0, network: 'nowhere', seed: 1, batch: 1 },
  };
  const values = [
    -1,
    0,
    1,
    2,
    32,
    33,
    64,
    65,
    5000,
    5001,
    10_000,
    10_001,
    60_000,
    60_001,
    2 ** 20,
    2 ** 20 + 1,
    2 ** 24,
    2 ** 24 + 1,
    1e6,
    1e6 + 1,
    [1, 0],
    [0, 1],
    [1, 2e6],
    'x',
  ];
  // The network is looked at near the end, so that nothing that is taken is played.
  const pins = Object.keys(small).map(
    (field) =>
      `${field} ${digestOf(values.map((value) => outcomeOf(() => runMeshExperiment({ ...small, [field]: value } as never))))}`,
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "nodes 4f6aa2688585",
      "topics d709444ac7a4",
      "publishers d9e1bc7f3249",
      "slots 9b0e350f2f9f",
      "slotMs 0e173f765471",
      "messageBytes 11fa03f00613",
      "superShare bc95dca1e23a",
      "superMbps 9f6b9395cd1d",
      "homeMbps 0d7f574adae5",
      "gossip 319d56d96933",
      "batchMs 65248b720898",
      "eachUs a51a1e4a0728",
      "network 5ab3bd4a4781",
      "seed 0ad6716ac801",
      "batch d13260aa56df",
    ]
  `);
});
