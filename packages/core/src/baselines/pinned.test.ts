import { expect, it } from 'vitest';
import { digestOf, drawn, optionRefusalsOf, outcomeOf } from '../../../../tests/digests.ts';
import { runDrawnWorld } from '../../test/drawnWorld.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import type { Port, ProtocolNode } from '../protocol.ts';
import { leastWeight, Quorum, Stakes } from '../stakes/stakes.ts';
import { CompleteGraphNode } from './completeGraph.ts';
import { GossipOfAggregatesNode } from './gossipOfAggregates.ts';
import { GossipOfIndividualsNode } from './gossipOfIndividuals.ts';
import { createMesh, placeOf } from './mesh.ts';
import { SanFerminNode } from './sanFermin.ts';

interface Setting {
  readonly id: number;
  readonly scheme: CountingScheme;
  readonly threshold: number;
  readonly mesh: ReturnType<typeof createMesh>;
  readonly own: number;
  readonly port: Port;
  readonly quorum?: Quorum;
}

const baselines: Readonly<Record<string, (setting: Setting) => ProtocolNode>> = {
  'complete graph, each': (setting) => new CompleteGraphNode(setting),
  'complete graph, in bulk': (setting) => new CompleteGraphNode({ ...setting, verification: 'bulk' }),
  'San Fermín': (setting) => new SanFerminNode({ ...setting, candidates: 1, replyTimeoutMs: 30 }),
  'San Fermín that waits': (setting) =>
    new SanFerminNode({ ...setting, candidates: 3, replyTimeoutMs: 12.5, exhausted: 'wait' }),
  'gossip of individuals': (setting) => new GossipOfIndividualsNode(setting),
  'gossip of aggregates': (setting) => new GossipOfAggregatesNode({ ...setting, periodMs: 20 }),
};

it.each(Object.keys(baselines))('nodes of %s in small hostile worlds do what they did', (name) => {
  const pins = drawn(16, (draw, seed) =>
    outcomeOf(() => {
      const nodes = draw.integer(1, 14);
      const scheme = new CountingScheme(new Tree(nodes, draw.one(['spread', 'packed'])));
      const threshold = draw.one([nodes, Math.ceil(nodes / 2)]);
      const mesh = createMesh(nodes, draw.integer(1, 5), seed);
      const shares = { loss: draw.one([0, 0.2]), lies: draw.one([0, 0.1, 0.4]) };
      const make = baselines[name]!;
      const node = (id: number, port: Port) => make({ id, scheme, threshold, mesh, own: scheme.individual(id), port });
      return runDrawnWorld(draw, { scheme, node, most: 500, ...shares });
    }),
  );
  expect(pins).toMatchSnapshot();
});

it.each(Object.keys(baselines))('nodes of %s whose members weigh unlike, and are forged, do what they did', (name) => {
  const pins = drawn(10, (draw, seed) =>
    outcomeOf(() => {
      const nodes = draw.integer(3, 12);
      const tree = new Tree(nodes, draw.one(['spread', 'packed']));
      const stakes = new Stakes(
        tree,
        draw.list(nodes, () => BigInt(draw.integer(1, 40))),
      );
      const scheme = new CountingScheme(tree, stakes);
      const threshold = draw.integer(1, nodes);
      const mesh = createMesh(nodes, draw.integer(2, 4), seed);
      const quorum = new Quorum([{ stakes, least: leastWeight(stakes.total, BigInt(draw.integer(30, 80)), 100n) }]);
      const given = name === 'complete graph, each' ? { quorum } : {};
      const make = baselines[name]!;
      const node = (id: number, port: Port) =>
        make({ id, scheme, threshold, mesh, own: scheme.individual(id), port, ...given });
      const forgeries = draw.one([0.1, 0.4]);
      return runDrawnWorld(draw, { scheme, node, most: 400, lies: 0.05, forgeries, sendsEach: seed % 2 === 0 });
    }),
  );
  expect(pins).toMatchSnapshot();
});

it('meshes are what they were', () => {
  const pins = drawn(60, (draw, seed) => {
    const mesh = createMesh(draw.integer(1, 30), draw.integer(1, 12), seed);
    return [mesh, mesh.map((neighbours) => placeOf(neighbours, 3))];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"3de6f7115e98"`);
});

it.each(Object.keys(baselines))('what is no node of %s is refused with the words it was', (name) => {
  const scheme = new CountingScheme(new Tree(4));
  const port = { nowUs: 0, send: 0, setTimer: 0, verify: 0, output: 0, refuse: 0, trace: 0 };
  const right = { id: 0, scheme, threshold: 2, mesh: createMesh(4, 2, 1), own: scheme.individual(0) };
  const wrong = [
    ...[{ id: -1 }, { id: 4 }, { id: 3 }, { threshold: 0 }, { threshold: 4 }, { threshold: 5 }, { mesh: undefined }],
    ...[{ scheme: undefined }, { own: undefined }, { port: {} }, { mesh: [] }],
  ];
  const whole = Object.fromEntries(Object.keys(port).map((method) => [method, () => 0]));
  const make = baselines[name]!;
  expect(
    wrong.map((fields) => outcomeOf(() => make({ ...right, port: whole, ...fields } as never) && 'taken')),
  ).toMatchSnapshot();
  const words = optionRefusalsOf('node', (given: never) => make(given), { ...right, port: whole });
  expect([words.length, digestOf(words)]).toMatchSnapshot();
  const node = make({ ...right, port: whole } as never);
  node.start();
  expect(() => node.start()).toThrow('start: expected to be called once, got "again"');
  const quorum = new Quorum([{ stakes: new Stakes(scheme.tree, [1n, 2n, 3n, 4n]), least: 5n }]);
  expect(outcomeOf(() => make({ ...right, port: whole, quorum } as never) && 'taken')).toBe(
    name === 'complete graph, in bulk' ? 'RangeError: verification with a quorum: expected each, got "bulk"' : 'taken',
  );
});
