import { describe, expect, it } from 'vitest';
import { upTo } from '../../../../core/test/sizes.ts';
import { citiesByDistance } from './citiesByDistanceNetwork.ts';
import { cities } from './citiesNetwork.ts';
import {
  awsOneWayUs,
  awsRegions,
  createNetwork,
  hasMachines,
  loadNetwork,
  networkText,
  validateNetwork,
} from './network.ts';
import { type NamedNetwork, type NetworkModel, renumbered } from './networkModel.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

/** Returns random latencies of one link, µs, in ascending order. */
function draws(network: NetworkModel, from: number, to: number, count: number): number[] {
  return upTo(count)
    .map(() => network.oneWayUs(from, to))
    .sort((a, b) => a - b);
}

function jitterUs(network: NamedNetwork, from: number): number {
  const into = Int32Array.of(-1, -1);
  network.drawJitter(from, into, 1);
  expect(into[1]).toBe(-1);
  return into[0]!;
}

const neighbours = (network: NetworkModel): [number, number] => [0, network.region.indexOf(network.region[0]!, 1)];

it.each([
  [0, 1],
  [12.5, 12_500],
  [60_000, 60_000_000],
])('constant:%d is the same for all pairs, and at least a microsecond', (ms, us) => {
  const network = createNetwork(`constant:${ms}`, 5, 1);
  for (let from = 0; from < 5; from++) expect(network.oneWayUs(from, 4 - from)).toBe(us);
});

