/**
 * The benchmark of kernel.mjs in Firefox: a frame for each library, asked in turn, and the kernel in Chromium beside.
 *
 *     npm run bench -- firefox [--rounds 15] [--only verify,batch-128] [--dry]
 *
 * Prints the table, and writes docs/records/bench-kernel-firefox.md unless --dry. FIREFOX_PATH is the browser, one on the
 * PATH if it is not set; CHROMIUM_PATH is Chromium, /usr/bin/chromium if it is not set.
 */
import { machine, options, writeRecord } from '../../../scripts/bench/frame.mjs';
import { operations } from './contenders.mjs';
import { withFirefox } from './firefoxFrames.mjs';
import { interleaved } from './interleaved.mjs';
import { pageContender } from './pageContender.mjs';
import { withPages } from './pages.mjs';
import { browserSampleMs } from './sampling.mjs';
import { comparison } from './tables.mjs';

const libraries = ['scalar', 'simd', 'wide', 'noble', 'herumi'];
const names = [...libraries, 'chromium'];

const measured = (rounds, only) =>
  withPages({ scripts: ['/node_modules/bls-eth-wasm/browser/bls.js'] }, (open, chromium, address) =>
    withFirefox(address, async (openFrame, version) => {
      const all = { chromium: await pageContender(await open(), 'simd') };
      for (const name of libraries) all[name] = await pageContender(await openFrame(), name);
      const told = (operation) => console.error(operation);
      return { rows: await interleaved(all, { rounds, only, told, names }), version, chromium };
    }),
  );

const { rounds, dry, ...given } = options({ rounds: 15, only: undefined, dry: false });
const only = given.only?.split(',') ?? Object.keys(operations);
const { rows, version, chromium } = await measured(rounds, only);
const text = comparison(
  'ms for one call (ratio to the kernel)',
  rows.map(({ operation, ms, ratio }) => ({ operation, ms, ratio: { ...ratio, chromium: null } })),
);
writeRecord(
  'bench-kernel-firefox',
  `# The kernel against other BLS libraries, in Firefox

Measured by \`packages/wasm-bls/bench/firefox.mjs\` (\`npm run bench -- firefox\` writes this page); it bears on Handel v1.03, section 6, like [bench-kernel.md](bench-kernel.md), which explains the rows, and [the same in Chromium](bench-kernel-chromium.md).

A frame for each library, ${rounds} rounds, each of which runs every operation in every frame in turn (${browserSampleMs} ms or more at a time), and the kernel with SIMD in a page of Chromium ${chromium} besides. These are milliseconds of wall time on a machine on which others were at work. A cell is the median of the rounds; a ratio, over 1 where the kernel without SIMD is faster, is the median of the rounds' own ratios, on which a busy machine bears least. All libraries were first checked to agree on every answer.

Firefox ${version} has relaxed SIMD without a setting, and wide arithmetic behind its preference \`javascript.options.wasm_wide_arithmetic\`, which is set; since version 155 it needs none. \`loadBls\` takes the kernel with SIMD in Firefox: it is faster than the one with wide arithmetic wherever a pairing or a point of G2 is computed, and slower at sums in G1 ([why by engine](wide.md)).

${machine()}.

${text}
`,
  !dry,
);
