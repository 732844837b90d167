import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, ownOutcomes, spoiltOf } from '../../../../../tests/digests.ts';
import { bandwidthMarks, besideMarks } from './beside.ts';
import {
  blsBatchCosts,
  clientPresetNames,
  clientPresets,
  clientsOfNodes,
  validateClient,
  validateClientShares,
} from './client.ts';
import { ethereumGossipsub, validateGossipsub } from './gossipsub.ts';
import { validateLateness, voteTimes } from './lateness.ts';
import { bytesPerUs, classifyNodes, linkPresetNames, linkPresets, validateLinkClasses } from './linkClasses.ts';
import { mapNodes, nodeDistributions } from './nodeMap.ts';
import { proposalNames, withProposals } from './proposals.ts';
import { defaultNetworkScenario, inProportion, systemOf, validateNetworkScenario, votersOf } from './scenario.ts';
import { votingSystemNames, votingSystems } from './systems.ts';
import * as wire from './wireBytes.ts';

const own = { ...clientPresets.lighthouse, machine: 'i7-8550U', cores: 4 } as const;

it('presets, systems and proposals are what they were', () => {
  const pins = {
    ...{ bandwidthMarks, clientPresets, ethereumGossipsub, linkPresets, votingSystems, defaultNetworkScenario },
    proposals: proposalNames.map((name) => withProposals(defaultNetworkScenario, [name])),
    some: withProposals({ ...defaultNetworkScenario, validators: 99 }, ['cap', 'bundles', 'gloas']),
    voters: votingSystemNames.map((system) =>
      [systemOf, votersOf].map((of) => of({ ...defaultNetworkScenario, system })),
    ),
    proportion: votingSystemNames.map((system) => inProportion(votingSystems[system], 4000)),
    wire: [wire.attestationDataBytes, wire.blsSignatureBytes, wire.singleAttestationBytes],
  };
  expect(Object.entries(pins).map(([name, of]) => `${name} ${digestOf(of)}`)).toMatchInlineSnapshot(`
    [
      "bandwidthMarks 20b9399740f9",
      "clientPresets c96d177b7bb2",
      "ethereumGossipsub 62d4e9954911",
      "linkPresets a617e65a352d",
      "votingSystems 6737802ec515",
      "defaultNetworkScenario 6d533a98bf4d",
      "proposals 01f38aa7c688",
      "some 33ce6f952136",
      "voters 428e50394be0",
      "proportion ff203630eb53",
      "wire 13a6806b6ab1",
    ]
  `);
});

