/**
 * What clusters of real nodes cost, all in one process over UDP on loopback.
 *
 * `npm run bench -- cluster`: beside the Go reference's. `--max N` stops at a smaller size, and then only prints.
 *
 * `npm run bench -- points`: what signatures that travel uncompressed cost and save; `npm run bench -- variants`: what
 * signing in G1 (min-sig) costs and saves beside signing in G2 (min-pk). `--runs N` (5), `--nodes N` (64), `--dry` writes
 * nothing.
 *
 * Each prints its tables and writes them to docs/records/bench-NAME.md.
 */
import { join } from 'node:path';
import { loadBls } from '@tutti/wasm-bls';
import { timed } from '../../packages/wasm-bls/bench/sampling.mjs';
import {
  byName,
  columns,
  inFolder,
  inPairs,
  machine,
  machineLine,
  mean,
  median,
  options,
  table,
  tutti,
  writeRecord,
} from './frame.mjs';

const flags = ['--period', 50, '--processes', 1, '--timeout', 600, '--force'];
/** A cluster that ran in a folder of its own. */
const clusterIn = (folder, nodes, run, ...more) =>
  tutti(['cluster', '--nodes', nodes, ...flags, '--seed', run + 1, ...more, '--out', join(folder, 'cluster.json')]);

const cpu = (run) => run.cpuSeconds;
const checks = (run) => run.checked.mean;
const kilobytes = (run) => run.bytesSent.mean / 1000;

/**
 * The Go reference on loopback, 2 cores, one process, period 50 ms, 99 %: least and most over its runs; what it did not
 * finish is undefined. CPU-seconds, checks per node, kB sent per node.
 */
const reference = {
  64: { cpu: [4.5, 6.3], checks: [22, 35] },
  128: { cpu: [12, 18], checks: [30, 47] },
  256: { cpu: [55, 59], checks: [58, 61], kB: [127, 140] },
  512: undefined,
};

function besideReference() {
  const runs = 3;
  const { max } = options({ max: 512 });
  const sizes = Object.keys(reference).map(Number);
  const rows = inFolder((folder) =>
    sizes
      .filter((nodes) => nodes <= max)
      .map((nodes) => {
        const documents = Array.from({ length: runs }, (_, run) => clusterIn(folder, nodes, run));
        console.error(`${nodes} nodes: done`);
        return { nodes, of: (value) => documents.map(value), theirs: reference[nodes] };
      }),
  );
  writeRecord(
    'bench-cluster',
    `# Clusters beside the Go reference

Printed by \`npm run bench -- cluster\`. Handel with real BLS signatures over UDP on loopback, all nodes in one process, period 50 ms, 99 %, ${runs} runs with different seeds: the least and the most. CPU-seconds are those of the process that hosts the nodes, from the common start until the last node reached the threshold; the Go reference's (ConsenSys/handel, BN256, two cores, one process) are counted in the same way and were measured once, on another machine.

What makes the difference: contributions that wait in one process are verified in one batch, each with a random coefficient of its own, which costs a tenth of a single check (docs/records/bench-kernel.md); level states and bitsets are shared, not copied; a peer whose level is complete gets no more messages on it. On the other hand, every packet is sealed and authenticated, which the Go reference does not do; it has no proofs of possession and no scoring window either, and BN256 where this has BLS12-381.

${machineLine()}

${columns(rows, [
  ['N', ({ nodes }) => nodes],
  ['reached', ({ nodes, of }) => `${Math.min(...of((run) => run.reached))} of ${nodes}`],
  ['CPU-s', ({ of }) => range(of(cpu), 2)],
  ['Go reference', ({ theirs }) => (theirs ? range(theirs.cpu, 1) : 'did not finish')],
  ['ratio of the means', ({ of, theirs }) => (theirs ? (mean(of(cpu)) / mean(theirs.cpu)).toFixed(2) : '')],
  ['checks per node', ({ of }) => range(of(checks), 1)],
  ['Go reference', ({ theirs }) => (theirs ? range(theirs.checks, 0) : '')],
  ['kB sent per node', ({ of }) => range(of(kilobytes), 0)],
  ['Go reference', ({ theirs }) => (theirs?.kB ? range(theirs.kB, 0) : '')],
  ['time to threshold, mean', ({ of }) => `${Math.round(mean(of((run) => run.timeToThresholdMs.mean)))} ms`],
  ['peak memory', ({ of }) => `${Math.round(Math.max(...of((run) => run.peakRssBytes)) / 1e6)} MB`],
])}
`,
    max >= 512,
  );
}

function range(values, digits) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return least === most ? least : `${least} to ${most}`;
}

const variants = ['min-pk', 'min-sig'];
const message = new TextEncoder().encode('tutti');
/** Keys of the sums. */
const registrySize = 1024;
/** Of each operation, in one round. */
const repetitions = 30;

/** A row: the median of what was measured of either kind, and of the pairs' ratios. */
function compared(name, kinds, pairs, of, digits) {
  const medians = kinds.map((kind) => median(pairs.map((pair) => of(pair[kind]))).toFixed(digits));
  const ratio = median(pairs.map((pair) => of(pair[kinds[1]]) / of(pair[kinds[0]])));
  return [name, ...medians, ratio.toFixed(2)];
}

/** Clusters with one flag's two values, on the same seeds. */
function clusters(flag, kinds, { nodes, runs }) {
  const pairs = inFolder((folder) => inPairs(kinds, runs, (kind, run) => clusterIn(folder, nodes, run, flag, kind)));
  const figures = [
    ['kB sent per node', kilobytes, 1],
    ['checks per node', checks, 1],
    ['CPU of a node, ms', (run) => (1000 * cpu(run)) / nodes, 1],
    ['CPU of a check, ms', (run) => (1000 * cpu(run)) / (nodes * checks(run)), 2],
  ];
  return table(
    ['', ...kinds, 'ratio'],
    figures.map(([name, of, digits]) => compared(name, kinds, pairs, of, digits)),
  );
}

