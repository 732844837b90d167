import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { upTo } from '../../../test/sizes.ts';
import { type Mechanism, paperWindow } from '../config.ts';
import { List } from './pending.ts';
import { rerank } from './pruning.ts';
import { decideNext, take } from './selection.ts';
import { grownBy, type HandelState, rankOf } from './state.ts';

// The readable node has every mechanism, so the comparison with it does not cover nodes without one.

function chooseNext(state: HandelState): { level: number; sender: number } {
  const { level, entry } = decideNext(state, 'prunes')!;
  return take(state, level, entry);
}

const spanning = (start: number, count: number) => upTo(count).map((id) => start + id);

describe('a node without a mechanism', () => {
  it.each<[Mechanism[], number]>([
    [[], 33],
    [['score'], 32],
    [['window'], 63],
  ])('%j: verifies the best score in the window, the first rank, or the best score of all', (without, sender) => {
    const bench = new StateBench({ nodes: 64, config: { without } });
    bench.state.levels.setWindow(6, 2);
    bench.queue(6, 32, { aggregate: bench.of(6, [32]) });
    bench.queue(6, 33, { aggregate: bench.of(6, [33, 34]) });
    bench.queue(6, 63, { aggregate: bench.of(6, [60, 61, 62, 63]) });
    expect(chooseNext(bench.state).sender).toBe(sender);
  });

  it.each<[Mechanism[], number[]]>([
    [[], [4, 5, 6]],
    [['rank-between-levels'], [6, 5, 4]],
    [['window'], [6, 5, 4]],
  ])('%j: chooses between levels by rank under attack, or by score', (without, levels) => {
    const bench = new StateBench({ nodes: 64, config: { without } });
    bench.state.levels.setWindow(6, 4);
    bench.queue(6, 40, { aggregate: bench.of(6, spanning(32, 32)) });
    bench.queue(5, 24, { aggregate: bench.of(5, spanning(16, 15)) });
    bench.queue(4, 15, { aggregate: bench.of(4, [15]) });
    expect([1, 2, 3].map(() => chooseNext(bench.state).level)).toEqual(levels);
  });

  it.each<[Mechanism[], number[]]>([
    [[], [1, 33, 37, 41, 31]],
    [['capped-window'], [33, 37, 41, 31, 1]],
  ])('%j: counts only the initial size of a widened window, or its full size', (without, senders) => {
    // Node 63 has peers 0 to 31 on level 6, with places 0 to 15, and 32 to 47 on level 5, with places 8 to 11.
    const bench = new StateBench({ nodes: 64, id: 63, config: { window: { ...paperWindow, initial: 4 }, without } });
    bench.state.levels.setWindow(5, 1);
    bench.state.levels.setWindow(6, 64);
    bench.queue(6, 1, { aggregate: bench.of(6, upTo(30)) });
    bench.queue(6, 31, { aggregate: bench.of(6, upTo(32)) });
    for (const liar of [33, 37, 41]) bench.queue(5, liar, { aggregate: bench.of(5, spanning(32, 16)) });
    expect(upTo(5).map(() => chooseNext(bench.state).sender)).toEqual(senders);
  });

  it.each<[Mechanism[], number]>([
    [[], 9 + 2 * 16],
    [['rank-growth'], 9],
  ])('%j: adds the span of ranks to a rank per verified contribution, or leaves it (v1.0 3.6)', (without, rank) => {
    const { state } = new StateBench({ nodes: 16, config: { without } });
    for (const _ of [1, 2]) state.peers.countVerified(9);
    expect(rankOf(state, 9)).toBe(rank);
  });

  it.each<[Mechanism[], number[]]>([
    [[], [11, 13, 9]],
    [['bounded-queue'], [9, 11, 13]],
  ])('%j: moves the entry of a sender whose rank grew, or leaves the entries in order of arrival', (without, order) => {
    const bench = new StateBench({ config: { without } });
    for (const sender of [9, 11, 13]) bench.queue(4, sender, { aggregate: bench.of(4, [sender, 8]) });
    bench.state.peers.countVerified(9);
    rerank(bench.state, 4, 9, 9);
    expect(bench.senders(4, List.queued)).toEqual(order);
  });
});

it.each([
  [65_536, 32_766],
  [2 ** 20, 2_046],
])('a rank of %i ranks grows at most %i times, so that it fits into 31 bits', (span, max) => {
  const grown = [max - 1, max, max + 1, 1e6].map((verified) => grownBy(span, verified) / span);
  expect(grown).toEqual([max - 1, max, max, max]);
  expect(grownBy(span, 1e6) + span - 1).toBeLessThan(2 ** 31);
});