it('who hosts what, on which link, with which client and when it votes, is what it was', () => {
  const pins = drawn(60, (draw, seed) => {
    const nodes = draw.integer(2, 60);
    const distribution = draw.one(nodeDistributions);
    const validators = distribution === 'one-each' ? nodes : draw.integer(nodes, 3000);
    const map = mapNodes(distribution, validators, nodes, seed);
    const order = Int32Array.from(draw.list(nodes, (_, index) => index)).sort(() => draw.integer(0, 1) - 0.5);
    const shares = [
      { name: draw.one(clientPresetNames), share: draw.number(0, 0.5) },
      { name: draw.one(clientPresetNames), share: draw.number(0, 0.5) },
    ];
    const lateness = {
      ...{ headShare: draw.one([0, 0.3, 1]), headMs: draw.one([0, 900]), headP99Ms: 2500 },
      late: draw.one([
        [],
        [
          { share: 0.4, fromMs: 10, toMs: 50 },
          { share: 0.3, fromMs: 100, toMs: 200 },
        ],
      ]),
    };
    const members = draw.integer(1, 600);
    const ones = draw.integer(0, members);
    return [
      [
        map,
        classifyNodes(linkPresets[draw.one(linkPresetNames)], map.validators, order),
        clientsOfNodes(own, shares, order),
      ],
      [
        voteTimes(lateness, nodes, 1_500_000, seed),
        bytesPerUs(members),
        blsBatchCosts({ ...own, machine: 'epyc-wasm' }),
      ],
      [
        wire.attestationBytes(members, ones),
        wire.aggregateAndProofBytes(members, ones, 8),
        wire.snappyBitfieldBytes(members, ones),
      ],
      besideMarks(1000 * members, 5e6 * draw.number(0, 1), draw.one([12_000, 4000])),
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "d600609be3bd",
      "23a02a68266e",
      "cfcd7af8ecc0",
      "163023ad0d14",
      "b657618192cb",
      "4e7c8311ec74",
      "2c90e29b24d2",
      "67cd4de13aff",
      "1b0a61287c6b",
      "88f0c55a967e",
      "b121ce18f0f8",
      "fc7f8768fcfd",
      "05b4587f4f95",
      "987dcb80c022",
      "92080f49ae10",
      "87b371ceadbb",
      "4dde70f2bcba",
      "b3eff39b7a4b",
      "7339b4b39667",
      "24b0aafd3c5d",
      "be06ad3deef6",
      "d52cf46db756",
      "27bea9bd8fb9",
      "d4399bf4177c",
      "7ef8df2fdfea",
      "f38d68247b00",
      "588df964978b",
      "73eda4f30005",
      "6a837eec92bf",
      "93f3205bedd4",
      "bb20172e42b7",
      "1f25a5434a7f",
      "052be9353f05",
      "9fb6ed35eee7",
      "bfa96bc5fd51",
      "7024f33947c4",
      "8a38817b7b62",
      "ce9888aa923e",
      "7dc2027a5413",
      "5d26515f6861",
      "d8eebd9b3b18",
      "d0c699ac3c90",
      "d35dc78b431d",
      "2429b501d61e",
      "60eaa534c577",
      "442bc976afa3",
      "b46974e5b81b",
      "686acc0f59ff",
      "7fd9e9deb1bb",
      "bad203c5448b",
      "4b728deb0457",
      "f77e2ee3e75d",
      "c6cad1e16330",
      "a563f87d289a",
      "84fcc2dec534",
      "0aa4abd9f9f0",
      "906c6d38c9ad",
      "eb43e8421b7e",
      "9b168ce73315",
      "5250c1efda7f",
    ]
  `);
});

it('every field is refused with the words it was', () => {
  const numbers = [
    -1, 0, 0.001, 0.005, 0.01, 0.5, 0.99, 0.995, 1, 1.5, 2, 12, 15, 16, 17, 63, 64, 65, 128, 129, 256, 257, 1024,
  ];
  const larger = [1025, 4096, 4097, 10_000, 10_001, 20_000, 20_001, 60_000, 60_001, 65_536, 65_537, 600_000, 600_001];
  const values = [
    ...numbers,
    ...larger,
    2 ** 20,
    2 ** 20 + 1,
    2 ** 24,
    2 ** 24 + 1,
    2 ** 32 - 1,
    2 ** 32,
    1e7,
    undefined,
    'x',
    [],
  ];
  const refusals = <T extends object>(of: T, check: (made: T) => void, fields = Object.keys(of)) =>
    fields.map(
      (field) => `${field} ${digestOf(values.map((value) => outcomeOf(() => check({ ...of, [field]: value } as T))))}`,
    );
  const gossip = { ...ethereumGossipsub, fanout: 1, lostShare: 0, windowBytes: 1 };
  const bundles = { tickMs: 20, most: 5, dataBytes: 1, voteBytes: 1, idBytes: 1 };
  const late = { share: 0.5, fromMs: 5, toMs: 70_000 };
  const lateness = { headShare: 0, headMs: 0, headP99Ms: 60_000, late: [] };
  const times = {
    attestMs: 100,
    aggregateMs: 200,
    collectMs: 300,
    blockMs: 400,
    period: 1,
    committees: 1,
    subcommittees: 1,
  };
  const system = { ...times, aggregators: 1, collectors: 1, attestations: 1, sampled: 5000 };
  const pins = [
    ...refusals(defaultNetworkScenario, validateNetworkScenario),
    ...refusals(system, (changes) => validateNetworkScenario({ ...defaultNetworkScenario, changes })),
    ...refusals(times, (changes) => validateNetworkScenario({ ...defaultNetworkScenario, system: 'electra', changes })),
    ...refusals({ ...own, atOnce: 1 }, validateClient),
    ...refusals(gossip, validateGossipsub),
    ...refusals(bundles, (made) => validateGossipsub({ ...gossip, bundles: made })),
    ...refusals(lateness, validateLateness),
    ...refusals({ ...late, toMs: 9 }, (made) =>
      validateLateness({ ...lateness, late: [made, { ...late, toMs: 9, share: 0.4 }] }),
    ),
    ...refusals({ name: 'a', share: 0.5, downMbps: 1, upMbps: 1 }, (made) =>
      validateLinkClasses([made, { ...made, share: 0.5 }]),
    ),
    ...refusals({ name: 'prysm', share: 0.5 } as const, (made) =>
      validateClientShares([made, { name: 'teku', share: 0.5 }]),
    ),
    ...refusals({ slotMs: 1 }, ({ slotMs }) => inProportion(votingSystems.horn, slotMs)),
    ...refusals({ nodes: 8 }, ({ nodes }) => mapNodes('one-each', 8, nodes, 1)),
    ...refusals({ validators: 8 }, ({ validators }) => mapNodes('uniform', Math.min(validators, 2 ** 20 + 1), 8, 1)),
  ];
  expect(pins).toMatchSnapshot();
});

it('bitfields of any size and share take what they took', () => {
  const sizes = [1, 2, 8, 63, 64, 511, 512, 513, 1000, 4096, 32_767, 32_768, 40_000];
  const shares = [0, 0.3, 0.5, 0.7, 0.9, 0.92, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.999, 0.9995, 1];
  const pins = sizes.map((bits) => shares.map((share) => wire.snappyBitfieldBytes(bits, Math.round(bits * share))));
  expect(digestOf(pins)).toMatchInlineSnapshot(`"56ef475661a8"`);
});

it('a scenario with any field of another kind, at any depth, is refused with the words it was', () => {
  const whole = {
    ...defaultNetworkScenario,
    changes: { slotMs: 4000 },
    clients: [{ name: 'prysm', share: 0.4 }],
    attacks: [{ name: 'griefing', share: 0.2 }],
    gossip: { ...ethereumGossipsub, bundles: { tickMs: 20, most: 5, dataBytes: 144, voteBytes: 104, idBytes: 8 } },
  };
  const ours = ownOutcomes(spoiltOf(whole).map((one) => outcomeOf(() => validateNetworkScenario(one as never))));
  expect([ours.length, digestOf(ours)]).toMatchInlineSnapshot(`
    [
      740,
      "de626f9da290",
    ]
  `);
});

it('nodes of a heavy tail host what they did, at every size', () => {
  const sizes = [
    [1000, 10],
    [100_000, 2000],
    [2 ** 20, 10_000],
  ] as const;
  const pins = sizes.map(([validators, nodes]) => mapNodes('heavy-tailed', validators, nodes, 1).validators);
  expect(digestOf(pins)).toMatchInlineSnapshot(`"d193b353db37"`);
});
