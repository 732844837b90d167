/**
 * `npm run data -- cityLatency FILE`: writes the table of measured round trips that `--network cities` draws from.
 * FILE is JSON: `names` of the cities, the `population` of each, and `rttMs[from][to]`, the round trip that was
 * measured from one to another. A pair was measured from either end; the table keeps the mean of the two, in whole ms
 * and at least 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const lineLength = 128;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('expected a file: npm run data -- cityLatency FILE');
const { names, population, rttMs } = JSON.parse(readFileSync(file, 'utf8'));

const cities = names.map((name, index) => `${name.replaceAll('+', ' ')}|${Math.round(population[index] / 1000)}`);
const roundTrips = rttMs.flatMap((row, a) =>
  row.slice(0, a).map((ms, b) => Math.max(1, Math.round((ms + rttMs[b][a]) / 2))),
);
const plane = (digit) => {
  const text = roundTrips.map((ms) => digits[digit(ms)]).join('');
  return `\`\n${text.match(new RegExp(`.{1,${lineLength}}`, 'g')).join('\n')}\n\``;
};

writeFileSync(
  join(root, 'packages/simulation/src/engine/network/citiesTable.ts'),
  `// Written by scripts/data/cityLatency.mjs from WonderNetwork's mean pings of November 2018, as the simulator of the paper publishes them in its data
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
`,
);
