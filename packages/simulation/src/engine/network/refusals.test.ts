import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../../tests/digests.ts';
import { matrixNetwork } from './matrixNetwork.ts';
import { hasMachines, loadNetwork, networkText, validateNetwork } from './network.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const names = [
  ...['aws', 'aws-blocks', 'aws-blocks:1', 'aws-blocks:20', 'cities', 'cities-by-distance', 'distance'],
  ...['constant:0', 'constant:50', 'constant:0.5', 'mixed:20,200,0.25', 'mixed:1,2,1', 'mixed:0,5.5,0'],
];

it('accepts names of networks within their limits, and refuses others', () => {
  for (const name of [...names, 'constant:60000', 'mixed:60000,60000,1']) {
    expect(networkText('it', name)).toBe(name);
    expect(() => validateNetwork(name)).not.toThrow();
  }
  expect(names.filter(hasMachines)).toEqual(['aws-blocks', 'aws-blocks:1', 'aws-blocks:20']);
  const beyond = ['aws-blocks:0', 'aws-blocks:1048577', 'constant:-1', 'constant:60001', 'mixed:60001,2,0.5'];
  const misread = ['', 'nowhere', 'aws-blocks:x', 'constant:', 'constant:1e3', 'mixed:', 'mixed:1,2', 'mixed:a,2,0.5'];
  const shapes = [
    'aws ',
    'constant:1,2',
    'mixed:1,2,0.5,4',
    'mixed:1,2,',
    'mixed:1:2:0.5',
    'mixed:1,2,0.5:',
    'cities:3',
  ];
  for (const name of [
    ...beyond,
    ...misread,
    'mixed:2,60001,0.5',
    'mixed:1,2,1.01',
    'tor',
    'file:x',
    'Cities',
    ...shapes,
  ]) {
    expect(() => networkText('it', name), name).toThrow(/^it: expected /);
    expect(() => validateNetwork(name), name).toThrow(/^network: expected /);
  }
});

it('a matrix has 1 to 2^20 nodes', () => {
  const sizes = [0, 1, 2 ** 20, 2 ** 20 + 1].map((nodes) =>
    outcomeOf(() => matrixNetwork({ places: ['one'], oneWayMs: [[1]] }, nodes, 1).region.length),
  );
  expect(sizes).toMatchInlineSnapshot(`
    [
      "RangeError: nodes: expected an integer from 1 to 1048576, got 0",
      1,
      1048576,
      "RangeError: nodes: expected an integer from 1 to 1048576, got 1048577",
    ]
  `);
});
