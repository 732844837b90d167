import { expect, it } from 'vitest';
import { Draw, digestOf, refusedBy } from '../../../../../tests/digests.ts';
import { clientPresetNames, clientPresets } from '../../horn/network/client.ts';
import { ethereumGossipsub } from '../../horn/network/gossipsub.ts';
import { linkPresets } from '../../horn/network/nodes.ts';
import { defaultNetworkScenario, type NetworkScenario } from '../../horn/network/scenario.ts';
import { votingSystemNames, votingSystems } from '../../horn/network/systems.ts';
import { defaultChainOptions, runChain } from './chain.ts';
import { runMeshExperiment } from './meshExperiment.ts';
import { type NetworkSlot, runNetworkSlot, runNetworkSlots } from './networkSlot.ts';
import { arrivalQuantiles } from './slotRun.ts';

const thinnest = [{ name: 'thinnest', share: 1, downMbps: 0.2, upMbps: 0.1 }];
const short = { attestMs: 200, aggregateMs: 500, collectMs: 800, blockMs: 1100 };

/** Draws scenarios with some hundred voters on few nodes. Any field may differ from its default. */
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

it('a single slot is the first of a series, and a sampled run refuses settings that it lacks', () => {
  const slot = anySlot(new Draw(7), 7);
  for (const mode of ['singly', 'statistical'] as const)
    expect(digestOf(of(runNetworkSlot(slot, { mode })))).toBe(digestOf(of(runNetworkSlots(slot, 1, { mode })[0]!)));
  const client = { ...slot.client, ignoresCovered: true };
  expect(() => runNetworkSlot({ ...slot, client })).toThrow(
    new RangeError('ignoresCovered: expected false unless every message is run, got true'),
  );
});

it('options of a chain are accepted up to their limits, and refused beyond', () => {
  const slots = runNetworkSlots(anySlot(new Draw(3), 3), 1, { mode: 'singly' });
  const taken = [{ slots: 1 }, { missed: 0 }, { missed: 1 }, { omitting: 0 }, { omitting: 1 }];
  const refused = [
    ...[{ slots: 0 }, { slots: 1.5 }, { slots: 4097 }],
    ...[-0.1, 1.1].flatMap((share) => [{ missed: share }, { omitting: share }]),
  ];
  const outcome = (option: object) => refusedBy(() => runChain(slots, { ...defaultChainOptions, slots: 2, ...option }));
  expect(taken.map(outcome)).toEqual(Array(5).fill('taken'));
  expect(refused.map(outcome)).toEqual(refused.map((option) => Object.keys(option)[0]));
});

it('a copy that just fits a sender’s window does not wait', () => {
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
