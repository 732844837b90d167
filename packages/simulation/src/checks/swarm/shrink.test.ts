import { expect, it } from 'vitest';
import { defaultScenario } from '../../scenario/scenario.ts';
import { shrinkScenario } from './shrink.ts';

it('reduces the number of nodes after a simpler network allows it', () => {
  const large = { ...defaultScenario, nodes: 40, network: 'aws' };
  const { nodes, network } = shrinkScenario(
    large,
    (smaller) => smaller.nodes >= (smaller.network === 'constant:10' ? 9 : 23),
  );
  expect([nodes, network]).toEqual([9, 'constant:10']);
});
