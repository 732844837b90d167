import { describe, expect, it } from 'vitest';
import { upTo } from '../../../../core/test/sizes.ts';
import { citiesByPopulation } from './citiesByDistanceNetwork.ts';
import { cities } from './citiesNetwork.ts';
import { awsOneWayUs, awsRegions, createNetwork, loadedNetwork, loadNetwork } from './network.ts';
import { type NamedNetwork, type NetworkModel, renumbered } from './networkModel.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

/** Returns random latencies of one link, µs, in ascending order. */
function draws(network: NetworkModel, from: number, to: number, count: number): number[] {
  return upTo(count)
    .map(() => network.oneWayUs(from, to))
    .sort((a, b) => a - b);
}

/** Returns the sender's next jitter, µs. */
function jitterUs(network: NamedNetwork, from: number): number {
  const into = Int32Array.of(-1, -1);
  network.drawJitter(from, into, 1);
  expect(into[1]).toBe(-1);
  return into[0]!;
}

/** Returns two nodes in the same region. */
function neighbours(network: NetworkModel): [number, number] {
  const other = network.region.indexOf(network.region[0]!, 1);
  return [0, other];
}

describe('constant', () => {
  it('is the same for all pairs, in microseconds', () => {
    const network = createNetwork('constant:12.5', 5, 1);
    for (let from = 0; from < 5; from++) expect(network.oneWayUs(from, 4 - from)).toBe(12_500);
    expect(network.regionNames[network.region[3]!]).toBeTypeOf('string');
  });

  it('is at least a microsecond', () => {
    expect(createNetwork('constant:0', 2, 1).oneWayUs(0, 1)).toBe(1);
    expect(createNetwork('constant:60000', 2, 1).oneWayUs(0, 1)).toBe(60_000_000);
  });
});

