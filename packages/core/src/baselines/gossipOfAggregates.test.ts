import { describe, expect, it } from 'vitest';
import { BaselineBench } from '../../test/baselineBench.ts';
import { signersOf } from '../../test/sets.ts';
import { upTo } from '../../test/sizes.ts';
import { noContribution, TraceKind } from '../protocol.ts';
import { GossipOfAggregatesNode } from './gossipOfAggregates.ts';
import { wholeRegistry } from './union.ts';

/** In this mesh, node 0 of 16 has the neighbours 4, 9 and 11. */
const mesh = upTo(16).map((id) => Int32Array.from(id === 0 ? [4, 9, 11] : [0]));

class AggregatesBench extends BaselineBench<GossipOfAggregatesNode> {
  constructor(threshold = 2) {
    super(
      16,
      (scheme, port) =>
        new GossipOfAggregatesNode({ id: 0, scheme, threshold, mesh, periodMs: 20, own: scheme.individual(0), port }),
    );
  }

  /** Delivers a message in the form that an honest neighbour sends. */
  gossip(from: number, signers: readonly number[], { forged = false, individual = true } = {}): void {
    const own = individual ? this.scheme.individual(from) : noContribution;
    this.receive(from, 0, wholeRegistry, signers, { forged, individual: own });
  }

  get best(): readonly number[] | undefined {
    return this.port.outputs.at(-1);
  }
}

function started(threshold?: number): AggregatesBench {
  const bench = new AggregatesBench(threshold);
  bench.node.start();
  bench.takeReceivers();
  return bench;
}

describe('gossip of aggregates', () => {
  it('sends its best aggregate and its individual contribution to its neighbours in turn, one each period', () => {
    const bench = new AggregatesBench();
    bench.node.start();
    bench.gossip(9, [9, 10]);
    bench.verifyAll();
    for (const _ of upTo(3)) bench.tick();
    const { scheme } = bench;
    expect(bench.port.timeUs).toBe(60_000);
    expect(bench.port.sent.map(({ to, signers, individual }) => [to, signers, signersOf(scheme, individual)])).toEqual([
      [4, [0], [0]],
      [9, [0, 9, 10], [0]],
      [11, [0, 9, 10], [0]],
      [4, [0, 9, 10], [0]],
    ]);
  });

  it('v1.03 3.3: otherwise keeps the heavier one, united with the individual contributions that it lacks', () => {
    const bench = started();
    bench.gossip(9, [9, 10]);
    bench.verifyAll();
    bench.gossip(11, [5, 6, 7, 10, 11]);
    expect(bench.verifyAll(), "9's own is of use once it is missing").toEqual([[5, 6, 7, 10, 11], [9]]);
    expect(bench.port.outputs.slice(-2)).toEqual([
      [0, 5, 6, 7, 10, 11],
      [0, 5, 6, 7, 9, 10, 11],
    ]);
    bench.gossip(4, [1, 2, 3, 4, 5, 6, 7], { individual: false });
    bench.verifyAll();
    expect(bench.best, '10 is lost: it was only ever in an aggregate').toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 11]);
  });

  it('does not verify a contribution that does not increase its weight', () => {
    const bench = started();
    bench.gossip(9, [5, 6, 9]);
    bench.verifyAll();
    bench.gossip(9, [5, 9]);
    bench.gossip(4, [5, 6], { individual: false });
    expect(bench.port.checks).toEqual([]);
  });

  it('v1.03 6: verifies one contribution at a time, the one that makes it heaviest first', () => {
    const bench = started();
    bench.gossip(9, [9, 10]);
    bench.gossip(4, [4, 5]);
    bench.gossip(11, [11, 12, 13, 14]);
    expect(bench.port.checks.length).toBe(1);
    expect(bench.verifyAll()).toEqual([
      [9, 10],
      [11, 12, 13, 14],
      [4, 5],
    ]);
  });

  it('stalls if aggregates overlap and no node has the missing individual contributions', () => {
    const bench = started(12);
    for (const [from, first] of [
      [4, 1],
      [9, 7],
      [4, 1],
    ] as const) {
      bench.gossip(from, upTo(first + 9).slice(first));
      bench.verifyAll();
    }
    // The node has seen contributions of 15 nodes, but both aggregates contain nodes 7 to 9.
    expect(bench.best).toBeUndefined();
  });
});

describe('gossip of aggregates under attack', () => {
  it('drops an invalid aggregate and blacklists its sender', () => {
    const bench = started();
    bench.gossip(9, [9, 10], { forged: true });
    expect(bench.verifyAll(), 'the individual contribution of 9 is dropped, too').toEqual([[9, 10]]);
    bench.gossip(9, [9]);
    expect(bench.port.traces.at(-1)).toMatchObject({ kind: TraceKind.blacklisted, peer: 9, what: noContribution });
    expect(bench.port.refusals).toMatchObject([{ peer: 9, code: 'blacklisted' }]);
    expect([bench.best, bench.port.checks]).toEqual([undefined, []]);
  });

  it('stores one aggregate per neighbour and releases all of them', () => {
    const bench = started();
    const held = bench.scheme.held;
    for (let weight = 1; weight < 9; weight++) {
      for (const from of [4, 9, 11]) bench.gossip(from, upTo(weight + 5).slice(5), { forged: true, individual: false });
    }
    expect(bench.scheme.held - held).toBeLessThanOrEqual(4);
    bench.verifyAll();
    expect(bench.scheme.held).toBe(held);
  });

  it('refuses messages that no honest neighbour sends', () => {
    const bench = started();
    const leaf = (id: number): number => bench.scheme.tree.leaf(id);
    bench.expectRefused([
      [16, 0, wholeRegistry, noContribution, 0, 'sender-out-of-range'],
      [5, 0, wholeRegistry, noContribution, 0, 'sender-not-in-peer-set'],
      [4, 1, wholeRegistry, noContribution, 0, 'level-out-of-range'],
      [4, 0, wholeRegistry, noContribution, 1, 'unknown-flags'],
      [4, 0, noContribution, leaf(4), 0, 'empty-set'],
      [4, 0, leaf(4), noContribution, 0, 'wrong-span'],
      [4, 0, wholeRegistry, leaf(5), 0, 'not-individual'],
    ]);
  });
});
