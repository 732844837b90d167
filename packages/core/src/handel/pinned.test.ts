import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, optionRefusalsOf, outcomeOf } from '../../../../tests/digests.ts';
import { runDrawnWorld } from '../../test/drawnWorld.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { IndependentPriorities } from '../overlay/independentPriorities.ts';
import { ShiftedPriorities } from '../overlay/shiftedPriorities.ts';
import { Tree } from '../overlay/tree.ts';
import type { ProtocolNode } from '../protocol.ts';
import { leastWeight, Quorum, Stakes } from '../stakes/stakes.ts';
import {
  defaultHandelConfig,
  type HandelConfig,
  type Mechanism,
  mechanisms,
  paperWindow,
  relativeWindow,
  validateHandelConfig,
} from './config.ts';
import { HandelMemory } from './memory.ts';
import { explain, HandelNode, stateOf, watchChoices } from './node.ts';
import { nextWindowSize, windowRanks } from './window.ts';

function drawConfig(draw: Draw, nodes: number): HandelConfig {
  return {
    ...defaultHandelConfig,
    threshold: draw.one([nodes, Math.ceil(nodes / 2), nodes - 1]),
    disseminationPeriodMs: draw.one([20, 7.5]),
    levelStartMs: draw.one([50, 0, 13]),
    fastPathPeers: draw.integer(0, 4),
    backOff: draw.chance(0.6),
    window: draw.one([
      relativeWindow,
      paperWindow,
      { unit: 'ranks', initial: 2, max: 8, expansion: 2, contraction: 4 },
      { unit: 'share', initial: 0.1, atLeast: 1, max: 0.5, expansion: 1.5, contraction: 3 },
    ] as const),
    batch: draw.one([1, 1, 2, 8]),
    without: draw.chance(0.3) ? draw.some(mechanisms, 0.2) : [],
  };
}

/** What is in a node, as its desk and the checkers see it. */
function within(node: ProtocolNode): unknown {
  const { levels } = stateOf(node as HandelNode);
  const each = Array.from({ length: levels.count }, (_, place) => place + 1);
  return [explain(node as HandelNode), each.map((level) => [levels.inWeight(level), levels.window(level)])];
}

interface Drawn {
  /** Events, at most. */
  readonly most: number;
  readonly tells?: boolean;
  /** The mechanism without which larger worlds are played, whose checks take so long that messages wait for them. */
  readonly lacks?: Mechanism;
}

function play(draw: Draw, { most, tells = false, lacks }: Drawn): unknown {
  return outcomeOf(() => {
    const nodes = lacks === undefined ? draw.integer(2, 21) : draw.integer(16, 24);
    const form = draw.one(['spread', 'packed'] as const);
    const tree = new Tree(nodes, form, draw.one([2, 2, 4, 8]));
    const scheme = new CountingScheme(tree);
    const config = { ...drawConfig(draw, nodes), ...(lacks !== undefined && { without: [lacks] }) };
    const Priorities = draw.one([ShiftedPriorities, IndependentPriorities]);
    const priorities = new Priorities(nodes, draw.integer(0, 99), form);
    const memory = draw.chance(0.5) ? new HandelMemory({ config, scheme, priorities }) : undefined;
    const told: unknown[] = [];
    const events = runDrawnWorld(draw, {
      ...{ scheme, most, loss: draw.one([0, 0.1, 0.3]), lies: draw.one([0, 0.1, 0.4]) },
      ...(lacks !== undefined && { checkUs: 60_000, copies: 0.5 }),
      ...(tells && { tell: within }),
      node(id, port) {
        const own = scheme.individual(id);
        const node = new HandelNode({ id, config, scheme, priorities, own, port, ...(memory && { memory }) });
        if (tells) watchChoices(node, (choice) => told.push(choice));
        return node;
      },
    });
    return `${events} ${digestOf(told)}`;
  });
}

it('nodes in small hostile worlds do what they did, to the last message, check and refusal', () => {
  expect(drawn(30, (draw) => play(draw, { most: 500 }))).toMatchSnapshot();
});

