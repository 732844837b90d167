import { expect, it } from 'vitest';
import { type Draw, drawn } from '../../../../tests/drawn.ts';
import { rankedById } from '../../test/priorities.ts';
import { RecordingPort } from '../../test/recordingPort.ts';
import { contributionOf, forgeryOf, idsOfBlock, signersOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { ReferenceCounter } from '../contribution/scheme.ts';
import { Tree } from '../overlay/tree.ts';
import { IndependentPriorities, ShiftedPriorities } from '../overlay/verificationPriority.ts';
import { type Contribution, noContribution, type Port, type ProtocolNode } from '../protocol.ts';
import { minWeight, Quorum, Stakes } from '../stakes/stakes.ts';
import { defaultHandelConfig, type HandelConfig, paperWindow, relativeWindow } from './config.ts';
import { type ReadableHandelOptions, readableHandel } from './handel.ts';
import { HandelNode } from './packed/node.ts';

const kinds: readonly ((options: ReadableHandelOptions) => ProtocolNode)[] = [
  readableHandel,
  (options) => new HandelNode(options),
];

function expectAlike(what: string, [readable, packed]: readonly (readonly string[])[]): void {
  const at = readable!.findIndex((line, index) => line !== packed![index]);
  if (at === -1 && readable!.length === packed!.length) return;
  const place = at === -1 ? readable!.length : at;
  const both = readable!.slice(Math.max(0, place - 3), place).map((line) => `    both: ${line}`);
  const apart = [`readable: ${readable![place]}`, `  packed: ${packed![place]}`];
  expect.fail(`${what}\nthe nodes differ from event ${place} on:\n${[...both, ...apart].join('\n')}`);
}

interface Due {
  readonly atUs: number;
  readonly to: number;
  readonly happen: (node: ProtocolNode) => void;
}

/** Simulates nodes on a network that loses, repeats and replaces messages. @returns all calls to ports, in order. */
function runDrawnWorld(draw: Draw, scheme: CountingScheme, nodeOf: (id: number, port: Port) => ProtocolNode): string[] {
  const loss = draw.one([0, 0.1, 0.3]);
  const replacements = draw.one([0, 0.1, 0.4]);
  const forgeries = draw.one([0, 0.05, 0.3]);
  const checkUs = draw.one([2000, 9000, 60_000]);
  const copies = draw.one([0.1, 0.5]);
  const { nodes } = scheme.tree;
  const calls: unknown[] = [];
  const due: Due[] = [];
  let nowUs = 0;
  let tickets = 0;
  const later = (inUs: number, to: number, happen: Due['happen']) => due.push({ atUs: nowUs + inUs, to, happen });
  const textOf = (contribution: Contribution) =>
    contribution === noContribution ? '-' : `${scheme.block(contribution)}:${signersOf(scheme, contribution)}`;
  const portOf = (id: number): Port => ({
    nowUs: () => nowUs,
    send(to, level, aggregate, individual, flags) {
      calls.push([nowUs, 'send', id, to, level, textOf(aggregate), textOf(individual), flags]);
      for (let copy = draw.chance(loss) ? 0 : draw.chance(copies) ? 2 : 1; copy > 0; copy--) {
        scheme.retain(aggregate);
        scheme.retain(individual);
        const isReplaced = draw.chance(replacements);
        const forged = draw.chance(forgeries);
        later(draw.integer(1000, 40_000), to, (node) => {
          if (isReplaced) node.onMessage(...drawMessage(draw, scheme, to));
          else {
            const heard = forged ? forgedLike(draw, scheme, aggregate) : aggregate;
            node.onMessage(id, level, heard, individual, flags);
            if (forged) scheme.release(heard);
          }
          scheme.release(aggregate);
          scheme.release(individual);
        });
      }
    },
    setTimer(delayUs, timer) {
      calls.push([nowUs, 'timer', id, delayUs, timer]);
      later(delayUs, id, (node) => node.onTimer(timer));
    },
    verify(contribution, level, peer) {
      const ticket = ++tickets;
      calls.push([nowUs, 'verify', id, textOf(contribution), level, peer]);
      later(draw.integer(500, checkUs), id, (node) => node.onVerified(ticket, scheme.verify(contribution)));
      return ticket;
    },
    output: (contribution) => calls.push([nowUs, 'output', id, textOf(contribution)]),
    refuse: (level, peer, code) => calls.push([nowUs, 'refuse', id, level, peer, code]),
    trace: (kind, level, peer, what) => calls.push([nowUs, 'trace', id, kind, level, peer, textOf(what)]),
  });
  const all = Array.from({ length: nodes }, (_, id) => nodeOf(id, portOf(id)));
  for (let id = 0; id < nodes; id++) later(draw.integer(0, 30_000), id, (node) => node.start());
  for (let left = 400; left > 0 && due.length > 0; left--) {
    const next = due.reduce((first, one) => (one.atUs < first.atUs ? one : first));
    due.splice(due.indexOf(next), 1);
    nowUs = next.atUs;
    next.happen(all[next.to]!);
  }
  return calls.map((line) => JSON.stringify(line));
}

function forgedLike(draw: Draw, scheme: CountingScheme, contribution: Contribution): Contribution {
  if (contribution === noContribution) return contribution;
  const block = scheme.block(contribution);
  const ids = idsOfBlock(scheme.tree, block);
  const some = draw.some(ids, 0.8);
  return forgeryOf(scheme, block, some.length === 0 ? ids : some);
}

/** Draws arbitrary input from a peer, mostly in a useful form. */
function drawMessage(draw: Draw, scheme: CountingScheme, to: number): Parameters<ProtocolNode['onMessage']> {
  const { tree } = scheme;
  const from = draw.integer(draw.chance(0.05) ? -1 : 0, draw.chance(0.05) ? tree.nodes : tree.nodes - 1);
  const level = draw.integer(draw.chance(0.1) ? 0 : 1, tree.levels + (draw.chance(0.1) ? 1 : 0));
  const known = level >= 1 && level <= tree.levels;
  const block = draw.chance(0.1) || !known ? draw.one([1, 2, 3, tree.leaf(0)]) : tree.peerBlock(to, level);
  const ids = draw.some(idsOfBlock(tree, block));
  const make = draw.chance(0.4) ? forgeryOf : contributionOf;
  const aggregate = ids.length === 0 ? noContribution : make(scheme, block, ids);
  const author = draw.chance(0.9) ? Math.max(0, Math.min(from, tree.nodes - 1)) : draw.integer(0, tree.nodes - 1);
  const individual = draw.chance(0.7) ? scheme.individual(author) : noContribution;
  return [from, level, aggregate, individual, draw.one([0, 0, 0, 1, 1, 2, 3, 4])];
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

/** Simulates one drawn network. @returns the calls to ports, and the number of contributions held at the end. */
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
  const lines = runDrawnWorld(draw, scheme, (id, port) =>
    make({ id, config, scheme, priorities, quorum, own: scheme.individual(id), port }),
  );
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
])('a readable node refuses batches, switched-off mechanisms, and what all nodes refuse: %#', (change, message) => {
  expect(() => readableHandel({ ...options(), ...change })).toThrow(message);
});