/** What is measured of a variant, each a function and how often one call does it. */
async function operationsOf(variant) {
  const bls = await loadBls({ variant });
  const secrets = Array.from({ length: registrySize }, (_, i) =>
    bls.keyGen(new Uint8Array(32).fill(1 + (i % 255), i % 32)),
  );
  const keys = secrets.map((secret) => bls.publicKey(secret));
  const points = keys.map((key) => bls.validatePublicKey(key).point);
  const [secret, key] = [secrets[0], keys[0]];
  const signature = bls.sign(secret, message);
  const proof = bls.provePossession(secret);
  const round = bls.round(points, message);
  const [own, many] = [Uint8Array.of(1), new Uint8Array(registrySize / 8).fill(0x55)];
  const aggregate = bls.aggregateSignatures(secrets.filter((_, i) => i % 2 === 0).map((one) => bls.sign(one, message)));
  return {
    'sign, ms': () => bls.sign(secret, message),
    'hash a message, ms': () => bls.hashToCurve(message),
    'verify from bytes, ms': () => bls.verify(key, message, signature),
    'verify in a round, one signer, ms': () => round.verify(0, own, signature),
    'verify in a round, 512 of 1024 signers, ms': () => round.verify(0, many, aggregate),
    'verify a proof of possession, ms': () => bls.verifyPossession(key, proof),
    'read a key, ms': () => bls.validatePublicKey(key),
    'read a signature, ms': () => bls.decodeSignature(signature),
    'add two signatures, ms': () =>
      bls.addSignatures(bls.decodeSignature(signature).point, bls.decodeSignature(aggregate).point),
  };
}

async function operationsTable({ runs }) {
  const operations = Object.fromEntries(await Promise.all(variants.map(async (one) => [one, await operationsOf(one)])));
  const names = Object.keys(operations['min-pk']);
  const timesOf = (variant) =>
    Object.fromEntries(names.map((name) => [name, timed(operations[variant][name], repetitions)]));
  // The first one warms up.
  const [, ...rounds] = inPairs(variants, runs + 1, timesOf);
  const bytes = [
    ['key, bytes', 48, 96],
    ['signature or proof of possession, bytes', 96, 48],
    [
      'registry of 1024: key, proof, identity proof, kB',
      (1024 * (48 + 96 + 96)) / 1000,
      (1024 * (96 + 48 + 48)) / 1000,
    ],
  ];
  return table(
    ['', ...variants, 'ratio'],
    [
      ...bytes.map(([name, a, b]) => [name, Math.round(a), Math.round(b), (b / a).toFixed(2)]),
      ...names.map((name) => compared(name, variants, rounds, (times) => times[name], 2)),
    ],
  );
}

const inTurn = ({ nodes, runs }) =>
  `${nodes} nodes in one process over UDP on loopback, period 50 ms, threshold 99 %, ${runs} runs of each in turn, with the same seeds. A cell is the median of the runs; the ratio is the median of the runs' ratios. CPU is everything that the nodes' process used from the common start until all had reached the threshold: verifying, aggregating, sealing and opening packets.`;

const pages = {
  points: (given) => `# Signatures that travel uncompressed

Measured by \`scripts/bench/cluster.mjs\` (\`npm run bench -- points\` writes this page); it bears on Handel v1.03, section 6, where a node's CPU is spent on verification. Source: [\`multiSignatureScheme.ts\`](../../packages/core/src/contribution/multiSignatureScheme.ts).

A signature is a point of G2: 96 bytes (x and a sign) or 192 (x and y). Reading 96 bytes takes a square root; reading 192 takes only a check of the curve's equation and of the subgroup. \`tutti cluster --points uncompressed\` sends 192 ([cluster](../cluster.md)); every node of a cluster must use the same form.

${inTurn(given)} ${machine()}.

${clusters('--points', ['compressed', 'uncompressed'], given)}

Uncompressed points are checked as strictly: one off the curve or outside the subgroup never reaches the pairing, and makes its contribution invalid. A node keeps the checked point for aggregating, whereas a compressed signature is read twice, once for verifying and again for aggregating. \`decode-signature\` and \`decode-uncompressed\` in [bench-kernel.md](bench-kernel.md) say how long reading one takes.
`,
  variants: async (given) => `# Signing in G1, or in G2

Measured by \`scripts/bench/cluster.mjs\` (\`npm run bench -- variants\` writes this page). draft-irtf-cfrg-bls-signature, section 2.1: min-pk has keys in G1 and signatures in G2, min-sig the other way round. Source: [\`suite.ts\`](../../packages/wasm-bls/src/suite.ts).

\`tutti cluster --variant min-sig\` runs Handel on the latter, \`tutti keygen --variant min-sig\` makes a registry of it. Whoever reads a registry takes the variant that it says.

## One thread

The WebAssembly kernel, CPU time, both variants in turn, ${given.runs} rounds of ${repetitions} calls; a cell is the median of the rounds, the ratio the median of their ratios. ${machine()}. Adding two signatures includes reading both.

${await operationsTable(given)}

## A cluster

${inTurn(given)}

${clusters('--variant', variants, given)}
`,
};

async function compare(name) {
  const given = options({ runs: 5, nodes: 64, dry: false });
  writeRecord(`bench-${name}`, await pages[name](given), !given.dry);
}

await byName({ cluster: besideReference, points: () => compare('points'), variants: () => compare('variants') });
