import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { List } from './pending.ts';
import { pruneLevel, pruneSender, rerank, wakeDormant } from './pruning.ts';
import { rankOf } from './state.ts';

// Node 0 of 16; its level 4 peers are 8 to 15.
const level = 4;

function filled(): StateBench {
  const bench = new StateBench();
  for (const sender of [9, 11, 13]) {
    bench.queue(level, sender, { aggregate: bench.of(level, [sender, 8]), individual: bench.of(level, [sender]) });
  }
  bench.queue(3, 5, { aggregate: bench.of(3, [5, 6]) });
  for (const sender of [8, 10, 12]) bench.state.pending.keep(level, List.dormant, sender, bench.of(level, [sender]));
  for (const sender of [14, 15, 9]) bench.state.pending.keep(level, List.verified, sender, bench.of(level, [sender]));
  return bench;
}

describe('pruneLevel', () => {
  it('v1.03 3.5.3 (2): prunes and releases all contributions of a level with complete In_l', () => {
    const bench = filled();
    pruneLevel(bench.state, level);
    for (const list of Object.values(List)) expect(bench.senders(level, list)).toEqual([]);
    expect(bench.senders(3, List.queued)).toEqual([5]);
    expect(bench.scheme.held).toBe(1);
  });
});

describe('pruneSender', () => {
  it('v1.03 3.5.3 (1): prunes and releases all contributions of a sender identified as Byzantine', () => {
    const bench = filled();
    const held = bench.scheme.held;
    pruneSender(bench.state, level, 9);
    expect(bench.senders(level, List.queued)).toEqual([11, 13]);
    expect(bench.senders(level, List.verified)).toEqual([15, 14]);
    expect(bench.senders(level, List.dormant)).toEqual([12, 10, 8]);
    expect(bench.scheme.held).toBe(held - 3);
    pruneSender(bench.state, level, 10);
    pruneSender(bench.state, level, 13);
    expect(bench.senders(level, List.queued)).toEqual([11]);
    expect(bench.senders(level, List.dormant)).toEqual([12, 8]);
  });

  it('does nothing for a sender without entries', () => {
    const bench = filled();
    const held = bench.scheme.held;
    pruneSender(bench.state, 3, 9);
    pruneSender(bench.state, 1, 1);
    expect(bench.scheme.held).toBe(held);
  });
});

describe('wakeDormant', () => {
  it('v1.03 2.4: queues an individual contribution again when a replaced In_l lacks it', () => {
    const bench = new StateBench();
    for (const sender of [8, 9, 10, 12]) {
      bench.state.pending.keep(level, List.dormant, sender, bench.individual(sender));
    }
    bench.setIn(level, [9, 12, 13]);
    wakeDormant(bench.state, level);
    expect(bench.entries(level, List.queued)).toEqual([
      { sender: 8, aggregate: [], individual: [8] },
      { sender: 10, aggregate: [], individual: [10] },
    ]);
    expect(bench.senders(level, List.dormant).sort((a, b) => a - b)).toEqual([9, 12]);
  });

  it('adds it to a queued aggregate of the sender', () => {
    const bench = new StateBench();
    bench.queue(level, 10, { aggregate: bench.of(level, [10, 11]) });
    bench.state.pending.keep(level, List.dormant, 10, bench.individual(10));
    bench.setIn(level, [9]);
    wakeDormant(bench.state, level);
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 10, aggregate: [10, 11], individual: [10] }]);
    expect(bench.senders(level, List.dormant)).toEqual([]);
  });

  it('queues at the current rank of the sender', () => {
    const bench = new StateBench();
    bench.state.peers.countVerified(9);
    bench.queue(level, 15, { individual: bench.individual(15) });
    for (const sender of [9, 14]) bench.state.pending.keep(level, List.dormant, sender, bench.individual(sender));
    wakeDormant(bench.state, level);
    expect(bench.senders(level, List.queued)).toEqual([14, 15, 9]);
  });
});

describe('rerank', () => {
  it("v1.0 3.6: moves a sender's queued contributions N ranks down after one of them was verified", () => {
    const bench = new StateBench();
    for (const sender of [9, 11, 13]) {
      bench.queue(level, sender, { aggregate: bench.of(level, [sender, 8]), individual: bench.individual(sender) });
    }
    const before = rankOf(bench.state, 9);
    bench.state.peers.countVerified(9);
    rerank(bench.state, level, 9, before);
    expect(rankOf(bench.state, 9)).toBe(before + bench.state.priorities.span);
    expect(bench.entries(level, List.queued)).toEqual([
      { sender: 11, aggregate: [8, 11], individual: [11] },
      { sender: 13, aggregate: [8, 13], individual: [13] },
      { sender: 9, aggregate: [8, 9], individual: [9] },
    ]);
    const again = rankOf(bench.state, 11);
    bench.state.peers.countVerified(11);
    rerank(bench.state, level, 11, again);
    expect(bench.senders(level, List.queued)).toEqual([13, 9, 11]);
  });

  it('leaves the order of arrival if a sender may have many entries', () => {
    const bench = new StateBench({ config: { without: ['bounded-queue'] } });
    const { pending, peers } = bench.state;
    for (const sender of [9, 9, 11]) {
      const entry = pending.add(level, sender, rankOf(bench.state, sender));
      pending.setAggregate(entry, bench.of(level, [sender, 8]));
    }
    peers.countVerified(9);
    rerank(bench.state, level, 9, 9);
    expect(bench.senders(level, List.queued)).toEqual([9, 9, 11]);
  });

  it('does nothing if the sender has no queued entry', () => {
    const bench = new StateBench();
    for (const sender of [9, 13]) bench.queue(level, sender, { individual: bench.individual(sender) });
    bench.state.peers.countVerified(11);
    rerank(bench.state, level, 11, 11);
    expect(bench.senders(level, List.queued)).toEqual([9, 13]);
  });
});
