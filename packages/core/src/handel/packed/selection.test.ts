import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { signersOf } from '../../../test/sets.ts';
import { upTo } from '../../../test/sizes.ts';
import { paperWindow } from '../config.ts';
import { List, nil } from './pending.ts';
import { bestInWindow, type Choice, chooseBatch, decideNext, take } from './selection.ts';
import type { HandelState } from './state.ts';

// Node 0 of 64 ranks its peers by id; its level 6 peers are 32 to 63.
const level = 6;

function bench64(window = 16): StateBench {
  const bench = new StateBench({ nodes: 64 });
  bench.state.levels.setWindow(level, window);
  return bench;
}

/** Chooses the contribution to verify next over all levels, and removes it from its list. */
function chooseNext(state: HandelState): Choice | undefined {
  const decision = decideNext(state, 'prunes');
  return decision && take(state, decision.level, decision.entry);
}

/** Describes a choice: its level, sender and signers. */
function choiceOf(bench: StateBench, choice: Choice | undefined) {
  if (choice === undefined) return undefined;
  const { sender, isIndividual, contribution } = choice;
  return { level: choice.level, sender, isIndividual, signers: signersOf(bench.scheme, contribution) };
}

function bestSender(bench: StateBench): number | undefined {
  const entry = bestInWindow(bench.state, level);
  return entry === nil ? undefined : bench.state.pending.sender(entry);
}

