import { expect, it } from 'vitest';
import { type Draw, drawn } from '../../../../tests/digests.ts';
import { runDrawnWorld } from '../../test/drawnWorld.ts';
import { rankedById } from '../../test/priorities.ts';
import { RecordingPort } from '../../test/recordingPort.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { IndependentPriorities, ShiftedPriorities } from '../overlay/verificationPriority.ts';
import type { ProtocolNode } from '../protocol.ts';
import { minWeight, Quorum, Stakes } from '../stakes/stakes.ts';
import { defaultHandelConfig, type HandelConfig, paperWindow, relativeWindow } from './config.ts';
import { type ReadableHandelOptions, readableHandel } from './handel.ts';
import { HandelNode } from './packed/node.ts';

const kinds: readonly ((options: ReadableHandelOptions) => ProtocolNode)[] = [
  readableHandel,
  (options) => new HandelNode(options),
];

/** Fails at the first difference between the recorded events of the readable node and of the packed node. */
function expectAlike(what: string, [readable, packed]: readonly (readonly string[])[]): void {
  const at = readable!.findIndex((line, index) => line !== packed![index]);
  if (at === -1 && readable!.length === packed!.length) return;
  const place = at === -1 ? readable!.length : at;
  const both = readable!.slice(Math.max(0, place - 3), place).map((line) => `    both: ${line}`);
  const apart = [`readable: ${readable![place]}`, `  packed: ${packed![place]}`];
  expect.fail(`${what}\nthe nodes differ from event ${place} on:\n${[...both, ...apart].join('\n')}`);
}

function drawConfig(draw: Draw, nodes: number): HandelConfig {
  return {
    ...defaultHandelConfig,
    threshold: draw.one([nodes, Math.ceil(nodes / 2), Math.max(1, nodes - 1)]),
    disseminationPeriodMs: draw.one([20, 7.5]),
    levelStartMs: draw.one([50, 0, 13]),
    fastPathPeers: draw.integer(0, 4),
    backOff: draw.chance(0.7),
    window: draw.one([
      relativeWindow,
      paperWindow,
      { unit: 'ranks', initial: 2, max: 8, expansion: 2, contraction: 4 },
      { unit: 'share', initial: 0.1, atLeast: 1, max: 0.5, expansion: 1.5, contraction: 3 },
    ] as const),
  };
}

/**
 * Simulates a small hostile network with nodes of one implementation. Returns the nodes' requests to their ports and
 * the number of contributions held at the end.
 */
function run(draw: Draw, make: (typeof kinds)[number]): string[] {
  const nodes = draw.integer(2, 24);
  const form = draw.one(['spread', 'packed'] as const);
  const tree = new Tree(nodes, form, draw.one([2, 2, 4, 8]));
  const weights = draw.list(nodes, () => BigInt(draw.one([1, 1, 3, 40])));
  const stakes = new Stakes(tree, weights);
  const scheme = new CountingScheme(tree, draw.chance(0.4) ? stakes : undefined);
  const needs = { stakes, min: minWeight(stakes.total, BigInt(draw.one([20, 51, 90])), 100n) };
  const quorum = draw.chance(0.4) ? new Quorum([needs]) : undefined;
  const config = drawConfig(draw, nodes);
  const priorities = new (draw.one([ShiftedPriorities, IndependentPriorities]))(nodes, draw.integer(0, 99), form);
  const lines = runDrawnWorld(draw, {
    ...{ scheme, maxEvents: 400, loss: draw.one([0, 0.1, 0.3]), replacements: draw.one([0, 0.1, 0.4]) },
    ...{ forgeries: draw.one([0, 0.05, 0.3]), checkUs: draw.one([2000, 9000, 60_000]), copies: draw.one([0.1, 0.5]) },
    node: (id, port) => make({ id, config, scheme, priorities, quorum, own: scheme.individual(id), port }),
  });
  return [...lines, `${scheme.held} contributions held`];
}

it('a readable node of Handel and a packed one make the same calls in 150 small adversarial networks: messages, checks and refusals', () => {
  const runs = kinds.map((make) => drawn(150, (draw) => run(draw, make)));
  for (const [index, readable] of runs[0]!.entries()) expectAlike(`world ${index + 1}`, [readable, runs[1]![index]!]);
});

const scheme = new CountingScheme(new Tree(4));
const config = { ...defaultHandelConfig, threshold: 4 };
const port = new RecordingPort(scheme);
const options = (change: Partial<HandelConfig> = {}) => ({
  ...{ id: 0, config: { ...config, ...change }, scheme, priorities: rankedById(4), own: scheme.individual(0), port },
});

it.each<[object, string]>([
  [options({ batch: 2 }), 'config.batch: expected 1 for a readable node, got 2'],
  [options({ without: ['window'] }), 'config.without: expected an empty list, got "window"'],
  [options({ threshold: 5 }), 'threshold: expected an integer from 1 to 4, got 5'],
  [{ id: 4 }, 'id: expected an integer from 0 to 3, got 4'],
  [{ priorities: new ShiftedPriorities(8, 1) }, 'priorities: expected ranks for'],
])(
  'a readable node refuses batches, mechanisms that are switched off, and what every node refuses: %#',
  (change, message) => {
    expect(() => readableHandel({ ...options(), ...change })).toThrow(message);
  },
);

it('a readable node starts once, and accepts a verdict only for its own request', () => {
  const node = readableHandel(options());
  expect(() => node.onVerified(1, true)).toThrow(
    'ticket: expected the ticket of the verification in progress (-1), got 1',
  );
  node.start();
  expect(() => node.start()).toThrow('start: expected one call, got a second call');
});
