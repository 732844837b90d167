import { leanRivals } from '@tutti/ethereum/lean';
import { expect, test } from 'vitest';
import { firstLeanState, type LeanState, leanScenarioOf, readLeanState, writeLeanState } from './leanState.ts';

test('a link holds everything that is not as at first, and reads back', () => {
  expect(writeLeanState(firstLeanState)).toBe('');
  const state: LeanState = {
    ...{
      profile: 'eip-8292',
      subnets: 16,
      each: 4,
      cores: 64,
      silent: 33,
      start: 'free',
      seed: 4_294_967_295,
      timeMs: 2400,
    },
    rivals: ['tree', 'super', 'grid', 'window'],
    asked: { rival: 'grid', proof: 17 },
    check: 'rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:',
  };
  const link = writeLeanState(state);
  expect(link).toBe(
    'lean-check=rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:&profile=eip-8292&subnets=16&each=4&cores=64&silent=33&start=free&seed=4294967295&rivals=tree,super,grid,window&t=2400&job=grid:17',
  );
  expect(readLeanState(`#${link}`)).toEqual(state);
});

test.each(['#subnets=7', '#seed=-1', '#rivals=none,neither', '#t=x', '#job=tree', '#profile=toString', '#start=never'])(
  'what is no value is as at first: %s',
  (hash) => {
    expect(readLeanState(hash)).toEqual(firstLeanState);
  },
);

test('an unknown rival leaves the others', () => {
  expect(readLeanState('#rivals=tree,nobody,super').rivals).toEqual(['tree', 'greedy', 'super', 'halving-owners']);
  expect(leanRivals).toEqual(expect.arrayContaining([...firstLeanState.rivals]));
});

test('a link opens that names strategies as they were called', () => {
  const { rivals, asked } = readLeanState('#rivals=handel,handel-owners,super&job=handel-owners:3');
  expect(rivals).toEqual(['halving', 'halving-owners', 'super', 'halving-owners']);
  expect(asked).toEqual({ rival: 'halving-owners', proof: 3 });
});

test('a scenario has as many nodes beside the aggregators as the command', () => {
  const { aggregators, nodes, profile, roles } = leanScenarioOf({ ...firstLeanState, silent: 20, cores: 2 }, 'spec');
  expect([aggregators, nodes, profile.cores, roles]).toEqual([16, 80, 2, { silent: 0.2 }]);
});
