import { expect, it } from 'vitest';
import { defaultNetworkScenario, type NetworkScenario, validateNetworkScenario } from './scenario.ts';

const check = (change: Partial<NetworkScenario>) => () =>
  validateNetworkScenario({ ...defaultNetworkScenario, ...change });

it.each([
  ['validators', 63, 2 ** 20 + 1],
  ['nodes', 15, 20_001],
  ['reserved', -0.01, 1],
  ['subnetsPerNode', -1, 65],
  ['committeeTopicsPerNode', -1, 65],
  ['participation', 0, 1.01],
  ['seed', -1, 2 ** 32],
] satisfies readonly (readonly [keyof NetworkScenario, number, number])[])(
  '%s refuses %d and %d',
  (name, low, high) => {
    for (const value of [low, high]) expect(check({ [name]: value })).toThrow(new RegExp(`${name}: expected`));
  },
);

it('accepts the ends of its ranges', () => {
  const ends: Partial<NetworkScenario>[] = [
    { validators: 2 ** 20 },
    { nodes: 16 },
    { nodes: 20_000 },
    { reserved: 0 },
    { reserved: 0.99 },
    { subnetsPerNode: 0 },
    { subnetsPerNode: 64 },
    { committeeTopicsPerNode: 0 },
    { committeeTopicsPerNode: 64 },
    { participation: 0.01 },
    { seed: 2 ** 32 - 1 },
  ];
  for (const end of ends) expect(check(end), JSON.stringify(end)).not.toThrow();
});

it('orders the times of a slot, up to ten minutes', () => {
  const order = 'times of the slot: expected in order, up to 600000 ms';
  expect(check({ changes: { blockMs: 600_000 } })).not.toThrow();
  expect(check({ changes: { blockMs: 600_001 } })).toThrow(order);
  expect(check({ changes: { attestMs: 5000, aggregateMs: 4000 } })).toThrow(order);
});

it.each([
  ['system', { system: 'trumpet' as 'horn' }],
  ['distribution', { distribution: 'pigeons' as 'even' }],
] as const)('names the choices of %s', (name, change) => {
  expect(check(change as Partial<NetworkScenario>)).toThrow(new RegExp(`^${name}: expected \\w[\\w-]* or `));
});
