import { describe, expect, it } from 'vitest';
import { StateBench } from '../../test/handel.ts';
import { signersOf } from '../../test/sets.ts';
import { chooseBatch } from './batch.ts';
import { List } from './pending.ts';

// Node 0 of 64: its peers are 1 | 2, 3 | 4 to 7 | 8 to 15 | 16 to 31 | 32 to 63.
function bench64(batch = 32): StateBench {
  return new StateBench({ nodes: 64, config: { batch } });
}

function chosen(bench: StateBench) {
  return chooseBatch(bench.state).map(({ level, sender, contribution, isIndividual }) => {
    return { level, sender, isIndividual, signers: signersOf(bench.scheme, contribution) };
  });
}

/** Something on levels 1, 3 and 6: all of level 1's peers, half of level 3's, a quarter of level 6's. */
function onThreeLevels(bench: StateBench): void {
  bench.queue(6, 33, { aggregate: bench.of(6, [32, 33, 34, 35, 36, 37, 38, 39]) });
  bench.queue(6, 40, { aggregate: bench.of(6, [40, 41]), individual: bench.individual(40) });
  bench.queue(3, 4, { aggregate: bench.of(3, [4, 5]), individual: bench.individual(4) });
  bench.queue(1, 1, { individual: bench.individual(1) });
}

describe('chooseBatch', () => {
  it('v1.03 6: is one contribution where the node does not verify batches', () => {
    for (const bench of [bench64(1), new StateBench({ nodes: 64 })]) {
      onThreeLevels(bench);
      expect(chosen(bench)).toMatchObject([{ level: 1 }]);
      expect(bench.senders(3, List.queued)).toEqual([4]);
    }
  });

  it('is nothing where nothing is queued', () => {
    expect(chosen(bench64())).toEqual([]);
  });

  it('is what the window of each level selects, in the order of what it adds of its level', () => {
    const bench = bench64();
    onThreeLevels(bench);
    expect(chosen(bench)).toEqual([
      { level: 1, sender: 1, isIndividual: true, signers: [1] },
      { level: 3, sender: 4, isIndividual: false, signers: [4, 5] },
      { level: 6, sender: 33, isIndividual: false, signers: [32, 33, 34, 35, 36, 37, 38, 39] },
    ]);
    // What was not taken of an entry stays queued.
    expect(bench.senders(1, List.queued)).toEqual([]);
    expect(bench.entries(3, List.queued)).toEqual([{ sender: 4, aggregate: [], individual: [4] }]);
    expect(bench.senders(6, List.queued)).toEqual([40]);
  });

  it('takes the lower level first of those that add the same share', () => {
    const bench = bench64();
    bench.queue(5, 16, { aggregate: bench.of(5, [16, 17, 18, 19]) });
    bench.queue(4, 8, { aggregate: bench.of(4, [8, 9]) });
    bench.queue(3, 4, { individual: bench.individual(4) });
    expect(chosen(bench).map(({ level }) => level)).toEqual([3, 4, 5]);
  });

  it('has as many as the node verifies together at most', () => {
    const bench = bench64(2);
    onThreeLevels(bench);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 3]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([3, 6]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([6]);
  });

  it('leaves out levels on which nothing queued is of use, and prunes that', () => {
    const bench = bench64();
    onThreeLevels(bench);
    bench.setIn(3, [4, 5]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 6]);
    expect(bench.senders(3, List.queued)).toEqual([]);
  });

  it('is one contribution while a level that has something queued has a smaller window than at first', () => {
    for (const level of [1, 3, 6]) {
      const bench = bench64();
      onThreeLevels(bench);
      bench.state.levels.setWindow(level, bench.state.window.initial - 1);
      expect(chosen(bench).length).toBe(1);
      bench.state.levels.setWindow(level, bench.state.window.initial);
      expect(chosen(bench).length).toBeGreaterThan(1);
    }
  });

  it('does not look at the window of a level that has nothing of use', () => {
    const bench = bench64();
    onThreeLevels(bench);
    bench.setIn(3, [4, 5]);
    for (const level of [2, 3]) bench.state.levels.setWindow(level, 1);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 6]);
  });

  it('goes on with batches where the window is switched off', () => {
    const bench = new StateBench({ nodes: 64, config: { batch: 32, without: ['window'] } });
    onThreeLevels(bench);
    bench.state.levels.setWindow(3, 1);
    expect(chosen(bench).length).toBe(3);
  });
});
