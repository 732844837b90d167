import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { noContribution } from '../../protocol.ts';
import { PeerFact } from './peers.ts';
import { List } from './pending.ts';
import { receive } from './reception.ts';

// Node 0 of 16; its level 4 peers are 8 to 15.
const level = 4;

/** Receives an aggregate with the given signers from a sender, together with its individual contribution. */
function take(
  bench: StateBench,
  from: number,
  signers: readonly number[],
  individual = bench.individual(from),
): boolean {
  const aggregate = bench.of(level, signers);
  const fresh = receive(bench.state, from, level, aggregate, individual);
  bench.scheme.release(aggregate);
  return fresh;
}

describe('receive', () => {
  it('v1.03 3.5.2: stores the aggregate and the individual contribution of a sender in one entry', () => {
    const bench = new StateBench();
    expect(take(bench, 9, [8, 9])).toBe(true);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [8, 9], individual: [9] }]);
  });

  it('v1.03 3.5.2: keeps the heavier of two aggregates of a sender', () => {
    const bench = new StateBench();
    take(bench, 9, [8, 9]);
    take(bench, 9, [8, 9, 10]);
    expect(bench.entries(level, List.queued)[0]!.aggregate).toEqual([8, 9, 10]);
    take(bench, 9, [9, 11]);
    take(bench, 9, [9, 12, 13]);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [8, 9, 10], individual: [9] }]);
  });

  it('v1.03 3.5.2: is bounded: one entry per sender, whatever arrives', () => {
    const bench = new StateBench();
    for (let round = 0; round < 30; round++) {
      for (let from = 8; from < 16; from++) {
        take(bench, from, [8 + ((from + round) % 8)]);
        take(bench, from, [from, 8 + ((from + 1 + (round % 7)) % 8)]);
      }
    }
    expect(bench.senders(level, List.queued)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(bench.senders(level, List.dormant)).toEqual([]);
  });

  it("verifies a sender's lone contribution once: an aggregate of one contribution is its individual contribution", () => {
    const bench = new StateBench();
    expect(take(bench, 9, [9], noContribution)).toBe(true);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [], individual: [9] }]);
    expect(take(bench, 9, [9], noContribution)).toBe(false);
    expect(take(bench, 9, [9])).toBe(false);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [], individual: [9] }]);
  });

  it('v1.03 3.5.2: keeps the heavier of two aggregates, in either order', () => {
    for (const order of [
      [
        [8, 9, 10, 14],
        [12, 13],
      ],
      [
        [12, 13],
        [8, 9, 10, 14],
      ],
    ]) {
      const bench = new StateBench();
      for (const signers of order) take(bench, 14, signers);
      expect(bench.entries(level, List.queued)).toEqual([{ sender: 14, aggregate: [8, 9, 10, 14], individual: [14] }]);
    }
  });

  it('treats an aggregate of one other node as an aggregate', () => {
    const bench = new StateBench();
    expect(take(bench, 9, [12], noContribution)).toBe(true);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [12], individual: [] }]);
    expect(bench.state.peers.has(12, PeerFact.individualKnown)).toBe(false);
  });

  it("queues a sender's individual contribution once", () => {
    const bench = new StateBench();
    take(bench, 9, [8, 9]);
    bench.state.pending.setIndividual(bench.state.pending.queue(level, 9, 9), noContribution);
    take(bench, 9, [8, 9, 10]);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 9, aggregate: [8, 9, 10], individual: [] }]);
  });

  it('v1.03 3.5.3: does not queue an aggregate that cannot improve In_l', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 10]);
    bench.state.peers.add(9, PeerFact.individualKnown);
    for (const signers of [
      [8, 9],
      [8, 9, 10],
      [10, 11, 12],
    ])
      expect(take(bench, 9, signers)).toBe(false);
    expect(bench.senders(level, List.queued)).toEqual([]);
  });

  it('v1.03 2.4: never loses an individual contribution: one that In_l contains is stored as dormant', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 10]);
    expect(take(bench, 9, [8, 9])).toBe(false);
    expect(bench.senders(level, List.queued)).toEqual([]);
    expect(bench.entries(level, List.dormant)).toEqual([{ sender: 9, aggregate: [], individual: [9] }]);
    take(bench, 9, [8, 9]);
    expect(bench.senders(level, List.dormant)).toEqual([9]);
  });

  it('v1.03 2.4: keeps an individual contribution that In_l lacks, even next to a useless aggregate', () => {
    const bench = new StateBench();
    bench.setIn(level, [8, 9, 10]);
    expect(take(bench, 11, [10, 11])).toBe(true);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 11, aggregate: [], individual: [11] }]);
  });

  it('retains its stored contributions and nothing else', () => {
    const bench = new StateBench();
    const { scheme } = bench;
    take(bench, 9, [8, 9]);
    expect(scheme.held).toBe(1);
    take(bench, 9, [8, 9, 10]);
    expect(scheme.held).toBe(1);
    take(bench, 9, [8, 9]);
    expect(scheme.held).toBe(1);
    take(bench, 10, [10], noContribution);
    expect(scheme.held).toBe(2);
    take(bench, 10, [10], noContribution);
    expect(scheme.held).toBe(2);
  });
});
