import { expect, it } from 'vitest';
import {
  type ClientParameters,
  clientPresets,
  clientsOfNodes,
  validateClient,
  validateClientShares,
} from './client.ts';
import { defaultNetworkScenario } from './scenario.ts';

it.each([
  ['cores', 1, 256],
  ['batch', 1, 1024],
  ['batchWaitMs', 0, 10_000],
  ['voteQueue', 1, 2 ** 20],
  ['aggregateQueue', 1, 2 ** 20],
] satisfies readonly (readonly [keyof ClientParameters, number, number])[])(
  '%s ranges from %d to %d',
  (name, min, max) => {
    const withValue = (value: number) => () => validateClient({ ...defaultNetworkScenario.client, [name]: value });
    for (const value of [min, max]) expect(withValue(value)).not.toThrow();
    for (const value of [min - 1, max + 1]) expect(withValue(value)).toThrow(RangeError);
  },
);

it('clientsOfNodes(own, shares, order) has the exact shares, on the machine of the other settings', () => {
  const own = { ...defaultNetworkScenario.client, cores: 7, atOnce: 1 };
  const shares = [
    { name: 'prysm', share: 0.3 },
    { name: 'teku', share: 0.25 },
  ] as const;
  const order = Int32Array.from({ length: 100 }, (_, node) => 99 - node);
  const of = clientsOfNodes(own, shares, order);
  const ofPrysm = of.filter(({ sumsEqual }) => sumsEqual === true);
  expect([ofPrysm.length, of.filter((one) => one === own).length]).toEqual([30, 45]);
  expect(ofPrysm[0]).toEqual({ ...clientPresets.prysm, machine: own.machine, cores: 7 });
  expect(of[99]).toBe(ofPrysm[0]);
});

it.each([
  [[{ name: 'prism' as 'prysm', share: 0.5 }], /clients: expected .*prysm/],
  [[{ name: 'prysm' as const, share: 1.5 }], /share of prysm/],
  [[undefined as never], /clients: expected an object/],
  [[0.6, 0.5].map((share) => ({ name: 'teku' as const, share })), /shares of clients together/],
])('validateClientShares(%j) throws', (shares, words) => expect(() => validateClientShares(shares)).toThrow(words));
