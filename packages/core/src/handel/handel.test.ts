import { describe, expect, it } from 'vitest';
import { type Draw, drawn } from '../../../../tests/digests.ts';
import { runDrawnWorld } from '../../test/drawnWorld.ts';
import { rankedById } from '../../test/priorities.ts';
import { RecordingPort } from '../../test/recordingPort.ts';
import { contributionOf } from '../../test/sets.ts';
import { upTo } from '../../test/sizes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { IndependentPriorities, ShiftedPriorities } from '../overlay/verificationPriority.ts';
import { noContribution, type Port, type ProtocolNode } from '../protocol.ts';
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
  const needs = { stakes, least: minWeight(stakes.total, BigInt(draw.one([20, 51, 90])), 100n) };
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

describe('a readable node of Handel and a packed one', () => {
  it('make the same calls in 150 small adversarial networks: messages, checks and refusals', () => {
    const runs = kinds.map((make) => drawn(150, (draw) => run(draw, make)));
    for (const [index, readable] of runs[0]!.entries()) expectAlike(`world ${index + 1}`, [readable, runs[1]![index]!]);
  });

  it('v1.0 3.6: give a sender the same rank after more than 127 of its contributions were verified', () => {
    const lines = kinds.map((make) => {
      const scheme = new CountingScheme(new Tree(1024));
      const port = new RecordingPort(scheme);
      const window = { unit: 'ranks', initial: 1, max: 1, expansion: 2, contraction: 4 } as const;
      const config = { ...defaultHandelConfig, threshold: 1024, window };
      const node = make({ id: 0, config, scheme, priorities: rankedById(1024), own: scheme.individual(0), port });
      node.start();
      const block = scheme.tree.peerBlock(0, 10);
      const send = (from: number, size: number) => {
        const aggregate = contributionOf(
          scheme,
          block,
          upTo(size).map((index) => 512 + index),
        );
        node.onMessage(from, 10, aggregate, noContribution, 0);
        scheme.release(aggregate);
      };
      const verified: number[] = [];
      for (let turn = 0; turn < 150; turn++) {
        send(512, 3 * turn + 3);
        send(1023, 3 * turn + 5);
        // Sender 800 starts later and has fewer verified contributions than senders 512 and 1023, so its contribution
        // is verified first.
        if (turn > 27) send(800, 3 * turn + 4);
        for (let check = port.checks.shift(); check !== undefined; check = port.checks.shift()) {
          verified.push(check.peer);
          node.onVerified(check.ticket, true);
        }
      }
      return [...verified.map((sender) => `${sender} is verified`), `${scheme.held} contributions held`];
    });
    expectAlike('three senders', lines);
    for (const sender of [512, 1023])
      expect(lines[0]!.filter((line) => line === `${sender} is verified`).length).toBeGreaterThan(127);
    expect(lines[0]!.slice(-4, -1)).toEqual(['512 is verified', '800 is verified', '1023 is verified']);
  });
});

describe('a readable node', () => {
  const scheme = new CountingScheme(new Tree(4));
  const config = { ...defaultHandelConfig, threshold: 4 };
  const options = (change: Partial<HandelConfig> = {}, port: Port = new RecordingPort(scheme)) => ({
    ...{ id: 0, config: { ...config, ...change }, scheme, priorities: rankedById(4), own: scheme.individual(0), port },
  });

  it('has no batches, and no mechanism that is switched off', () => {
    expect(() => readableHandel(options({ batch: 2 }))).toThrow('config.batch: expected 1 for a readable node, got 2');
    expect(() => readableHandel(options({ without: ['window'] }))).toThrow(
      'config.without: expected an empty list, got "window"',
    );
  });

  it('refuses the same arguments as every node', () => {
    expect(() => readableHandel({ ...options(), id: 4 })).toThrow('id: expected an integer from 0 to 3, got 4');
    expect(() => readableHandel(options({ threshold: 5 }))).toThrow(
      'threshold: expected an integer from 1 to 4, got 5',
    );
    expect(() => readableHandel({ ...options(), priorities: new ShiftedPriorities(8, 1) })).toThrow(
      /^priorities: expected ranks for/,
    );
  });

  it('starts once, and accepts a verdict only for its own request', () => {
    const node = readableHandel(options());
    expect(() => node.onVerified(1, true)).toThrow(
      'ticket: expected the ticket of the verification in progress (-1), got 1',
    );
    node.start();
    expect(() => node.start()).toThrow('start: expected one call, got a second call');
  });
});
