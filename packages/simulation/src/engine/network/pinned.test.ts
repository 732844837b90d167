import { expect, it } from 'vitest';
import { digestOf, outcomeOf } from '../../../../../tests/digests.ts';
import { awsOneWayUs, awsRegions } from './awsLatency.ts';
import { citiesByPopulation } from './citiesByDistanceNetwork.ts';
import { cities } from './citiesNetwork.ts';
import { drawOnGlobe } from './distanceNetwork.ts';
import { Globe } from './globe.ts';
import { Jitter } from './jitter.ts';
import { loadNetwork } from './loadNetwork.ts';
import { matrixNetwork } from './matrixNetwork.ts';
import { createNetwork, hasMachines, networkText, validateNetwork } from './network.ts';
import type { NamedNetwork, NetworkModel } from './networkModel.ts';
import { drawByPopulation } from './places.ts';

/** What is public of it. */
function modelOf({ wayUs: _, drawJitter: __, ...model }: NamedNetwork): NetworkModel {
  return model;
}

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const names = [
  ...['aws', 'aws-blocks', 'aws-blocks:1', 'aws-blocks:20', 'cities', 'cities-by-distance', 'distance'],
  ...['constant:0', 'constant:50', 'constant:0.5', 'mixed:20,200,0.25', 'mixed:1,2,1', 'mixed:0,5.5,0'],
];

it.each(names)('%s: where nodes are and how long messages between them take is what it was', (name) => {
  const pins = [2, 3, 17, 40].flatMap((nodes, seed) =>
    [0, 0.4].map((tor) => {
      const network = createNetwork(name, nodes, seed, tor);
      // Twice, for what is drawn anew for each message.
      const pairs = Array.from({ length: 2 * nodes * nodes }, (_, pair) =>
        network.oneWayUs(Math.floor(pair / nodes) % nodes, pair % nodes),
      );
      return digestOf([modelOf(network), pairs]);
    }),
  );
  expect(pins).toMatchSnapshot();
});

it('names of networks are read, checked and refused as they were', () => {
  const texts = [
    ...names,
    ...[
      '',
      'nowhere',
      'aws-blocks:0',
      'aws-blocks:x',
      'aws-blocks:1048577',
      'constant:',
      'constant:-1',
      'constant:1e3',
    ],
    ...['constant:60000', 'constant:60001', 'constant:600000', 'constant:600001', 'mixed:', 'mixed:1,2', 'mixed:1,2,3'],
    ...['mixed:1,2,1.01', 'mixed:60001,2,0.5', 'mixed:2,60001,0.5', 'mixed:a,2,0.5', 'tor', 'file:x', 'Cities'],
  ];
  const pins = texts.map((text) => [
    text,
    hasMachines(text),
    outcomeOf(() => networkText('it', text)),
    outcomeOf(() => validateNetwork(text)),
  ]);
  expect(pins).toMatchSnapshot();
});

it('places, distances, jitter and given matrices are what they were', () => {
  const aws = awsRegions.map((_, a) => awsRegions.map((__, b) => awsOneWayUs(a, b)));
  const globe = new Globe(30);
  const places: number[][] = [];
  drawOnGlobe(30, 5, (id, height, longitude) => {
    places.push([id, height, longitude]);
    globe.place(id, height, longitude);
  });
  const distances = places.map(([a]) => places.map(([b]) => globe.oneWayUs(a!, b!)));
  const jitter = new Jitter(3, 7);
  const waits = Array.from({ length: 600 }, (_, call) => jitter.nextUs(call % 3));
  const population = drawByPopulation([5, 1, 10, 2], 200, 3);
  const byPopulation = citiesByPopulation();
  const pins = { aws, places, distances, waits, population, byPopulation, cities: cities() };
  expect(Object.entries(pins).map(([name, of]) => `${name} ${digestOf(of)}`)).toMatchInlineSnapshot(`
    [
      "aws e891f601f8f3",
      "places ec0c773ef2ea",
      "distances b410769cb5c6",
      "waits 3b379c96f5bf",
      "population 8b261b472a9b",
      "byPopulation 1c962ddab309",
      "cities 71584119ec04",
    ]
  `);
});

it.each([
  [
    ['a', 'b'],
    [
      [1, 2.5],
      [0, 60_000],
    ],
  ],
  [['a'], [[0.0001]]],
  [['a', 'b'], [[1, 2]]],
  [
    ['a', 'b'],
    [[1, 2], [3]],
  ],
  [[], []],
  [['a'], [[60_001]]],
  [['a'], [[-1]]],
  [Array(256).fill('a'), Array(256).fill(Array(256).fill(1))],
  [Array(257).fill('a'), Array(257).fill(Array(257).fill(1))],
] as [string[], number[][]][])('a matrix of %j is taken or refused as it was', (names, oneWayMs) => {
  const pin = outcomeOf(() => {
    const network = matrixNetwork({ places: names, oneWayMs }, 9, 3);
    return digestOf([
      modelOf(network),
      Array.from({ length: 162 }, (_, pair) => network.oneWayUs(Math.floor(pair / 9) % 9, pair % 9)),
    ]);
  });
  expect(pin).toMatchSnapshot();
});

it('a matrix is for as many nodes as there may be', () => {
  const sizes = [0, 1, 2 ** 20, 2 ** 20 + 1].map((nodes) =>
    outcomeOf(() => matrixNetwork({ places: ['one'], oneWayMs: [[1]] }, nodes, 1).region.length),
  );
  expect(sizes).toMatchSnapshot();
});
