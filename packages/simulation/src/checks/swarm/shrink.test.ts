import { expect, it } from 'vitest';
import { defaultScenario } from '../../scenario/scenario.ts';
import { shrinkScenario } from './shrink.ts';

it('has fewer nodes once a plainer network lets it have fewer', () => {
  const large = { ...defaultScenario, nodes: 40, network: 'aws' };
  const { nodes, network } = shrinkScenario(
    large,
    (smaller) => smaller.nodes >= (smaller.network === 'constant:10' ? 9 : 23),
  );
  expect([nodes, network]).toEqual([9, 'constant:10']);
});
