import { expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { explainState } from './explanation.ts';
import { List } from './pending.ts';

// Node 0 of 64 ranks its peers by id. Node 0 has the level 5 peers 16 to 31 and the level 6 peers 32 to 63.
function queued(): StateBench {
  const bench = new StateBench({ nodes: 64 });
  const { levels } = bench.state;
  levels.setWindow(5, 16);
  levels.setWindow(6, 16);
  bench.setIn(6, [32, 33]);
  bench.queue(6, 33, { aggregate: bench.of(6, [33]) });
  bench.queue(6, 34, { individual: bench.individual(34) });
  bench.queue(6, 36, { aggregate: bench.of(6, [36, 37]), individual: bench.individual(36) });
  bench.queue(6, 49, { aggregate: bench.of(6, [49, 50]) });
  bench.queue(6, 50, { aggregate: bench.of(6, [50, 51, 52]) });
  return bench;
}

it('v1.03 3.3: an entry is useless, in the window of the best ranked useful one, or waits behind it', () => {
  const { levels } = explainState(queued().state);
  expect(levels[5]).toMatchObject({ level: 6, size: 32, inWeight: 2, window: 16, counted: 16, lastRank: 34 + 15 });
  expect(levels[5]!.entries).toEqual([
    { sender: 33, rank: 33, score: 1, adds: 0, weight: 1, hasIndividual: false, place: 'useless' },
    { sender: 34, rank: 34, score: 3, adds: 1, weight: 0, hasIndividual: true, place: 'window' },
    { sender: 36, rank: 36, score: 4, adds: 2, weight: 2, hasIndividual: true, place: 'window' },
    { sender: 49, rank: 49, score: 4, adds: 2, weight: 2, hasIndividual: false, place: 'window' },
    { sender: 50, rank: 50, score: 5, adds: 3, weight: 3, hasIndividual: false, place: 'waits' },
  ]);
  expect(levels[5]!.best).toMatchObject({ sender: 36 });
  expect(levels[0]).toMatchObject({ level: 1, entries: [], lastRank: -1, turn: -1 });
  expect(levels[5]!.ties.map(({ sender }) => sender)).toEqual([49]);
});

it('names the next entry and other levels that would add the same share, and prunes nothing', () => {
  const bench = queued();
  bench.queue(5, 20, { aggregate: bench.of(5, [20]) });
  const explained = explainState(bench.state);
  expect(explained.rule).toBe('share');
  expect(explained.next).toEqual([{ level: 5, sender: 20, isIndividual: false, adds: 1 }]);
  // One of 16 peers is the same share as two of 32 peers.
  expect(explained.levelTies).toEqual([6]);
  expect(bench.senders(6, List.queued)).toEqual([33, 34, 36, 49, 50]);
});
