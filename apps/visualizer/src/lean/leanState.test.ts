import { expect, test } from 'vitest';
import { firstLeanState, type LeanState, leanFields, leanScenarioOf } from './leanState.ts';

test('a link contains all values that differ from the defaults, and decodes to them', () => {
  expect(leanFields.write(firstLeanState)).toBe('');
  const state: LeanState = {
    ...{ profile: 'eip-8292', subnets: 16, each: 4, cores: 64, silent: 33, start: 'free' },
    ...{ seed: 4_294_967_295, timeMs: 2400.125 },
    strategies: ['tree', 'super', 'grid', 'window'],
    asked: { strategy: 'grid', proof: 17 },
    check: 'rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:',
  };
  const link = leanFields.write(state);
  expect(link).toBe(
    'lean-check=rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:&profile=eip-8292&subnets=16&each=4&cores=64&silent=33&start=free&seed=4294967295&strategies=tree,super,grid,window&t=2400.125&job=grid:17',
  );
  expect(leanFields.read(`#${link}`)).toEqual({ values: state, notices: [] });
});

test.each([
  ['tree,nobody,super', ['tree', 'greedy', 'super', 'halving-owners'], undefined],
  ['handel,handel-owners&job=handel-owners:3', ['halving', 'halving-owners', 'window-skip', 'halving-owners'], 3],
])('a link may name unknown or former strategies: %s', (link, strategies, proof) => {
  const { values } = leanFields.read(`#strategies=${link}`);
  expect([values.strategies, values.asked?.proof]).toEqual([strategies, proof]);
});

test('a scenario has as many nodes outside of the aggregators as the command', () => {
  const { aggregators, nodes, profile, roles } = leanScenarioOf({ ...firstLeanState, silent: 20, cores: 2 }, 'spec');
  expect([aggregators, nodes, profile.cores, roles]).toEqual([16, 80, 2, { silent: 0.2 }]);
});
