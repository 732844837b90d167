/**
 * The benchmark of kernel.mjs in Chromium: a page for each library, asked in turn.
 *
 *     npm run bench -- chromium [--rounds 40] [--only verify,batch-128] [--dry]
 *
 * Prints the table, and writes docs/records/bench-kernel-chromium.md unless --dry. CHROMIUM_PATH is the browser,
 * /usr/bin/chromium if it is not set.
 */
import { machine, options, writeRecord } from '../../../scripts/bench/frame.mjs';
import { contender, operations } from './contenders.mjs';
import { interleaved, least } from './interleaved.mjs';
import { pageContender } from './pageContender.mjs';
import { wideFlag, withPages } from './pages.mjs';
import { browserSampleMs } from './sampling.mjs';
import { comparison } from './tables.mjs';

const measured = (rounds, only) =>
  withPages({ scripts: ['/node_modules/bls-eth-wasm/browser/bls.js'] }, async (open, version) => {
    const all = {};
    for (const name of ['scalar', 'simd', 'wide', 'noble', 'herumi'])
      all[name] = await pageContender(await open(), name);
    all.native = await contender('native');
    const rows = await interleaved(all, { rounds, only, told: (operation) => console.error(operation), of: least });
    return { rows, version };
  });

const { rounds, dry, ...given } = options({ rounds: 40, only: undefined, dry: false });
const only = given.only?.split(',') ?? Object.keys(operations);
const { rows, version } = await measured(rounds, only);
const text = comparison('ms for one call (ratio to the kernel)', rows);
writeRecord(
  'bench-kernel-chromium',
  `# The kernel against other BLS libraries, in Chromium

Measured by \`packages/wasm-bls/bench/chromium.mjs\` (\`npm run bench -- chromium\` writes this page); it bears on Handel v1.03, section 6, like [bench-kernel.md](bench-kernel.md), which explains the rows. [The same in Firefox](bench-kernel-firefox.md).

A page for each library, ${rounds} rounds, each of which runs every operation on every page in turn (${browserSampleMs} ms or more at a time). A page cannot measure its own CPU time, so these are milliseconds of wall time, including whatever else the machine did. A cell is the least of the rounds, which others on the machine disturb least, and a ratio that of two such cells, over 1 where the kernel is faster. All libraries were first checked to agree on every answer. Chromium has \`${wideFlag}\` set; native blst runs beside, in the process that asks the pages, timed by its CPU.

${machine()}, Chromium ${version}.

${text}
`,
  !dry,
);
