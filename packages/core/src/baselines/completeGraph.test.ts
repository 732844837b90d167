import { describe, expect, it } from 'vitest';
import { BaselineBench, type BenchSetting } from '../../test/baselineBench.ts';
import { upTo } from '../../test/sizes.ts';
import { MessageFlag, noContribution, TraceKind } from '../protocol.ts';
import { CompleteGraphNode, type CompleteGraphOptions } from './completeGraph.ts';

type GraphSetting = BenchSetting<CompleteGraphOptions>;

function benchOf({ nodes = 16, id = 0, threshold = nodes, verification = 'each' }: GraphSetting = {}) {
  return new BaselineBench(
    nodes,
    (scheme, port) => new CompleteGraphNode({ id, scheme, threshold, verification, own: scheme.individual(id), port }),
  );
}

function started(options: GraphSetting = {}) {
  const bench = benchOf(options);
  bench.node.start();
  bench.takeReceivers();
  return bench;
}

describe('v1.03 7.2: a node of the complete graph that sends', () => {
  it('sends its individual contribution to all nodes, starting after its own id', () => {
    const bench = benchOf({ id: 14 });
    expect(bench.port.sent).toEqual([]);
    bench.node.start();
    expect(bench.port.sent).toEqual(
      [15, ...upTo(14)].map((to) => ({
        to,
        level: 0,
        aggregate: bench.scheme.individual(14),
        individual: noContribution,
        signers: [14],
        flags: 0,
      })),
    );
  });

  it('spreads the sends of a large round: 128 in every 20 ms', () => {
    const bench = benchOf({ nodes: 300 });
    bench.node.start();
    const times = bench.port.takeSent().map(({ to }) => [0, to]);
    while (bench.port.timeUs < 40_000) {
      bench.tick();
      times.push(...bench.port.takeSent().map(({ to }) => [bench.port.timeUs, to]));
    }
    expect(times).toEqual(upTo(299).map((index) => [Math.floor(index / 128) * 20_000, index + 1]));
  });

  it('begins the next round 500 ms after the last one, for the nodes that have not answered', () => {
    const bench = started({ nodes: 300 });
    for (const _ of upTo(2)) bench.tick();
    bench.takeReceivers();
    bench.tick();
    expect(bench.port.timeUs).toBe(500_000);
    expect(bench.takeReceivers()).toEqual(upTo(128).map((index) => index + 1));
  });

  it('ends its rounds after it has reached the threshold, but not during a round', () => {
    const bench = started({ nodes: 300, threshold: 2 });
    bench.receiveIndividual(9, 9);
    bench.verifyAll();
    expect(bench.port.outputs.length).toBe(1);
    bench.tick();
    expect(bench.takeReceivers().length).toBe(128);
    bench.tick();
    expect(bench.takeReceivers().length).toBe(43);
    bench.tick();
    expect(bench.takeReceivers()).toEqual([]);
    expect(bench.port.timers).toEqual([]);
  });

  it('states whose contributions it has (v1.03 6)', () => {
    const bench = started({ nodes: 4 });
    bench.receiveIndividual(2, 2);
    bench.tick();
    expect(bench.port.takeSent().map(({ to, flags }) => [to, flags])).toEqual([
      [1, 0],
      [2, MessageFlag.levelReceived],
      [3, 0],
    ]);
  });

  it('after its rounds, answers the nodes that lack its contribution, and no others', () => {
    const bench = started({ nodes: 4, threshold: 2 });
    bench.receiveIndividual(2, 2);
    bench.receiveIndividual(3, 3);
    bench.verifyAll();
    bench.receiveIndividual(2, 2);
    expect(bench.takeReceivers(), 'its next round would tell').toEqual([]);
    bench.tick();
    expect(bench.takeReceivers()).toEqual([]);
    bench.receiveIndividual(1, 1);
    bench.receiveIndividual(3, 3, { flags: MessageFlag.levelReceived });
    bench.receiveIndividual(3, 3, { flags: MessageFlag.answer });
    expect(bench.takeReceivers()).toEqual([]);
    bench.receiveIndividual(2, 2);
    const flags = MessageFlag.answer | MessageFlag.levelReceived;
    expect(bench.port.takeSent()).toMatchObject([{ to: 2, flags, signers: [0] }]);
  });
});

