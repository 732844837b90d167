/**
 * Whether the time of what is done with a secret key depends on the key, on every kernel and variant, in the manner of
 * dudect (https://eprint.iacr.org/2016/1123): calls with one fixed key and calls with random ones, drawn in turn by
 * chance, and Welch's t of the two.
 *
 *     npm run bench -- secrets [--calls 4000] [--dry]
 *
 * Prints the table, and writes docs/records/secrets.md unless --dry. Chromium, as pages.mjs has it.
 */
import { options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { packageRoot, wideFlag, withPages } from './pages.mjs';

/** dudect's own threshold: above it, the times are taken to differ. */
const threshold = 4.5;
const kernels = { scalar: 'scalar', simd: 'SIMD', wide: 'wide arithmetic' };
/** What is done with a secret key; a proof of possession is a signature. */
const operations = ['sign', 'publicKey'];
/** Few bits, and nearly all; the public keys of the small ones are the control (see the page). */
const fixedKeys = {
  'the key 1': `${'00'.repeat(31)}01`,
  'the key 5': `${'00'.repeat(31)}05`,
  'a key of ones': `3f${'ff'.repeat(31)}`,
};

/** In a page: milliseconds of calls with the fixed key, and with random ones. */
async function sampled([root, kernel, variant, operation, fixedHex, calls]) {
  const { loadBls } = await import(`${root}/dist/index.js`);
  const bls = await loadBls({ variant, arithmetic: kernel });
  const message = new TextEncoder().encode('tutti');
  const fixed = Uint8Array.from(fixedHex.match(/../g), (digits) => Number.parseInt(digits, 16));
  const random = () => bls.keyGen(crypto.getRandomValues(new Uint8Array(32)));
  // As many keys of either kind lie in memory.
  const keys = [Array.from({ length: 64 }, () => fixed.slice()), Array.from({ length: 64 }, random)];
  const classes = crypto.getRandomValues(new Uint8Array(calls));
  const run = (key) => bls[operation](key, message);
  for (let i = 0; i < 40; i++) run(keys[i & 1][i]);
  const times = [[], []];
  for (let i = 0; i < calls; i++) {
    const kind = classes[i] & 1;
    const key = keys[kind][i & 63];
    const started = performance.now();
    run(key);
    times[kind].push(performance.now() - started);
  }
  return times;
}

/** Welch's t of two lists, of what is under the pooled nine tenths: above it are the machine's own pauses. */
function welch(times) {
  const pooled = times.flat().sort((a, b) => a - b);
  const most = pooled[Math.floor(pooled.length * 0.9)];
  const [a, b] = times.map((list) => {
    const kept = list.filter((ms) => ms <= most);
    const mean = kept.reduce((sum, ms) => sum + ms, 0) / kept.length;
    const variance = kept.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (kept.length - 1);
    return { mean, of: variance / kept.length };
  });
  return { t: (a.mean - b.mean) / Math.sqrt(a.of + b.of), part: (a.mean - b.mean) / b.mean };
}

const { calls, dry } = options({ calls: 4000, dry: false });
if (calls < 200) {
  console.error(`--calls: expected a count of 200 or more, got ${calls}`);
  process.exit(2);
}
const rows = [];
const version = await withPages({}, async (open, version) => {
  for (const variant of ['min-pk', 'min-sig'])
    for (const [fixed, hex] of Object.entries(fixedKeys))
      for (const operation of operations) {
        const cells = [];
        for (const kernel of Object.keys(kernels)) {
          const page = await open();
          cells.push(welch(await page.evaluate(sampled, [packageRoot, kernel, variant, operation, hex, calls])));
          await page.close();
        }
        rows.push({ name: `\`${operation}\`, ${variant}, ${fixed}`, cells });
        console.error(rows.at(-1).name);
      }
  return version;
});
const shown = ({ t, part }) => `${t.toFixed(1)} (${(100 * part).toFixed(2)} %)`;
const text = table(
  ['t (difference of the means)', ...Object.values(kernels)],
  rows.map(({ name, cells }) => [name, ...cells.map(shown)]),
);
const names = Object.keys(kernels);
const over = names.map((_, i) => rows.filter(({ cells }) => Math.abs(cells[i].t) > threshold).length);
const count = names.map((name, i) => `${kernels[name]} ${over[i]}`).join(', ');
writeRecord(
  'secrets',
  `# Time and secret keys

Measured by \`npm run bench -- secrets\`, which writes this page. Source: [\`secrets.mjs\`](../../packages/wasm-bls/bench/secrets.mjs).

Does the time that a kernel takes depend on the secret key that it is given? Calls with one fixed key are mixed by chance with calls with random keys, ${calls} in all for a cell; Welch's t of the two is what [dudect](https://eprint.iacr.org/2016/1123) asks for. A t over ${threshold} or under -${threshold} says that the times differ. The slowest tenth of the calls is left out: it is the machine's. Chromium ${version} with \`--js-flags=${wideFlag}\`.

${text}

Over ${threshold}, of ${rows.length} rows: ${count}.

**What this shows, and what not.** The public keys of 1 and 5 are the control, in which the times must differ: such a key has one hexadecimal digit that is not zero, so that its public key is an entry of the kernel's table, whose third coordinate is one already, and blst compresses it without an inversion. That is a branch on what is made public; about a thousand of all keys are such. In the other rows, where a kernel stays under the threshold, no dependence was found with so many calls, in this engine, on this processor, where others were at work: a difference smaller than the one that a row shows cannot be seen in it. That is no proof that there is none. A page's clock has steps of 5 microseconds, and sees neither the caches nor the power that another program on the machine may watch. The glue copies the key in and out of the kernel's memory without looking at it.
`,
  !dry,
);