describe('aws', () => {
  it('spreads the nodes evenly over the regions, differently for another seed', () => {
    for (const nodes of [1, 10, 11, 12, 100, 1024]) {
      const { region } = createNetwork('aws', nodes, 3);
      const counts = awsRegions.map((_, index) => region.filter((at) => at === index).length);
      expect(counts.reduce((sum, count) => sum + count)).toBe(nodes);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    expect(createNetwork('aws', 100, 1).region).not.toEqual(createNetwork('aws', 100, 2).region);
    expect(createNetwork('aws', 100, 1).region).toEqual(createNetwork('aws', 100, 1).region);
    expect(createNetwork('aws', 100, 1).regionNames).toEqual(awsRegions);
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
    expect(quantile(0.9) / 5.7).toBeGreaterThan(0.95);
    expect(quantile(0.9) / 5.7).toBeLessThan(1.05);
    expect(quantile(0.95) / 16).toBeGreaterThan(0.95);
    expect(quantile(0.95) / 16).toBeLessThan(1.05);
    expect(jitterMs.at(-1)).toBeCloseTo(157.2, 0);
    expect(quantile(0.995)).toBe(jitterMs.at(-1));
  });

  it('draws jitter from one stream per sender: the messages of one sender do not change the jitter of another', () => {
    const quiet = createNetwork('aws', 20, 9);
    const busy = createNetwork('aws', 20, 9);
    for (const _ of upTo(1000)) busy.oneWayUs(3, 4);
    expect(draws(busy, 5, 6, 50)).toEqual(draws(quiet, 5, 6, 50));
  });
});

describe('distance', () => {
  it('is half of 4.862 ms plus 0.022 ms per mile, up to half of the circumference', () => {
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

  it('is equal in both directions, except for jitter', () => {
    const network = createNetwork('distance', 50, 2);
    for (let from = 0; from < 49; from++) {
      const there = draws(network, from, from + 1, 60)[0]!;
      const back = draws(network, from + 1, from, 60)[0]!;
      expect(Math.abs(there - back)).toBeLessThan(500);
    }
  });
});

describe('aws-blocks', () => {
  it('assigns ids in the order of the regions, twice, so that near peers are in the same region', () => {
    const { region } = createNetwork('aws-blocks', 220, 1);
    expect([...region.subarray(0, 110)]).toEqual(upTo(110).map((id) => Math.floor(id / 10)));
    expect(region.subarray(110)).toEqual(region.subarray(0, 110));
    expect(createNetwork('aws-blocks', 221, 1).region.length).toBe(221);
    expect(createNetwork('aws-blocks', 1, 1).region[0]).toBe(0);
  });

  it('assigns them to the given number of machines, one node each if there are fewer nodes', () => {
    const { machine, region } = createNetwork('aws-blocks:110', 220, 1);
    expect(region).toEqual(createNetwork('aws-blocks', 220, 1).region);
    expect([...machine!]).toEqual([...upTo(110), ...upTo(110)]);
    const few = createNetwork('aws-blocks:2000', 22, 1);
    expect([...few.machine!]).toEqual(upTo(22));
    expect([...few.region]).toEqual(upTo(22).map((id) => Math.floor(id / 2)));
    expect(createNetwork('aws', 22, 1).machine).toBeUndefined();
  });
});

it('a network with an unloaded table names the function to call', () => {
  expect(() => loadedNetwork('unloaded' as 'cities')).toThrow(
    "network: expected the table of unloaded, got none; call await loadNetwork('unloaded') first",
  );
});

describe('cities', () => {
  it('v1.03 appendix A.1: places nodes in 218 cities with measured latencies, weighted by population', () => {
    expect(cities().length).toBe(218);
    const nodes = 60_000;
    const { region, regionNames } = createNetwork('cities', nodes, 7);
    expect(regionNames).toEqual(cities().map(({ name }) => name));
    const total = cities().reduce((sum, { population }) => sum + population, 0);
    for (const [index, { name, population }] of cities().entries()) {
      const expectedHere = (nodes * population) / total;
      const here = region.filter((at) => at === index).length;
      // The tolerance is five standard deviations of a binomial count.
      expect(Math.abs(here - expectedHere), name).toBeLessThan(5 * Math.sqrt(expectedHere));
    }
    expect(new Set(region).size).toBe(218);
  });

  it('is half of the mean of the round trips measured from both ends, equal in both directions', () => {
    const network = createNetwork('cities', 3000, 7);
    const inCity = (name: string): number => network.region.indexOf(network.regionNames.indexOf(name));
    for (const [a, b, roundTripMs] of [
      ['Tokyo', 'London', 217.1],
      ['New York', 'Los Angeles', 68.7],
      ['Shanghai', 'Istanbul', 333.5],
      ['Moscow', 'Buenos Aires', 273.9],
    ] as const) {
      const [from, to] = [inCity(a), inCity(b)];
      expect(draws(network, from, to, 400)[0]).toBe(500 * Math.round(roundTripMs));
      expect(draws(network, to, from, 400)[0]).toBe(500 * Math.round(roundTripMs));
      const median = draws(network, from, to, 4001)[2000]!;
      expect(Math.abs(median - 500 * roundTripMs - 110)).toBeLessThan(600);
    }
  });

  it('is 103 ms one way on average between two residents, and 5 ms within a city, without jitter', () => {
    const network = createNetwork('cities', 4000, 3);
    let sumUs = 0;
    // The minimum of eight draws is nearly free of jitter.
    for (let from = 0; from < 2000; from++) sumUs += draws(network, from, from + 2000, 8)[0]!;
    expect(sumUs / 2000 / 103_000).toBeGreaterThan(0.97);
    expect(sumUs / 2000 / 103_000).toBeLessThan(1.03);
    const [from, to] = neighbours(network);
    expect(draws(network, from, to, 100)[0]).toBe(5000);
  });
});

describe('cities-by-distance', () => {
  it('places nodes in 242 cities, weighted by population', () => {
    const cities = citiesByPopulation();
    expect(cities.length).toBe(242);
    const nodes = 60_000;
    const { region, regionNames } = createNetwork('cities-by-distance', nodes, 7);
    expect(regionNames.length).toBe(242);
    const total = cities.reduce((sum, { population }) => sum + population, 0);
    for (const [index, { name, population }] of cities.slice(0, 30).entries()) {
      const expectedHere = (nodes * population) / total;
      const here = region.filter((at) => at === index).length;
      // The tolerance is five standard deviations of a binomial count.
      expect(Math.abs(here - expectedHere), name).toBeLessThan(5 * Math.sqrt(expectedHere));
    }
    expect(new Set(region).size).toBe(242);
  });

  it('is half of 4.862 ms plus 0.022 ms per mile between two cities, equal in both directions, plus median jitter', () => {
    const network = createNetwork('cities-by-distance', 3000, 7);
    const inCity = (name: string): number => network.region.indexOf(network.regionNames.indexOf(name));
    // Great-circle distances in miles, accurate to a few miles.
    for (const [a, b, miles] of [
      ['Tokyo, JP', 'London, GB', 5940],
      ['New York City, US', 'Los Angeles, US', 2446],
      ['Sydney, AU', 'São Paulo, BR', 8310],
    ] as const) {
      const [from, to] = [inCity(a), inCity(b)];
      const baseUs = 500 * (4.862 + 0.022 * miles);
      expect(Math.abs(draws(network, from, to, 400)[0]! - baseUs)).toBeLessThan(600);
      expect(draws(network, from, to, 400)[0]).toBe(draws(network, to, from, 400)[0]);
      const median = draws(network, from, to, 4001)[2000]!;
      expect(Math.abs(median - baseUs - 110)).toBeLessThan(600);
    }
  });
});

it.each(['cities', 'cities-by-distance'])('%s places nodes by the seed', (name) => {
  const places = (seed: number) => createNetwork(name, 100, seed).region;
  expect(places(1)).toEqual(places(1));
  expect(places(1)).not.toEqual(places(2));
});

describe('mixed', () => {
  it('v1.03 4.2.1: a message has the latency of its slower end', () => {
    const network = createNetwork('mixed:100,400,0.2', 50, 3);
    const slow = (id: number): boolean => network.region[id] === 1;
    expect(upTo(50).filter(slow).length).toBe(10);
    for (const from of upTo(50)) {
      for (const to of upTo(50)) expect(network.oneWayUs(from, to)).toBe(slow(from) || slow(to) ? 400_000 : 100_000);
    }
  });
});

describe('Tor', () => {
  it('v1.03 A.3: adds 500 ms one way for each end that uses it', () => {
    const network = createNetwork('constant:10', 40, 5, 0.25);
    const hidden = (id: number): boolean => network.oneWayUs(id, id) === 1_010_000;
    expect(upTo(40).filter(hidden).length).toBe(10);
    for (const from of upTo(40)) {
      for (const to of upTo(40)) {
        const ends = Number(hidden(from)) + Number(hidden(to));
        expect(network.oneWayUs(from, to)).toBe(10_000 + 500_000 * ends);
      }
    }
  });
});

it('every network returns integers of at least 1', () => {
  for (const name of [
    'aws',
    'aws-blocks',
    'cities',
    'cities-by-distance',
    'distance',
    'constant:0',
    'constant:3.3333',
    'mixed:0,2.5,0.3',
  ]) {
    const network = createNetwork(name, 30, 4);
    for (const us of upTo(900).map((pair) => network.oneWayUs(pair % 30, Math.floor(pair / 30)))) {
      expect(Number.isInteger(us) && us >= 1).toBe(true);
    }
  }
});

it.each(['aws', 'aws-blocks', 'cities', 'cities-by-distance', 'distance', 'constant:50', 'mixed:20,200,0.25'])(
  '%s: a latency is the path latency plus jitter, among all nodes and among some',
  (name) => {
    const [whole, parted, part] = upTo(3).map(() => createNetwork(name, 30, 1, 0.3));
    const some = Int32Array.of(7, 29, 0, 8);
    const among = renumbered(part!, some);
    for (const pair of upTo(160)) {
      const [from, to] = [pair % 4, Math.floor(pair / 4) % 4];
      const [at, other] = [some[from]!, some[to]!];
      const us = whole!.oneWayUs(at, other);
      expect(parted!.wayUs(at, other) + jitterUs(parted!, at)).toBe(us);
      expect(pair % 2 === 0 ? among.oneWayUs(from, to) : among.wayUs(from, to) + jitterUs(among, from)).toBe(us);
    }
    expect(among.region[2]).toBe(whole!.region[0]);
  },
);

const oneWayMs = (a: (typeof awsRegions)[number], b: (typeof awsRegions)[number]): number =>
  awsOneWayUs(awsRegions.indexOf(a), awsRegions.indexOf(b)) / 1000;

it("v1.03 appendix B: one way is half of the table's round trip", () => {
  expect(awsRegions.length).toBe(11);
  expect(oneWayMs('Oregon', 'Virginia')).toBe(40.5);
  expect(oneWayMs('Oregon', 'London')).toBe(70.5);
  expect(oneWayMs('Virginia', 'Canada')).toBe(6.5);
  expect(oneWayMs('Mumbai', 'Singapore')).toBe(31);
  expect(oneWayMs('Seoul', 'Tokyo')).toBe(17.5);
  expect(oneWayMs('Singapore', 'London')).toBe(85.5);
  expect(oneWayMs('Sydney', 'Frankfurt')).toBe(141);
  expect(oneWayMs('Tokyo', 'Frankfurt')).toBe(117.5);
  expect(oneWayMs('Canada', 'London')).toBe(43.5);
  expect(oneWayMs('Frankfurt', 'London')).toBe(6.5);
  expect(oneWayMs('Ireland', 'London')).toBe(6);
});

it("v1.03 appendix B: the pairs add up to the table's 55 round trips", () => {
  let sumMs = 0;
  for (let a = 0; a < 11; a++) for (let b = a + 1; b < 11; b++) sumMs += (2 * awsOneWayUs(a, b)) / 1000;
  expect(sumMs).toBe(8124);
});

it('is 1 ms within a region', () => {
  for (let region = 0; region < 11; region++) expect(awsOneWayUs(region, region)).toBe(1000);
});