describe('bestInWindow', () => {
  it('v1.03 3.3: is the best score among the senders with a rank in [v, v + window)', () => {
    const bench = bench64(9);
    bench.queue(level, 34, { aggregate: bench.of(level, [34]) });
    bench.queue(level, 40, { aggregate: bench.of(level, [40, 41]) });
    bench.queue(level, 42, { aggregate: bench.of(level, [42, 43, 44]) });
    bench.queue(level, 43, { aggregate: bench.of(level, [43, 44, 45, 46]) });
    // v = 34, so 42 is the last sender in the window, and 43, which has the best score, is outside.
    expect(bestSender(bench)).toBe(42);
    bench.state.levels.setWindow(level, 10);
    expect(bestSender(bench)).toBe(43);
    bench.state.levels.setWindow(level, 6);
    expect(bestSender(bench)).toBe(34);
  });

  it('v1.03 3.3: prefers the better rank at equal scores', () => {
    const bench = bench64();
    for (const sender of [41, 33, 37]) bench.queue(level, sender, { aggregate: bench.of(level, [sender, 63]) });
    expect(bestSender(bench)).toBe(33);
  });

  it('v1.03 4.1 and v1.0 3.8: a window of 1 is one rank, so that a heavy contribution with a low rank must wait', () => {
    const bench = bench64(1);
    bench.queue(level, 32, { individual: bench.individual(32) });
    bench.queue(level, 33, { aggregate: bench.of(level, [33, 40, 41, 42, 43]) });
    expect(bestSender(bench)).toBe(32);
  });

  it('v1.03 3.5.3: prunes an entry that cannot improve In_l, which does not occupy the window', () => {
    const bench = bench64(5);
    bench.setIn(level, [32, 33, 34]);
    bench.queue(level, 33, { aggregate: bench.of(level, [33, 34]) });
    bench.queue(level, 50, { aggregate: bench.of(level, [50]) });
    bench.queue(level, 54, { aggregate: bench.of(level, [54, 55]) });
    bench.queue(level, 55, { aggregate: bench.of(level, [55, 56, 57]) });
    expect(bestSender(bench)).toBe(54);
    expect(bench.senders(level, List.queued)).toEqual([50, 54, 55]);
  });

  it('v1.03 3.5.3 and 2.4: prunes a useless aggregate but keeps the individual contribution next to it', () => {
    const bench = bench64();
    bench.setIn(level, [32, 33, 34]);
    bench.queue(level, 33, { aggregate: bench.of(level, [33, 34]), individual: bench.individual(33) });
    expect(bestSender(bench)).toBeUndefined();
    expect(bench.senders(level, List.queued)).toEqual([]);
    expect(bench.entries(level, List.dormant)).toEqual([{ sender: 33, aggregate: [], individual: [33] }]);
  });

  it('is undefined on a level without entries', () => {
    expect(bestSender(bench64())).toBeUndefined();
  });

  it('recomputes scores after In_l has changed', () => {
    const bench = bench64();
    bench.queue(level, 35, { aggregate: bench.of(level, [35, 36, 37]) });
    bench.queue(level, 40, { aggregate: bench.of(level, [40, 41]) });
    expect(bestSender(bench)).toBe(35);
    bench.setIn(level, [36, 37, 38]);
    for (const sender of [35, 40]) {
      const entry = bench.state.pending.queue(level, sender, sender);
      bench.state.pending.setScore(entry, -1);
    }
    expect(bestSender(bench)).toBe(40);
  });

  it('equals the definition of the paper for any queue, window and In_l', () => {
    const set = fc.uniqueArray(fc.integer({ min: 32, max: 63 }), { minLength: 1, maxLength: 6 });
    const queue = fc.uniqueArray(fc.record({ sender: fc.integer({ min: 32, max: 63 }), aggregate: set }), {
      selector: ({ sender }) => sender,
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        queue,
        fc.constantFrom(1, 2, 4, 16, 128),
        fc.oneof(fc.constant<number[]>([]), set),
        (entries, window, inside) => {
          const bench = bench64(window);
          if (inside.length > 0) bench.setIn(level, inside);
          for (const { sender, aggregate } of entries) {
            bench.queue(level, sender, { aggregate: bench.of(level, aggregate) });
          }
          const scored = entries
            .map(({ sender, aggregate }) => {
              const overlaps = aggregate.some((id) => inside.includes(id));
              return { sender, score: aggregate.length + (overlaps ? 0 : inside.length) };
            })
            .filter(({ score }) => score > inside.length)
            .sort((a, b) => a.sender - b.sender);
          const first = scored[0];
          const inWindow = scored.filter(({ sender }) => sender < first!.sender + window);
          const best = inWindow.reduce((best, next) => (next.score > best.score ? next : best), inWindow[0]!);
          expect(bestSender(bench)).toBe(best?.sender);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('decideNext and take', () => {
  it('counts the added weight of a contribution, not the part that its level already has', () => {
    const bench = bench64();
    bench.setIn(4, [8, 9, 10, 11]);
    bench.queue(4, 12, { aggregate: bench.of(4, [12]) });
    bench.queue(5, 16, { aggregate: bench.of(5, [16, 17, 18]) });
    // Three of 16 peers are a larger share than one of 8.
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 5, signers: [16, 17, 18] });
  });

  it('is undefined if there is nothing to verify', () => {
    expect(chooseNext(new StateBench().state)).toBeUndefined();
    expect(chooseNext(new StateBench({ nodes: 1 }).state)).toBeUndefined();
  });

  it('removes a contribution from the list, so that it is verified once', () => {
    const bench = bench64();
    bench.queue(level, 40, { aggregate: bench.of(level, [40, 41]) });
    expect(choiceOf(bench, chooseNext(bench.state))).toEqual({
      level,
      sender: 40,
      isIndividual: false,
      signers: [40, 41],
    });
    expect(chooseNext(bench.state)).toBeUndefined();
    expect(bench.senders(level, List.queued)).toEqual([]);
  });

  it('leaves the other contribution of the sender in the list', () => {
    const bench = bench64();
    bench.queue(level, 40, { aggregate: bench.of(level, [40, 41]), individual: bench.individual(40) });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ isIndividual: false, signers: [40, 41] });
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 40, aggregate: [], individual: [40] }]);
  });

  it('v1.03 3.1: selects the individual contribution if the aggregate is not aggregatable and not better', () => {
    const bench = bench64();
    bench.setIn(level, [41, 42, 43]);
    bench.queue(level, 40, { aggregate: bench.of(level, [40, 41]), individual: bench.individual(40) });
    expect(choiceOf(bench, chooseNext(bench.state))).toEqual({ level, sender: 40, isIndividual: true, signers: [40] });
    expect(bench.entries(level, List.queued)).toEqual([{ sender: 40, aggregate: [40, 41], individual: [] }]);
  });

  it('selects the level with the greatest added share of its peers, the lower level first', () => {
    const bench = new StateBench({ nodes: 16 });
    bench.queue(4, 8, { aggregate: bench.of(4, [8, 9, 10]) });
    bench.queue(3, 4, { aggregate: bench.of(3, [4, 5]) });
    bench.queue(2, 2, { aggregate: bench.of(2, [2]) });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 2 });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 3 });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 4 });
    expect(chooseNext(bench.state)).toBeUndefined();
  });

  describe('v1.03 4.1: while a level with queued entries has a window smaller than the initial one', () => {
    // Ranks equal ids. The sender's relative rank is 40/64 among the 32 peers on level 6, 24/64 among the 16 on level
    // 5, and 15/64 among the 8 on level 4.
    function underAttack({ attacked, ...options }: { attacked: number } & StateOptions): number[] {
      const bench = new StateBench({ nodes: 64, ...options });
      bench.state.levels.setWindow(attacked, 4);
      bench.queue(6, 40, { aggregate: bench.of(6, spanning(32, 32)) });
      bench.queue(5, 24, { aggregate: bench.of(5, spanning(16, 15)) });
      bench.queue(4, 15, { aggregate: bench.of(4, [15]) });
      return [1, 2, 3].map(() => chooseNext(bench.state)!.level);
    }
    const spanning = (start: number, count: number) => upTo(count).map((id) => start + id);

    it.each([4, 5, 6])(
      '%i: all levels are selected by rank, in proportion to their sizes, whatever their scores',
      (attacked) => {
        expect(underAttack({ attacked })[0]).toBe(4);
      },
    );

    it('the level under attack does not wait for entries of other levels with lower ranks', () => {
      expect(underAttack({ attacked: 6 })).toEqual([4, 5, 6]);
      const bench = new StateBench({ nodes: 64 });
      bench.state.levels.setWindow(4, 1);
      bench.queue(4, 8, { aggregate: bench.of(4, spanning(8, 8)) });
      for (const trifle of [48, 56, 63]) bench.queue(6, trifle, { individual: bench.individual(trifle) });
      expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 4 });
    });

    it.each([
      [[], [1, 33, 37, 41, 31]],
      [['capped-window'], [33, 37, 41, 31, 1]],
    ] as const)(
      'a widened window makes a level wait for the rank of its best score only without %s',
      (without, expected) => {
        // Node 63 has peers 0 to 31 on level 6, with places 0 to 15, and 32 to 47 on level 5, with places 8 to 11.
        const config = { window: { ...paperWindow, initial: 4 }, without };
        const bench = new StateBench({ nodes: 64, id: 63, config });
        bench.state.levels.setWindow(5, 1);
        bench.state.levels.setWindow(6, 64);
        bench.queue(6, 1, { aggregate: bench.of(6, upTo(30)) });
        bench.queue(6, 31, { aggregate: bench.of(6, upTo(32)) });
        for (const liar of [33, 37, 41]) bench.queue(5, liar, { aggregate: bench.forged(5, spanning(32, 16)) });
        const order = upTo(5).map(() => chooseNext(bench.state)!.sender);
        expect(order).toEqual(expected);
      },
    );

    it('and as soon as that level has no queued entries, the highest score goes first again', () => {
      expect(underAttack({ attacked: 4 })).toEqual([4, 6, 5]);
    });

    it.each([['rank-between-levels'], ['window']] as const)('without %s the highest score goes first', (mechanism) => {
      expect(underAttack({ attacked: 6, config: { without: [mechanism] } })).toEqual([6, 5, 4]);
    });
  });

  it('v1.03 3.4: has a window for each level', () => {
    const bench = new StateBench({ nodes: 64 });
    bench.state.levels.setWindow(6, 1);
    bench.queue(6, 32, { aggregate: bench.of(6, [32]) });
    bench.queue(6, 40, { aggregate: bench.of(6, [40, 41, 42, 43, 44, 45, 46, 47]) });
    bench.queue(5, 16, { aggregate: bench.of(5, [16]) });
    bench.queue(5, 24, { aggregate: bench.of(5, [24, 25, 26]) });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 5, sender: 24 });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 5, sender: 16 });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 6, sender: 32 });
    expect(choiceOf(bench, chooseNext(bench.state))).toMatchObject({ level: 6, sender: 40 });
  });
});

