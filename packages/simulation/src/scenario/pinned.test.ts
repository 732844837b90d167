import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, ownOutcomes, spoiltOf } from '../../../../tests/digests.ts';
import { drawAnyRun, drawFault } from '../../test/drawnRuns.ts';
import { configOf } from './configOf.ts';
import { healedAtMs } from './faultPlan.ts';
import { scenarioPresets } from './presets.ts';
import { protocols } from './protocols.ts';
import { defaultScenario, type Scenario, validateScenario } from './scenario.ts';
import { formOf, scenarioArguments, scenarioFields, writeScenario } from './scenarioFields.ts';
import { decodeScenario, encodeScenario } from './scenarioLink.ts';
import { scenarioRows } from './scenarioRows.ts';
import { validateFaults } from './validateFaults.ts';
import { stakesOf } from './weights.ts';

/** What people write, right and wrong, of every kind of field. */
const texts = [
  ...['', '0', '1', '2', '3', '4', '8', '0.5', '0.999', '1.5', '-1', '1e3', '1048576', '1048577', '4294967295'],
  ...['4294967296', '600000', '600001', '0.001', '0.0001', '1000', '1001', '99', ' 1', 'on', 'off', 'handel', 'gossip'],
  ...['spread', 'packed', 'equal', 'pareto:1', 'pareto:0.05', 'pareto:100', 'pareto:101', '24x1000,1000x1', '3,4', '0'],
  ...['aws', 'constant:5', 'cities', 'machine', 'chance', 'bls', 'shifted', 'independent', 'relative', 'paper'],
  ...['invalid:0.3', 'invalid:1', 'invalid:0', 'invalid', 'nobody:0.1', 'across-levels:0.2:light@0', 'silent:0.1:x'],
  ...['across-levels:0.2:x', '{"kind":"loss","share":0.1}', '{"share":1}', '[]', '{', 'nodes', 'weight', 'heaviest'],
  ...['window', 'score', 'idle-checks', 'tutti', 'go-reference', 'each', 'bulk', 'leave', 'wait', 'individuals'],
  ...['9223372036854775807', '9223372036854775808', '1048577x1', 'Handel', 'handle', 'weigth'],
];

it.each(scenarioRows.map((row) => [row.path, row] as const))(
  '%s is read, written and refused as it was',
  (path, row) => {
    const field = scenarioFields.find((one) => one.path === path)!;
    const { default: _, range: __, ...said } = row.field;
    const read = texts.map((text) => outcomeOf(() => row.get(field.read('it', text, defaultScenario))));
    const written = texts.map((text) => outcomeOf(() => field.write(field.read('it', text, defaultScenario))));
    const values = [
      undefined,
      null,
      true,
      false,
      -1,
      0,
      0.5,
      1,
      1.5,
      7,
      2 ** 20,
      2 ** 20 + 1,
      2 ** 32,
      1e9,
      '',
      'x',
      [],
      {},
    ];
    const checked = values.map((value) => outcomeOf(() => validateScenario(row.set(defaultScenario, value))));
    const pins = { said, form: formOf(row.field), repeatable: field.repeatable, group: row.group };
    expect({ ...pins, read: digestOf(read), written: digestOf(written), checked: digestOf(checked) }).toMatchSnapshot();
  },
);

