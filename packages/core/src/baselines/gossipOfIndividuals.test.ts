import { describe, expect, it } from 'vitest';
import { BaselineBench } from '../../test/baselineBench.ts';
import { upTo } from '../../test/sizes.ts';
import { noContribution, TraceKind } from '../protocol.ts';
import { GossipOfIndividualsNode } from './gossipOfIndividuals.ts';

/** In this mesh, node 0 of 16 has the neighbours 4, 9 and 11. */
const mesh = upTo(16).map((id) => Int32Array.from(id === 0 ? [4, 9, 11] : [0]));

function started(threshold = 16): BaselineBench<GossipOfIndividualsNode> {
  const bench = new BaselineBench(
    16,
    (scheme, port) => new GossipOfIndividualsNode({ id: 0, scheme, threshold, mesh, own: scheme.individual(0), port }),
  );
  bench.node.start();
  return bench;
}

describe('gossip of individual contributions', () => {
  it('begins with its own contribution, to all neighbours', () => {
    expect(started().port.sent).toMatchObject([4, 9, 11].map((to) => ({ to, level: 0, signers: [0] })));
  });

  it('forwards each verified contribution to all neighbours except its sender', () => {
    const bench = started();
    bench.takeReceivers();
    bench.receiveIndividual(9, 13);
    expect(bench.port.sent).toEqual([]);
    bench.verifyAll();
    expect(bench.port.sent).toMatchObject([4, 11].map((to) => ({ to, signers: [13] })));
  });

  it('drops copies before verification, and verifies one contribution at a time', () => {
    const bench = started();
    for (const from of [4, 9, 11, 4]) for (const signer of [5, 6]) bench.receiveIndividual(from, signer);
    expect(bench.port.checks.length).toBe(1);
    expect(bench.verifyAll()).toEqual([[5], [6]]);
    bench.takeReceivers();
    bench.receiveIndividual(9, 5);
    bench.receiveIndividual(9, 0);
    expect([bench.port.checks, bench.port.sent]).toEqual([[], []]);
  });

  it('v1.03 2.4: gives an output at the threshold and for each heavier aggregate', () => {
    const bench = started(2);
    for (const signer of [5, 7]) bench.receiveIndividual(4, signer);
    bench.verifyAll();
    expect(bench.port.outputs).toEqual([
      [0, 5],
      [0, 5, 7],
    ]);
  });
});

describe('gossip of individual contributions under attack', () => {
  it("an invalid contribution in a victim's name does not block the victim's own contribution, in either order", () => {
    for (const isForgedFirst of [true, false]) {
      const bench = started();
      // This contribution keeps the verifier busy until both contributions of signer 13 have arrived.
      bench.receiveIndividual(11, 3);
      for (const forged of [isForgedFirst, !isForgedFirst]) bench.receiveIndividual(forged ? 4 : 9, 13, { forged });
      bench.verifyAll();
      expect(bench.port.sent.filter(({ signers }) => signers[0] === 13).map(({ to }) => to)).toEqual([4, 11]);
      expect(bench.port.checks).toEqual([]);
    }
  });

  it('after a single invalid verification, the named signer is accepted again', () => {
    const bench = started();
    bench.receiveIndividual(4, 13, { forged: true });
    bench.verifyAll();
    bench.receiveIndividual(9, 13);
    expect(bench.verifyAll()).toEqual([[13]]);
    expect(bench.port.traces).toContainEqual({ kind: TraceKind.blacklisted, level: 0, peer: 4, what: noContribution });
    bench.receiveIndividual(4, 12);
    expect(bench.port.refusals.at(-1)).toMatchObject({ peer: 4, code: 'blacklisted' });
  });

  it('stores at most one contribution per signer and neighbour, and releases all of them', () => {
    const bench = started();
    bench.takeReceivers();
    const held = bench.scheme.held;
    for (const _ of upTo(20)) {
      for (const from of [4, 9, 11])
        for (let signer = 1; signer < 16; signer++) bench.receiveIndividual(from, signer, { forged: true });
    }
    // One more contribution is being verified, in addition to the pending ones.
    expect(bench.scheme.held - held).toBeLessThanOrEqual(3 * 15 + 1);
    bench.verifyAll();
    expect(bench.scheme.held).toBe(held);
    expect(bench.port.sent).toEqual([]);
  });

  it('refuses messages that no honest neighbour sends', () => {
    const bench = started();
    const leaf = (id: number): number => bench.scheme.tree.leaf(id);
    bench.expectRefused([
      [16, 0, leaf(1), noContribution, 0, 'sender-out-of-range'],
      [5, 0, leaf(5), noContribution, 0, 'sender-not-in-peer-set'],
      [4, 1, leaf(4), noContribution, 0, 'level-out-of-range'],
      [4, 0, leaf(4), noContribution, 1, 'unknown-flags'],
      [4, 0, noContribution, noContribution, 0, 'empty-set'],
      [4, 0, bench.scheme.tree.ownBlock(4, 2), noContribution, 0, 'wrong-span'],
      [4, 0, leaf(4), leaf(4), 0, 'not-individual'],
    ]);
  });
});