describe('a node of the complete graph that receives', () => {
  it('v1.03 6: verifies one contribution at a time, each once, in order of arrival', () => {
    const bench = started();
    for (const from of [5, 3, 9, 3, 5]) bench.receiveIndividual(from, from);
    expect(bench.port.checks.length).toBe(1);
    expect(bench.verifyAll()).toEqual([[5], [3], [9]]);
  });

  it('v1.03 2.4: gives an output at the threshold and for each heavier aggregate', () => {
    const bench = started({ threshold: 3 });
    for (const from of [5, 3, 9]) bench.receiveIndividual(from, from);
    bench.verifyAll();
    expect(bench.port.outputs).toEqual([
      [0, 3, 5],
      [0, 3, 5, 9],
    ]);
  });

  it('verifies the contributions received before its start only after its start', () => {
    const bench = benchOf();
    bench.receiveIndividual(3, 3);
    expect(bench.port.checks).toEqual([]);
    bench.node.start();
    expect(bench.verifyAll()).toEqual([[3]]);
  });

  it('excludes an invalid contribution and refuses more from its sender', () => {
    const bench = started({ threshold: 2 });
    bench.receiveIndividual(3, 3, { forged: true });
    bench.receiveIndividual(4, 4);
    bench.verifyAll();
    expect(bench.port.outputs).toEqual([[0, 4]]);
    expect(bench.port.traces).toContainEqual({ kind: TraceKind.blacklisted, level: 0, peer: 3, what: noContribution });
    bench.receiveIndividual(3, 3);
    expect(bench.port.refusals.at(-1)).toMatchObject({ peer: 3, code: 'blacklisted' });
    expect(bench.port.checks).toEqual([]);
  });

  it('refuses messages that no honest peer sends, and stores nothing of them', () => {
    const bench = started();
    const { tree } = bench.scheme;
    const leaf = (id: number): number => tree.leaf(id);
    bench.expectRefused([
      [-1, 0, leaf(1), noContribution, 0, 'sender-out-of-range'],
      [16, 0, leaf(1), noContribution, 0, 'sender-out-of-range'],
      [0, 0, leaf(0), noContribution, 0, 'sender-not-in-peer-set'],
      [1, 1, leaf(1), noContribution, 0, 'level-out-of-range'],
      [1, 0, leaf(1), noContribution, 4, 'unknown-flags'],
      [1, 0, noContribution, noContribution, 0, 'empty-set'],
      [1, 0, leaf(2), noContribution, 0, 'wrong-span'],
      [1, 0, 1, noContribution, 0, 'wrong-span'],
      [1, 0, leaf(1), leaf(1), 0, 'not-individual'],
    ]);
  });

  it('stores one contribution per sender, whatever it receives', () => {
    const bench = started();
    const held = bench.scheme.held;
    for (const _ of upTo(50))
      for (let from = 1; from < 16; from++) bench.receiveIndividual(from, from, { forged: true });
    expect(bench.scheme.held - held).toBe(15);
    expect(bench.verifyAll().length).toBe(15);
    expect(bench.scheme.held).toBe(held);
  });
});

describe('a node of the complete graph that verifies in bulk', () => {
  const bulk = (options: GraphSetting = {}) => started({ verification: 'bulk', ...options });

  it('verifies nothing until the sum would exceed the threshold, then the sum only', () => {
    const bench = bulk({ threshold: 4 });
    for (const from of [5, 3]) bench.receiveIndividual(from, from);
    expect(bench.port.checks).toEqual([]);
    bench.receiveIndividual(9, 9);
    expect(bench.verifyAll()).toEqual([[3, 5, 9]]);
    expect(bench.port.outputs).toEqual([[0, 3, 5, 9]]);
  });

  it('v1.03 2.4: over the threshold, verifies the contributions received meanwhile, for a heavier output', () => {
    const bench = bulk({ threshold: 2 });
    for (const from of [5, 3, 9]) bench.receiveIndividual(from, from);
    expect(bench.verifyAll()).toEqual([[5], [3, 9]]);
    expect(bench.port.outputs).toEqual([
      [0, 5],
      [0, 3, 5, 9],
    ]);
  });

  it('halves an invalid bulk until the invalid contribution is found, and loses no other contribution', () => {
    const bench = bulk({ threshold: 6 });
    for (const from of [1, 2, 3, 4, 5]) bench.receiveIndividual(from, from, { forged: from === 4 });
    expect(bench.verifyAll()).toEqual([[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5], [4], [5]]);
    expect(bench.port.outputs).toEqual([]);
    expect(bench.port.traces.filter(({ kind }) => kind === TraceKind.blacklisted)).toEqual([
      { kind: TraceKind.blacklisted, level: 0, peer: 4, what: noContribution },
    ]);
    bench.receiveIndividual(6, 6);
    expect(bench.verifyAll()).toEqual([[6]]);
    expect(bench.port.outputs).toEqual([[0, 1, 2, 3, 5, 6]]);
  });

  it('stores nothing of finished contributions', () => {
    const bench = bulk({ threshold: 8 });
    const held = bench.scheme.held;
    for (let from = 1; from < 16; from++) bench.receiveIndividual(from, from, { forged: from % 2 === 1 });
    bench.verifyAll();
    expect(bench.port.outputs.at(-1)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    for (const output of bench.port.outputs) expect(output.every((id) => id % 2 === 0)).toBe(true);
    // At the end, the node holds the union instead of its own contribution.
    expect(bench.scheme.held - held).toBeLessThanOrEqual(1);
  });
});

it('a node of the complete graph refuses a wrong id, threshold, start or ticket', () => {
  expect(() => benchOf({ id: 16 })).toThrow('id: expected an integer from 0 to 15, got 16');
  expect(() => benchOf({ threshold: 17 })).toThrow('threshold: expected an integer from 1 to 16, got 17');
  const bench = started();
  expect(() => bench.node.start()).toThrow(RangeError);
  expect(() => bench.node.onVerified(1000, true)).toThrow(
    'ticket: expected the ticket of the verification in progress (-1), got 1000',
  );
});