it('a readable node starts once, and accepts a verdict only for its own request', () => {
  const node = readableHandel(options());
  expect(() => node.onVerified(1, true)).toThrow(
    'ticket: expected the ticket of the verification in progress (-1), got 1',
  );
  node.start();
  expect(() => node.start()).toThrow('start: expected one call, got a second call');
});

it.each(kinds)('a node refuses a call during another call: %#', (make) => {
  let node: ProtocolNode | undefined;
  const inner = Object.assign(new RecordingPort(scheme), { send: () => node!.onTimer(0) });
  node = make({ ...options(), port: inner });
  expect(() => node!.start()).toThrow(/^onTimer.*: expected a call after .* has returned, got a call inside /);
});

it('a counter of references has one reference to each stored contribution, also if Aggr returns an earlier one again', () => {
  const references = new Map<number, number>();
  const count = (by: number) => (one: number) => void references.set(one, (references.get(one) ?? 0) + by);
  const aggregate = (_block: number, one: number) => {
    count(1)(one);
    return one;
  };
  const counting = { aggregate, retain: count(1), release: count(-1) } as unknown as CountingScheme;
  const stored = new Set([7]);
  const counter = new ReferenceCounter(counting, () => stored);
  const act: Record<number, () => void> = {
    1: () => stored.add(8),
    2: () => counter.aggregate(1, 9, 0),
    3: () =>
      stored
        .add(counter.aggregate(1, 8, 0))
        .add(counter.aggregate(1, 5, 0))
        .delete(7),
  };
  const node = counter.counted({ start() {}, onMessage() {}, onTimer: (timer) => act[timer]!(), onVerified() {} });
  const after = [0, 1, 2, 3].map((timer) => {
    if (timer > 0) node.onTimer(timer);
    return Object.fromEntries([...references].filter(([, held]) => held !== 0));
  });
  expect(after).toEqual([{ 7: 1 }, { 7: 1, 8: 1 }, { 7: 1, 8: 1 }, { 5: 1, 8: 1 }]);
});