it('scenarios are written, linked and read again as they were', () => {
  const pins = drawn(40, (draw, seed) => {
    const scenario = { ...drawAnyRun(draw, seed), faults: draw.list(draw.integer(0, 2), () => drawFault(draw, 8)) };
    const config = outcomeOf(() => configOf(scenario, 3));
    return digestOf([writeScenario(scenario), scenarioArguments(scenario), config, healedAtMs(scenario.faults)]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "6b4a23c209a8",
      "9791c4466128",
      "851143ed1ad9",
      "2bffdedad59a",
      "9f412bae6b9d",
      "1008ba6b2013",
      "8bb5f6b5ac43",
      "3b4dc18243ec",
      "3130793d6fec",
      "3354f4c4e57f",
      "a9f9c990c393",
      "286dd42a5a64",
      "27936d306825",
      "6f13f80df9bc",
      "136978ddd940",
      "63aa77dddab8",
      "18cad0c7258c",
      "0b022464d99e",
      "433d7157aa05",
      "b7361bcb854b",
      "54a7ef003271",
      "a65fed1abbad",
      "93ec7da0f413",
      "57e5e3077c97",
      "fe037051794d",
      "692b54733696",
      "385912a589e7",
      "f8a0d438eef5",
      "5e52345425bd",
      "6cd1de1e35c0",
      "8a1e170ea754",
      "7ed5176d1c66",
      "7b7a5845f76e",
      "a0b042e756f2",
      "5ad2fd255e26",
      "a9ecfc5daa19",
      "8a3e02804d8b",
      "1675eacd6c9a",
      "41449ef6dce7",
      "028f896d02f1",
    ]
  `);
});

it('what does not go together is refused with the words it was', () => {
  const wrong: Partial<Scenario>[] = [
    ...([{ branching: 4, protocol: 'gossip' }] as Partial<Scenario>[]),
    ...[{ nodes: 8, absent: 9 }, { nodes: 8, absent: 8 }, { threshold: 1.5 }, { nodes: 8, threshold: 9 }],
    ...([{ cpu: { ...defaultScenario.cpu, perMessageUs: 1 } }, { deadBy: 'machine' }] as Partial<Scenario>[]),
    ...([{ cpu: { ...defaultScenario.cpu, startsApartMs: 1 } }] as Partial<Scenario>[]),
    ...[
      { dead: 0.5, attacks: [{ name: 'silent', share: 0.5 }] },
      { dead: 0.49, attacks: [{ name: 'silent', share: 0.5 }] },
    ],
    ...([{ attacks: [{ name: 'first-places', share: 0.2 }], attackBy: 'weight' }] as Partial<Scenario>[]),
    ...([{ protocol: 'gossip', attacks: [{ name: 'censor', share: 0.2 }] }] as Partial<Scenario>[]),
    ...([
      { weights: 'pareto:1', protocol: 'gossip' },
      { weights: 'pareto:1', threshold: 5 },
    ] as Partial<Scenario>[]),
    ...[
      { weights: '3x1', nodes: 4 },
      { weights: '4x1', nodes: 4 },
      { weights: 'pareto:1', nodes: 8193 },
    ],
    ...([
      { weights: 'pareto:1', nodes: 8192 },
      { weights: 'pareto:1', nodes: 8193, prioritiesBy: 'id' },
    ] as Partial<Scenario>[]),
    ...([
      { weights: '4x1', nodes: 4, protocol: 'complete-graph', completeGraph: { verification: 'bulk' } },
    ] as Partial<Scenario>[]),
  ];
  expect(
    wrong.map((fields) => [fields, outcomeOf(() => validateScenario({ ...defaultScenario, ...fields }))]),
  ).toMatchSnapshot();
});

it('weights are drawn as they were', () => {
  const pins = ['equal', 'pareto:0.1', 'pareto:1.16', 'pareto:100', '3x5,9,2x1', '6'].map((weights, seed) => {
    const nodes = weights === '6' ? 1 : 6;
    const stakes = stakesOf({ ...defaultScenario, nodes, weights, seed });
    return stakes && digestOf(Array.from({ length: nodes }, (_, id) => stakes.weight(id)));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      undefined,
      "9e92e17dc382",
      "0920439ce11e",
      "4fa4335d3010",
      "d78430cbf017",
      "a609f98c78a4",
    ]
  `);
});

it('plans of faults are refused with the words they were', () => {
  const kinds = ['crash', 'restart', 'pause', 'partition', 'loss', 'duplication', 'reordering', 'corruption'];
  const others = ['slow-links', 'slow-nodes', 'skew', 'drift', 'flood', undefined];
  const values = [
    undefined,
    -1,
    0,
    0.001,
    0.1,
    0.5,
    1,
    10,
    10.5,
    1000,
    1001,
    60_000,
    60_001,
    600_000,
    600_001,
    'lost',
    'bits',
  ];
  const nodes = [
    [0],
    [7],
    [8],
    [0, 0],
    [],
    [-1],
    [0.5],
    { share: 0.5 },
    { share: 0 },
    { share: 1 },
    { share: 2 },
    {},
    3,
  ];
  const fields = ['atMs', 'forMs', 'share', 'byMs', 'withinMs', 'factor', 'rate', 'of', 'state', 'x'];
  const whole = { nodes: [1], atMs: 5, forMs: 5, share: 0.5, byMs: 5, state: 'kept', factor: 2, rate: 2 };
  const pins = [...kinds, ...others].map((kind) => {
    const outcomes = [
      ...fields.flatMap((field) => values.map((value) => ({ kind, ...whole, [field]: value }))),
      ...fields.flatMap((field) => fields.map((other) => ({ kind, nodes: [1], [field]: 1, [other]: 5 }))),
      ...nodes.flatMap((set) => [
        { kind, nodes: set, atMs: 5 },
        { kind, share: 0.5, from: set },
        { kind, share: 1, to: set },
      ]),
      ...nodes.flatMap((set) => [
        { kind, nodes: set, byMs: -5 },
        { kind, nodes: set, rate: 2 },
        { kind, nodes: set, factor: 2 },
      ]),
      ...nodes.map((set) => ({ kind, nodes: set, atMs: 5, forMs: 5 })),
    ].map((fault) => outcomeOf(() => validateFaults([fault], 8)));
    return `${kind} ${digestOf(outcomes)}`;
  });
  const crash = { kind: 'crash', nodes: [1], atMs: 5 };
  const plans = [undefined, {}, [], [5], [null], Array(1000).fill(crash), Array(1001).fill(crash)];
  expect([...pins, ...plans.map((plan) => outcomeOf(() => validateFaults(plan, 8)))]).toMatchInlineSnapshot(`
    [
      "crash 0c1e989f6c98",
      "restart 28cdb9a2a43f",
      "pause 70f42a4ba81a",
      "partition 70f42a4ba81a",
      "loss 6cd21e36916f",
      "duplication e000560fbbe9",
      "reordering 0a1f12069fd0",
      "corruption f138874b9c5b",
      "slow-links 2ecf23dd1b47",
      "slow-nodes 0d2f39b79267",
      "skew e38dad06c3ae",
      "drift 67aaee270d03",
      "flood 14c6f985654d",
      "undefined 411dd2f3e1bc",
      "RangeError: faults: expected a list of faults, got nothing",
      "RangeError: faults: expected a list of faults, got {}",
      undefined,
      "RangeError: faults[0]: expected an object with a kind, got 5",
      "RangeError: faults[0]: expected an object with a kind, got null",
      undefined,
      "RangeError: faults: expected a list of at most 1000, got 1001",
    ]
  `);
});

it('presets, and what is known of protocols, are what they were', () => {
  expect(Object.entries(scenarioPresets).map(([name, preset]) => `${name} ${digestOf(preset)}`)).toMatchInlineSnapshot(`
    [
      "nimiq e5aa4ad99513",
      "nimiq-paper 2b4772790568",
      "alpenglow a42905cc81fc",
    ]
  `);
  const pins = Object.entries(protocols).map(([name, { settingsText, expectedEvents, ...row }]) => {
    const told = drawn(20, (draw, seed) => {
      const scenario = { ...drawAnyRun(draw, seed), nodes: draw.one([5, 256, 2048, 2049]) };
      const events = [true, false].map((is) => expectedEvents(scenario, () => is));
      return [settingsText(scenario), events];
    });
    return `${name} ${digestOf([row, told])}`;
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "handel fd4e4a4be530",
      "complete-graph a77816dc22ab",
      "san-fermin 244b516d5c2a",
      "gossip 61a53913cfb5",
    ]
  `);
});

it('links are written, read and complained of as they were', () => {
  const pins = drawn(40, (draw, seed) => {
    const parameters = encodeScenario({ ...drawAnyRun(draw, seed), faults: [] });
    const spoilt = parameters.map(([name, text]) => [name, draw.chance(0.2) ? draw.one(texts) : text] as const);
    const more = [...spoilt, ['n', '7'], ['nothing'.repeat(9), 'x'], ['page', '1'], ['habit', 'one-round']] as const;
    return digestOf([parameters, decodeScenario(parameters), decodeScenario(more, ['page'])]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "7697cd586c50",
      "df2aaeceb8a4",
      "7b621583cd5a",
      "37b7e6be6a1d",
      "a8894700fc4f",
      "472d1c65573c",
      "c3f86f606745",
      "6e2e465f4084",
      "1343773279b3",
      "5978d4de7342",
      "fdfed9d3a169",
      "d73707ef95dc",
      "4b2e1b3292b8",
      "e777ca3776c3",
      "acde3266d61a",
      "63ca94e38564",
      "a68e2f68e5b9",
      "a0ad2fde0312",
      "69a89a689f36",
      "cdd6266b7b4a",
      "cc3acf95676e",
      "0fc8d10de634",
      "354833b4a0ef",
      "75ebbed7c860",
      "be14693fc69f",
      "c9477b993120",
      "fa4a8a889680",
      "552019becbad",
      "d9d73a4098b1",
      "70055b4a006a",
      "b2186ece98dd",
      "2e8eca39af0d",
      "38b4531929fe",
      "71717069c1b1",
      "3084d09bff31",
      "686207eda133",
      "39d60ee1a308",
      "b1fadcede93a",
      "540c82e2732a",
      "9e1fbdb7dec8",
    ]
  `);
});

it('a scenario with any field of another kind, at any depth, is refused with the words it was', () => {
  const faults = drawn(24, (draw) => drawFault(draw, 16));
  const wholes = [
    { ...defaultScenario, nodes: 16, faults },
    { ...defaultScenario, nodes: 16, attacks: [{ name: 'invalid', share: 0.2 }], without: ['window'] },
    {
      ...defaultScenario,
      nodes: 16,
      network: 'aws-blocks:4',
      deadBy: 'machine',
      dead: 0.1,
    },
  ];
  const pins = wholes.map((whole) => {
    return digestOf(ownOutcomes(spoiltOf(whole).map((one) => outcomeOf(() => validateScenario(one as never)))));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "e4f0923e4442",
      "5c4312452840",
      "0af3e03d3d1d",
    ]
  `);
});
