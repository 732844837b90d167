import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/digests.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { QueueReplay } from './queue.ts';

it('refuses an invalid replay, and names it', () => {
  const small = { ...defaultScenario, nodes: 4 };
  const ask = (scenario: unknown, node: number) => refusedBy(() => new QueueReplay(scenario as never, node));
  for (const node of [-1, 0.5, 4]) expect(ask(small, node)).toBe('node');
  expect(ask({ ...small, protocol: 'gossip' }, 0)).toBe('protocol');
  expect(ask({}, 0)).toBe('scenario.protocol');
  expect(ask(undefined, 0)).toBe('scenario');
});