// The peers of node 0 of 64: 1 | 2, 3 | 4 to 7 | 8 to 15 | 16 to 31 | 32 to 63.
function batchBench(batch = 32): StateBench {
  return new StateBench({ nodes: 64, config: { batch } });
}

function chosen(bench: StateBench) {
  return chooseBatch(bench.state).map(({ level, sender, contribution, isIndividual }) => {
    return { level, sender, isIndividual, signers: signersOf(bench.scheme, contribution) };
  });
}

/**
 * Queues contributions on levels 1, 3 and 6. They cover all of level 1's peers, half of level 3's, and a quarter of
 * level 6's.
 */
function onThreeLevels(bench: StateBench): void {
  bench.queue(6, 33, { aggregate: bench.of(6, [32, 33, 34, 35, 36, 37, 38, 39]) });
  bench.queue(6, 40, { aggregate: bench.of(6, [40, 41]), individual: bench.individual(40) });
  bench.queue(3, 4, { aggregate: bench.of(3, [4, 5]), individual: bench.individual(4) });
  bench.queue(1, 1, { individual: bench.individual(1) });
}

describe('chooseBatch', () => {
  it('v1.03 6: is one contribution if the node does not verify batches', () => {
    for (const bench of [batchBench(1), new StateBench({ nodes: 64 })]) {
      onThreeLevels(bench);
      expect(chosen(bench)).toMatchObject([{ level: 1 }]);
      expect(bench.senders(3, List.queued)).toEqual([4]);
    }
  });

  it('is empty if nothing is queued', () => {
    expect(chosen(batchBench())).toEqual([]);
  });

  it("contains the selection of each level's window, ordered by added share of the level", () => {
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

  it('prefers the lower level at equal shares', () => {
    const bench = batchBench();
    bench.queue(5, 16, { aggregate: bench.of(5, [16, 17, 18, 19]) });
    bench.queue(4, 8, { aggregate: bench.of(4, [8, 9]) });
    bench.queue(3, 4, { individual: bench.individual(4) });
    expect(chosen(bench).map(({ level }) => level)).toEqual([3, 4, 5]);
  });

  it('contains at most the maximum batch size', () => {
    const bench = batchBench(2);
    onThreeLevels(bench);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 3]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([3, 6]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([6]);
  });

  it('skips levels with only useless entries, and prunes these', () => {
    const bench = batchBench();
    onThreeLevels(bench);
    bench.setIn(3, [4, 5]);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 6]);
    expect(bench.senders(3, List.queued)).toEqual([]);
  });

  it('is one contribution while a level with queued entries has a smaller window than the initial one', () => {
    for (const level of [1, 3, 6]) {
      const bench = batchBench();
      onThreeLevels(bench);
      bench.state.levels.setWindow(level, bench.state.window.initial - 1);
      expect(chosen(bench).length).toBe(1);
      bench.state.levels.setWindow(level, bench.state.window.initial);
      expect(chosen(bench).length).toBeGreaterThan(1);
    }
  });

  it('ignores the window of a level without useful entries', () => {
    const bench = batchBench();
    onThreeLevels(bench);
    bench.setIn(3, [4, 5]);
    for (const level of [2, 3]) bench.state.levels.setWindow(level, 1);
    expect(chosen(bench).map(({ level }) => level)).toEqual([1, 6]);
  });

  it('continues with batches if the window is switched off', () => {
    const bench = new StateBench({ nodes: 64, config: { batch: 32, without: ['window'] } });
    onThreeLevels(bench);
    bench.state.levels.setWindow(3, 1);
    expect(chosen(bench).length).toBe(3);
  });
});