it('and are within what they were, and explain their choices as they did', () => {
  expect(drawn(16, (draw) => play(draw, { most: 200, tells: true }))).toMatchSnapshot();
});

it.each(mechanisms)('without %s, they do what they did, where messages wait long for checks', (lacks) => {
  expect(drawn(3, (draw) => play(draw, { most: 2500, lacks }))).toMatchSnapshot();
});

it('and do what they did where members weigh unlike, with and without a quorum, and are within what they were', () => {
  const pins = drawn(24, (draw) =>
    outcomeOf(() => {
      const nodes = draw.integer(2, 18);
      const form = draw.one(['spread', 'packed'] as const);
      const tree = new Tree(nodes, form, draw.one([2, 4]));
      const weights = () => draw.list(nodes, () => BigInt(draw.one([1, 1, 3, 40])));
      const [stakes, others] = [new Stakes(tree, weights()), new Stakes(tree, weights())];
      const scheme = new CountingScheme(tree, draw.chance(0.8) ? stakes : undefined);
      const percent = () => BigInt(draw.one([20, 51, 67, 90]));
      const needs = (of: Stakes) => ({ stakes: of, least: leastWeight(of.total, percent(), 100n) });
      const quorum = draw.chance(0.7) ? new Quorum(draw.some([needs(others)]).concat(needs(stakes))) : undefined;
      const config = { ...drawConfig(draw, nodes), threshold: draw.integer(1, nodes) };
      const priorities = new ShiftedPriorities(nodes, draw.integer(0, 99), form);
      const given = { config, scheme, priorities, ...(quorum && { quorum }) };
      const memory = new HandelMemory(given);
      return runDrawnWorld(draw, {
        ...{ scheme, most: 400, loss: 0.1, lies: draw.one([0, 0.1]), forgeries: draw.one([0.05, 0.3]) },
        tell(node) {
          const { keptInts, mostInts, bestOutput } = handelOf(node);
          return [keptInts, mostInts, bestOutput, stateOf(node as HandelNode).levels.asking];
        },
        node: (id, port) => new HandelNode({ id, ...given, own: scheme.individual(id), port, memory }),
      });
    }),
  );
  expect(pins).toMatchSnapshot();
});

function handelOf(node: ProtocolNode) {
  const handel = node as HandelNode;
  return { keptInts: handel.keptInts(), mostInts: handel.mostInts(), bestOutput: handel.bestOutput };
}