describe('aws', () => {
  it('spreads the nodes evenly over the regions', () => {
    for (const nodes of [1, 10, 11, 12, 100, 1024]) {
      const { region } = createNetwork('aws', nodes, 3);
      const counts = awsRegions.map((_, index) => region.filter((at) => at === index).length);
      expect(counts.reduce((sum, count) => sum + count)).toBe(nodes);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  it("v1.03 appendix B: is half of the regions' round trip plus jitter, in both directions", () => {
    const network = createNetwork('aws', 60, 5);
    for (let from = 0; from < 60; from += 7) {
      for (let to = 0; to < 60; to += 5) {
        const base = awsOneWayUs(network.region[from]!, network.region[to]!);
        for (const [a, b] of [
          [from, to],
          [to, from],
        ] as const) {
          const least = draws(network, a, b, 30)[0]!;
          expect(least - base).toBeGreaterThanOrEqual(0);
          expect(least - base).toBeLessThan(2000);
        }
      }
    }
  });

  it('has generalised Pareto jitter: median 0.11 ms, 90 % under 5.7, 95 % under 16, never over 157', () => {
    const network = createNetwork('aws', 44, 1);
    const [from, to] = neighbours(network);
    const jitterMs = draws(network, from, to, 200_000).map((us) => (us - 1000) / 1000);
    const quantile = (share: number): number => jitterMs[Math.floor(share * jitterMs.length)]!;
    expect(jitterMs[0]).toBe(0);
    expect(quantile(0.5)).toBeCloseTo(0.11, 1);
    for (const [share, ms] of [
      [0.9, 5.7],
      [0.95, 16],
    ] as const)
      expect(Math.abs(quantile(share) / ms - 1), `${share}`).toBeLessThan(0.05);
    expect(jitterMs.at(-1)).toBeCloseTo(157.2, 0);
    expect(quantile(0.995)).toBe(jitterMs.at(-1));
  });

  it("one sender's messages do not change another sender's jitter", () => {
    const [quiet, busy] = [createNetwork('aws', 20, 9), createNetwork('aws', 20, 9)];
    for (const _ of upTo(1000)) busy.oneWayUs(3, 4);
    expect(draws(busy, 5, 6, 50)).toEqual(draws(quiet, 5, 6, 50));
  });
});

it('distance is half of 4.862 ms plus 0.022 ms per mile, up to half of the circumference', () => {
  const network = createNetwork('distance', 300, 2);
  const least = upTo(299).map((from) => draws(network, from, from + 1, 30)[0]!);
  // The latency is at least that for distance 0 and at most that for 12,437 miles.
  expect(Math.min(...least)).toBeGreaterThanOrEqual(2431);
  expect(Math.max(...least)).toBeLessThan(2431 + 0.5 * 22 * 12_437 + 2000);
  // Positions are uniform on the globe, so half of all pairs are over a quarter of the circumference apart.
  const far = least.filter((us) => us > 2431 + 0.5 * 22 * 6218).length;
  expect(far / least.length).toBeGreaterThan(0.4);
  expect(far / least.length).toBeLessThan(0.6);
});

it('aws-blocks assigns ids in the order of the regions, twice, so that near peers are in the same region', () => {
  const { region } = createNetwork('aws-blocks', 220, 1);
  expect([...region.subarray(0, 110)]).toEqual(upTo(110).map((id) => Math.floor(id / 10)));
  expect(region.subarray(110)).toEqual(region.subarray(0, 110));
  expect(createNetwork('aws-blocks', 221, 1).region.length).toBe(221);
  expect(createNetwork('aws-blocks', 1, 1).region[0]).toBe(0);
});

it('aws-blocks assigns them to the given number of machines, one node each if there are fewer nodes', () => {
  const { machine, region } = createNetwork('aws-blocks:110', 220, 1);
  expect(region).toEqual(createNetwork('aws-blocks', 220, 1).region);
  expect([...machine!]).toEqual([...upTo(110), ...upTo(110)]);
  const few = createNetwork('aws-blocks:2000', 22, 1);
  expect([...few.machine!]).toEqual(upTo(22));
  expect([...few.region]).toEqual(upTo(22).map((id) => Math.floor(id / 2)));
  expect(createNetwork('aws', 22, 1).machine).toBeUndefined();
});

it.each([
  ['cities', cities, 218],
  ['cities-by-distance', citiesByDistance, 242],
] as const)('v1.03 appendix A.1: %s places nodes in cities, in proportion to population', (network, places, count) => {
  const nodes = 60_000;
  const { region, regionNames } = createNetwork(network, nodes, 7);
  expect([regionNames, new Set(region).size]).toEqual([places.map(({ name }) => name), count]);
  const total = places.reduce((sum, { population }) => sum + population, 0);
  const counts = new Int32Array(count);
  for (const at of region) counts[at]!++;
  for (const [index, { name, population }] of places.entries()) {
    const expectedHere = (nodes * population) / total;
    // The tolerance is five standard deviations of a binomial count.
    expect(Math.abs(counts[index]! - expectedHere), name).toBeLessThan(5 * Math.sqrt(expectedHere));
  }
});

/** Returns half of the round trip over a great-circle distance in miles, which is accurate to a few miles, µs. */
const overMilesUs = (miles: number) => 500 * (4.862 + 0.022 * miles);

it.each([
  ['cities', 'Tokyo', 'London', 500 * 217],
  ['cities', 'New York', 'Los Angeles', 500 * 69],
  ['cities', 'Shanghai', 'Istanbul', 500 * 334],
  ['cities', 'Moscow', 'Buenos Aires', 500 * 274],
  ['cities-by-distance', 'Tokyo, JP', 'London, GB', overMilesUs(5940)],
  ['cities-by-distance', 'New York City, US', 'Los Angeles, US', overMilesUs(2446)],
  ['cities-by-distance', 'Sydney, AU', 'São Paulo, BR', overMilesUs(8310)],
])('%s: from %s to %s and back, a message takes half of the round trip plus jitter', (name, a, b, baseUs) => {
  const network = createNetwork(name, 3000, 7);
  const [from, to] = [a, b].map((city) => network.region.indexOf(network.regionNames.indexOf(city))) as [
    number,
    number,
  ];
  expect(network.wayUs(from, to)).toBe(network.wayUs(to, from));
  expect(Math.abs(network.wayUs(from, to) - baseUs)).toBeLessThan(name === 'cities' ? 1 : 600);
});

it('cities: is 103 ms one way on average between two residents, and 5 ms within a city, without jitter', () => {
  const network = createNetwork('cities', 4000, 3);
  const meanUs = upTo(2000).reduce((sum, from) => sum + network.wayUs(from, from + 2000), 0) / 2000;
  expect(Math.abs(meanUs / 103_000 - 1)).toBeLessThan(0.03);
  expect(network.wayUs(...neighbours(network))).toBe(5000);
});

it.each(['aws', 'cities', 'cities-by-distance'])('%s places nodes by the seed', (name) => {
  const places = (seed: number) => createNetwork(name, 100, seed).region;
  expect(places(1)).toEqual(places(1));
  expect(places(1)).not.toEqual(places(2));
});

it('v1.03 4.2.1: on mixed, a message has the latency of its slower end', () => {
  const network = createNetwork('mixed:100,400,0.2', 50, 3);
  const slow = (id: number): boolean => network.region[id] === 1;
  expect(upTo(50).filter(slow).length).toBe(10);
  for (const from of upTo(50)) {
    for (const to of upTo(50)) expect(network.oneWayUs(from, to)).toBe(slow(from) || slow(to) ? 400_000 : 100_000);
  }
});

it('v1.03 A.3: Tor adds 500 ms one way for each end that uses it', () => {
  const network = createNetwork('constant:10', 40, 5, 0.25);
  const hidden = (id: number): boolean => network.oneWayUs(id, id) === 1_010_000;
  expect(upTo(40).filter(hidden).length).toBe(10);
  for (const from of upTo(40)) {
    for (const to of upTo(40))
      expect(network.oneWayUs(from, to)).toBe(10_000 + 500_000 * (Number(hidden(from)) + Number(hidden(to))));
  }
});

const names = [
  ...['aws', 'aws-blocks', 'aws-blocks:1', 'aws-blocks:20', 'cities', 'cities-by-distance', 'distance'],
  ...['constant:0', 'constant:50', 'constant:0.5', 'mixed:20,200,0.25', 'mixed:1,2,1', 'mixed:0,5.5,0'],
];

it.each(names)('%s: a latency is an integer from 1, the path latency plus jitter, among all and some nodes', (name) => {
  const [whole, parted, part] = upTo(3).map(() => createNetwork(name, 30, 1, 0.3));
  const some = Int32Array.of(7, 29, 0, 8);
  const among = renumbered(part!, some);
  for (const pair of upTo(160)) {
    const [from, to] = [pair % 4, Math.floor(pair / 4) % 4];
    const [at, other] = [some[from]!, some[to]!];
    const us = whole!.oneWayUs(at, other);
    expect(Number.isInteger(us) && us >= 1).toBe(true);
    expect(parted!.wayUs(at, other) + jitterUs(parted!, at)).toBe(us);
    expect(pair % 2 === 0 ? among.oneWayUs(from, to) : among.wayUs(from, to) + jitterUs(among, from)).toBe(us);
  }
  expect(among.region[2]).toBe(whole!.region[0]);
});

it("v1.03 appendix B: one way is half of the table's 55 round trips, and 1 ms within a region", () => {
  const oneWayMs = (a: number, b: number) => awsOneWayUs(a, b) / 1000;
  for (const [a, b, ms] of [
    ['Oregon', 'Virginia', 40.5],
    ['Oregon', 'London', 70.5],
    ['Mumbai', 'Singapore', 31],
    ['Seoul', 'Tokyo', 17.5],
    ['Sydney', 'Frankfurt', 141],
    ['Canada', 'London', 43.5],
    ['Ireland', 'London', 6],
    ['Tokyo', 'Tokyo', 1],
  ] as const)
    expect(oneWayMs(awsRegions.indexOf(a), awsRegions.indexOf(b)), `${a} to ${b}`).toBe(ms);
  const pairs = upTo(11).flatMap((a) => upTo(a).map((b) => 2 * oneWayMs(a, b)));
  expect([pairs.length, pairs.reduce((sum, ms) => sum + ms)]).toEqual([55, 8124]);
});

it('accepts names of networks within their limits, and refuses others', () => {
  for (const name of [...names, 'constant:60000', 'mixed:60000,60000,1', 'aws-blocks:1048576']) {
    expect(networkText('it', name)).toBe(name);
    expect(() => validateNetwork(name)).not.toThrow();
  }
  expect(names.filter(hasMachines)).toEqual(['aws-blocks', 'aws-blocks:1', 'aws-blocks:20']);
  for (const name of [
    ...['aws-blocks:0', 'aws-blocks:1048577', 'constant:-1', 'constant:60001', 'mixed:60001,2,0.5'],
    ...['mixed:2,60001,0.5', 'mixed:1,2,1.01', '', 'nowhere', 'tor', 'file:x', 'Cities', 'aws ', 'cities:3'],
    ...['aws-blocks:x', 'constant:', 'constant:1e3', 'constant:1,2', 'mixed:', 'mixed:1,2', 'mixed:a,2,0.5'],
    ...['mixed:1,2,0.5,4', 'mixed:1,2,', 'mixed:1:2:0.5', 'mixed:1,2,0.5:'],
  ]) {
    expect(() => networkText('it', name), name).toThrow(/^it: expected /);
    expect(() => validateNetwork(name), name).toThrow(/^network: expected /);
  }
});
