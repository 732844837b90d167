/**
 * `npm run bench -- points`: what signatures that travel uncompressed cost and save a cluster; prints the table and writes
 * it to docs/records/bench-points.md. `--runs N` (5), `--nodes N` (64), `--dry` writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { clusterPairs, countOption } from '../clusterPairs.mjs';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';

const [runs, nodes] = [countOption('--runs', 5), countOption('--nodes', 64)];
const table = clusterPairs('--points', ['compressed', 'uncompressed'], { runs, nodes });
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