it('what no node can be made of is refused with the words it was', () => {
  const tree = new Tree(4);
  const scheme = new CountingScheme(tree);
  const config = { ...defaultHandelConfig, threshold: 3 };
  const priorities = new ShiftedPriorities(4, 1);
  const methods = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];
  const port = Object.fromEntries(methods.map((name) => [name, () => 0]));
  const right = { id: 0, config, scheme, priorities, own: scheme.individual(0), port };
  const quorumOf = (nodes: number) =>
    new Quorum([
      {
        stakes: new Stakes(
          new Tree(nodes),
          Array.from({ length: nodes }, (_, at) => BigInt(at + 1)),
        ),
        least: 3n,
      },
    ]);
  const memory = new HandelMemory({ config, scheme, priorities });
  const wrong: object[] = [
    ...[{}, { quorum: quorumOf(4) }, { quorum: quorumOf(5) }, { quorum: quorumOf(4), memory }, { memory }],
    ...[
      { memory, config: { ...config } },
      { memory, scheme: new CountingScheme(tree) },
    ],
    ...[1, 2].map((batch) => ({ config: { ...config, batch } })),
    ...[{ config: { ...config, batch: 2 }, port: { ...port, verifyBatch: () => 0 } }, { priorities: {} }],
    ...[{ memory, priorities: new ShiftedPriorities(4, 1) }, { priorities: new ShiftedPriorities(5, 1) }],
    ...[{ priorities: new ShiftedPriorities(4, 1, 'packed') }, { priorities: { rank() {}, contact() {}, span: 3 } }],
    ...[{ priorities: { rank() {}, contact() {}, span: 4 } }, { scheme: {} }, { own: undefined }, { id: 4 }],
  ];
  expect(
    wrong.map((fields) => outcomeOf(() => new HandelNode({ ...right, ...fields } as never) && 'taken')),
  ).toMatchInlineSnapshot(`
    [
      "taken",
      "taken",
      "RangeError: quorum: expected stakes of the tree's 4 nodes, got "those of others"",
      "TypeError: memory: expected one made of the same config, scheme, priorities and quorum, got "another"",
      "taken",
      "TypeError: memory: expected one made of the same config, scheme, priorities and quorum, got "another"",
      "TypeError: memory: expected one made of the same config, scheme, priorities and quorum, got "another"",
      "taken",
      "TypeError: port.verifyBatch: expected a runtime that verifies batches, for config.batch over 1, got undefined",
      "taken",
      "TypeError: priorities.rank: expected a function, got undefined",
      "TypeError: memory: expected one made of the same config, scheme, priorities and quorum, got "another"",
      "RangeError: priorities: expected ranks for the spread tree of 4 nodes, got those for the spread tree of 5",
      "RangeError: priorities: expected ranks for the spread tree of 4 nodes, got those for the packed tree of 4",
      "RangeError: priorities.span: expected at least the 4 nodes of the tree, got 3",
      "taken",
      "TypeError: scheme.weight: expected a function, got undefined",
      "TypeError: own: expected a contribution, got undefined",
      "RangeError: id: expected an integer from 0 to 3, got 4",
    ]
  `);
  const words = [
    ...optionRefusalsOf('HandelNode', (given: never) => new HandelNode(given), right),
    ...optionRefusalsOf('HandelMemory', (given: never) => new HandelMemory(given), { config, scheme, priorities }),
  ];
  expect([words.length, digestOf(words)]).toMatchInlineSnapshot(`
    [
      99,
      "0230ce7f592d",
    ]
  `);
  expect(outcomeOf(() => new CountingScheme(tree, quorumOf(5).requirements[0]!.stakes))).toMatchInlineSnapshot(
    `"RangeError: stakes: expected those of 4 nodes, got 5"`,
  );
});

it('windows grow, shrink and are measured as they were', () => {
  const pins = drawn(100, (draw) => {
    const config = draw.one([
      relativeWindow,
      paperWindow,
      { ...paperWindow, initial: 3, max: 9, expansion: 1.5 },
    ] as const);
    const [nodes, span] = [draw.integer(1, 3000), draw.integer(1, 4000)];
    const ranks = windowRanks(config, nodes, span);
    let size = ranks.initial;
    return [ranks, draw.list(12, () => (size = nextWindowSize(size, draw.chance(0.6), ranks)))];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"6710d2e4d7de"`);
});

it('every parameter is refused with the words it was', () => {
  const values = [
    undefined,
    null,
    -1,
    0,
    0.0004,
    0.001,
    0.5,
    1,
    1.5,
    2,
    8,
    9,
    32,
    33,
    128,
    129,
    1e6,
    2 ** 31,
    'x',
    [],
    ['window'],
    ['x'],
    true,
  ];
  const of = (config: object) => outcomeOf(() => validateHandelConfig(config as HandelConfig, 8));
  const base = { ...defaultHandelConfig, threshold: 8 };
  const fields = [...Object.keys(base), 'batch', 'without', 'typo'];
  const pins = fields.map((field) => `${field} ${digestOf(values.map((value) => of({ ...base, [field]: value })))}`);
  const windows = [paperWindow, relativeWindow].flatMap((window) =>
    [...Object.keys(window), 'typo'].map((field) => {
      const outcomes = values.map((value) => of({ ...base, window: { ...window, [field]: value } }));
      return `${window.unit} ${field} ${digestOf(outcomes)}`;
    }),
  );
  expect([...pins, ...windows]).toMatchSnapshot();
});
