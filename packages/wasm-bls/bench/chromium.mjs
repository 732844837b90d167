/**
 * The benchmark of kernel.mjs in Chromium: a page for each library, asked in turn.
 *
 *     npm run bench -- chromium [--rounds 40] [--only verify,batch-128] [--dry]
 *
 * Prints the table, and writes docs/records/bench-kernel-chromium.md unless --dry. CHROMIUM_PATH is the browser,
 * /usr/bin/chromium if it is not set.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { wrapMarkdown } from '../../../scripts/wrapMarkdown.mjs';
import { contender, operations } from './contenders.mjs';
import { interleaved, least } from './interleaved.mjs';
import { pageContender } from './pageContender.mjs';
import { repository, wideFlag, withPages } from './pages.mjs';
import { browserSampleMs } from './sampling.mjs';
import { askedRounds, comparison } from './tables.mjs';

const measured = (rounds, only) =>
  withPages({ scripts: ['/node_modules/bls-eth-wasm/browser/bls.js'] }, async (open, version) => {
    const all = {};
    for (const name of ['scalar', 'simd', 'wide', 'noble', 'herumi'])
      all[name] = await pageContender(await open(), name);
    all.native = await contender('native');
    const rows = await interleaved(all, { rounds, only, told: (operation) => console.error(operation), of: least });
    return { rows, version };
  });

const asked = process.argv.indexOf('--only');
const only = asked === -1 ? Object.keys(operations) : process.argv[asked + 1].split(',');
const rounds = askedRounds(40);
const { rows, version } = await measured(rounds, only);
const text = comparison('ms for one call (ratio to the kernel)', rows);
console.log(text);
if (!process.argv.includes('--dry'))
  await writeFile(
    join(repository, 'docs', 'records', 'bench-kernel-chromium.md'),
    wrapMarkdown(`# The kernel against other BLS libraries, in Chromium

Measured by \`packages/wasm-bls/bench/chromium.mjs\` (\`npm run bench -- chromium\` writes this page); it bears on Handel v1.03, section 6, like [bench-kernel.md](bench-kernel.md), which explains the rows. [The same in Firefox](bench-kernel-firefox.md).

A page for each library, ${rounds} rounds, each of which runs every operation on every page in turn (${browserSampleMs} ms or more at a time). A page cannot measure its own CPU time, so these are milliseconds of wall time, including whatever else the machine did. A cell is the least of the rounds, which others on the machine disturb least, and a ratio that of two such cells, over 1 where the kernel is faster. All libraries were first checked to agree on every answer. Chromium has \`${wideFlag}\` set; native blst runs beside, in the process that asks the pages, timed by its CPU.

${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Chromium ${version}.

${text}
`),
  );
