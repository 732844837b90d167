/**
 * Claims handed to a pool of verifying workers in shared memory instead of messages, in Node and in Chromium.
 *
 *     npm run bench -- pool [--rounds 40] [--dry]
 *
 * Prints the table, and writes docs/records/bench-pool.md unless --dry. CHROMIUM_PATH is the browser, /usr/bin/chromium
 * if it is not set.
 */
import { machine, options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { handedOver } from './handover.mjs';
import { packageRoot, withPages } from './pages.mjs';
import { shownMs } from './sampling.mjs';

const { rounds, dry } = options({ rounds: 40, dry: false });
const node = await handedOver(rounds);
const { rows: chromium, version } = await withPages({}, async (open, version) => {
  const page = await open();
  const rows = await page.evaluate(
    async ([module, rounds]) => (await import(module)).handedOver(rounds),
    [`${packageRoot}/bench/handover.mjs`, rounds],
  );
  return { rows, version };
});
const text = table(
  ['ms a batch, in messages → in shared memory (ratio)', `Node ${process.versions.node}`, `Chromium ${version}`],
  node.map((_, i) => [
    `${node[i].isBare ? 'handed over, not verified' : 'verified'}: ${node[i].size === 1 ? 'a claim' : `${node[i].size} claims`}`,
    ...[node[i], chromium[i]].map(
      ({ messages, shared, ratio, control }) =>
        `${shownMs(messages)} → ${shownMs(shared)} (x ${ratio.toFixed(2)}, control x ${control.toFixed(2)})`,
    ),
  ]),
);
writeRecord(
  'bench-pool',
  `# A verifying pool with shared memory

Measured by \`npm run bench -- pool\`, which writes this page. Source: [\`handover.mjs\`](../../packages/wasm-bls/bench/handover.mjs).

A worker that verifies is handed claims (a signature, and whose it claims to be) in a message, which is copied. Where a page is isolated, they may lie in memory that both share instead: the worker waits for a word to change, and writes its verdicts beside it. Tried with two workers, eight batches, and a round of 128 signers; ${rounds} rounds, each of both ways in turn. A cell is the median of the rounds, a ratio the median of the rounds' own, so that what else the machine does bears on both; the control is a second pool that takes messages, and what it differs by from the first is the machine's.

${machine()}.

${text}

**Not done.** To hand a batch over takes hundredths of a millisecond in either way, where one claim alone takes two milliseconds: shared memory can save no more of it than a hundredth or two, of 8 claims a few thousandths, and of 64 nothing, since writing them word by word takes as long as the engine's copy. What verified batches differ by beyond that is of the control's size: one claim in Chromium, tried again twice in 150 rounds, came to 0.96 and 0.95 of the time in messages, and the control to 0.96 and 0.98. The bytes are copied in any case: a kernel has memory of its own, which is not shared. So the page's workers and the command's threads are handed messages, which need no isolated page. [Why there is no pool of threads](../batch-verification.md#why-there-is-no-pool-of-threads).
`,
  !dry,
);
