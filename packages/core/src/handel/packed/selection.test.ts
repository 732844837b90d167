import { expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { signersOf } from '../../../test/sets.ts';
import { List } from './pending.ts';
import { chooseBatch } from './selection.ts';

// Peers of node 0 of 64 on levels 1 to 6: 1 | 2, 3 | 4 to 7 | 8 to 15 | 16 to 31 | 32 to 63.
const batchBench = (batch = 32): StateBench => new StateBench({ nodes: 64, config: { batch } });

function chosen(bench: StateBench) {
  return chooseBatch(bench.state).map(({ level, sender, contribution, isIndividual }) => ({
    level,
    sender,
    isIndividual,
    signers: signersOf(bench.scheme, contribution),
  }));
}

/** Queues contributions that add all of level 1, half of level 3 and a quarter of level 6. */
function onThreeLevels(bench: StateBench): void {
  bench.queue(6, 33, { aggregate: bench.of(6, [32, 33, 34, 35, 36, 37, 38, 39]) });
  bench.queue(6, 40, { aggregate: bench.of(6, [40, 41]), individual: bench.individual(40) });
  bench.queue(3, 4, { aggregate: bench.of(3, [4, 5]), individual: bench.individual(4) });
  bench.queue(1, 1, { individual: bench.individual(1) });
}

it('v1.03 6: chooseBatch is one contribution if the node does not verify batches', () => {
  for (const bench of [batchBench(1), new StateBench({ nodes: 64 })]) {
    onThreeLevels(bench);
    expect(chosen(bench)).toMatchObject([{ level: 1 }]);
    expect(bench.senders(3, List.queued)).toEqual([4]);
  }
});

it("chooseBatch contains the selection of each level's window, ordered by added share of the level", () => {
  const bench = batchBench();
  onThreeLevels(bench);
  expect(chosen(bench)).toEqual([
    { level: 1, sender: 1, isIndividual: true, signers: [1] },
    { level: 3, sender: 4, isIndividual: false, signers: [4, 5] },
    { level: 6, sender: 33, isIndividual: false, signers: [32, 33, 34, 35, 36, 37, 38, 39] },
  ]);
  // The other contribution of an entry stays queued.
  expect(bench.senders(1, List.queued)).toEqual([]);
  expect(bench.entries(3, List.queued)).toEqual([{ sender: 4, aggregate: [], individual: [4] }]);
  expect(bench.senders(6, List.queued)).toEqual([40]);
});

it('chooseBatch contains at most the maximum batch size', () => {
  const bench = batchBench(2);
  onThreeLevels(bench);
  expect(chosen(bench).map(({ level }) => level)).toEqual([1, 3]);
  expect(chosen(bench).map(({ level }) => level)).toEqual([3, 6]);
  expect(chosen(bench).map(({ level }) => level)).toEqual([6]);
});

it('chooseBatch is one contribution while a level with queued entries has a smaller window than the initial one', () => {
  for (const level of [1, 3, 6]) {
    const bench = batchBench();
    onThreeLevels(bench);
    bench.state.levels.setWindow(level, bench.state.window.initial - 1);
    expect(chosen(bench).length).toBe(1);
    bench.state.levels.setWindow(level, bench.state.window.initial);
    expect(chosen(bench).length).toBeGreaterThan(1);
  }
});

it('chooseBatch skips levels with only useless entries, whatever their windows, and prunes these entries', () => {
  const bench = batchBench();
  onThreeLevels(bench);
  bench.setIn(3, [4, 5]);
  for (const level of [2, 3]) bench.state.levels.setWindow(level, 1);
  expect(chosen(bench).map(({ level }) => level)).toEqual([1, 6]);
  expect(bench.senders(3, List.queued)).toEqual([]);
});

it('chooseBatch continues with batches if the window is switched off', () => {
  const bench = new StateBench({ nodes: 64, config: { batch: 32, without: ['window'] } });
  onThreeLevels(bench);
  bench.state.levels.setWindow(3, 1);
  expect(chosen(bench).length).toBe(3);
});
