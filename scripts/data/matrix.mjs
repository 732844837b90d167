/** `npm run data -- matrix`: plays each mechanism and rival under each attack, and writes the page's matrix. Minutes of one core. */
import { writeFileSync } from 'node:fs';
import { version } from '@tutti/core';
import { matrixAttacks, matrixCell, matrixRows } from '@tutti/lab';
import { root } from '../run.mjs';

const seeds = Array.from({ length: 20 }, (_, place) => place + 1);
const round = (interval) =>
  interval && Object.fromEntries(Object.entries(interval).map(([name, value]) => [name, Math.round(value * 10) / 10]));

const cells = [];
for (const row of matrixRows)
  for (const attack of matrixAttacks) {
    const cell = matrixCell(row, attack, seeds);
    if (cell === undefined) continue;
    const { lastMs, checks, bytes, ...rest } = cell;
    cells.push({ ...rest, lastMs: round(lastMs), checks: round(checks), bytes: round(bytes) });
    console.log(JSON.stringify(cells.at(-1)));
  }
const file = `${root}apps/visualizer/src/matrix/matrix.json`;
writeFileSync(file, `${JSON.stringify({ version, seeds: seeds.length, cells })}\n`);
console.log(`wrote ${file}`);
