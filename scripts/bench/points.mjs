/**
 * `npm run bench -- points`: what signatures that travel uncompressed cost and save a cluster; prints the table and writes
 * it to docs/records/bench-points.md. `--runs N` (5), `--nodes N` (64), `--dry` writes nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';

const forms = ['compressed', 'uncompressed'];

function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`${name}: expected an integer of 1 or more, got ${process.argv[at + 1]}`);
  process.exit(2);
}

const [runs, nodes] = [option('--runs', 5), option('--nodes', 64)];
const folder = mkdtempSync(join(tmpdir(), 'tutti-points-'));
const flags = ['--nodes', nodes, '--period', 50, '--processes', 1, '--timeout', 600, '--json', '--force'];

function cluster(points, seed) {
  const args = ['cluster', ...flags, '--points', points, '--seed', seed, '--out', join(folder, 'cluster.json')];
  const document = execFileSync('node', ['apps/node-cli/bin/tutti.js', ...args.map(String)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(document);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Both forms in turn, so that a machine that slows down does so for both. */
const pairs = Array.from({ length: runs }, (_, run) => {
  const order = run % 2 === 0 ? forms : [...forms].reverse();
  const documents = Object.fromEntries(order.map((form) => [form, cluster(form, run + 1)]));
  console.error(`run ${run + 1} of ${runs}`);
  return documents;
});
rmSync(folder, { recursive: true });

const figures = [
  ['kB sent per node', (run) => run.bytesSent.mean / 1000, 1],
  ['checks per node', (run) => run.checked.mean, 1],
  ['CPU of a node, ms', (run) => (1000 * run.cpuSeconds) / nodes, 1],
  ['CPU of a check, ms', (run) => (1000 * run.cpuSeconds) / (nodes * run.checked.mean), 2],
];
const table = [
  '| | compressed | uncompressed | ratio |',
  '| --- | ---: | ---: | ---: |',
  ...figures.map(([name, of, digits]) => {
    const [a, b] = forms.map((form) => median(pairs.map((pair) => of(pair[form]))));
    const ratio = median(pairs.map((pair) => of(pair.uncompressed) / of(pair.compressed)));
    return `| ${name} | ${a.toFixed(digits)} | ${b.toFixed(digits)} | ${ratio.toFixed(2)} |`;
  }),
].join('\n');
console.log(table);
if (!process.argv.includes('--dry'))
  writeFileSync(
    join(root, 'docs', 'records', 'bench-points.md'),
    wrapMarkdown(`# Signatures that travel uncompressed

Measured by \`scripts/bench/points.mjs\` (\`npm run bench -- points\` writes this page); it bears on Handel v1.03, section 6, where a node's CPU is spent on verification. Source: [\`multiSignatureScheme.ts\`](../../packages/core/src/contribution/multiSignatureScheme.ts).

A signature is a point of G2: 96 bytes (x and a sign) or 192 (x and y). Reading 96 bytes takes a square root; reading 192 takes only a check of the curve's equation and of the subgroup. \`tutti cluster --points uncompressed\` sends 192 ([cluster](../cluster.md)); every node of a cluster must use the same form.

${nodes} nodes in one process over UDP on loopback, period 50 ms, threshold 99 %, ${runs} runs of each form in turn, with the same seeds. A cell is the median of the runs; the ratio is the median of the runs' ratios. ${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}. CPU is everything that the nodes' process used from the common start until all had reached the threshold: verifying, aggregating, sealing and opening packets.

${table}

Uncompressed points are checked as strictly: one off the curve or outside the subgroup never reaches the pairing, and makes its contribution invalid. A node keeps the checked point for aggregating, whereas a compressed signature is read twice, once for verifying and again for aggregating. \`decode-signature\` and \`decode-uncompressed\` in [bench-kernel.md](bench-kernel.md) say how long reading one takes.
`),
  );
