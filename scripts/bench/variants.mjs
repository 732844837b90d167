/**
 * `npm run bench -- variants`: what signing in G1 (min-sig) costs and saves beside signing in G2 (min-pk); prints the
 * tables and writes them to docs/records/bench-variants.md. `--runs N` (5), `--nodes N` (64), `--dry` writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadBls } from '@tutti/wasm-bls';
import { clusterPairs, countOption, median } from '../clusterPairs.mjs';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';

const [runs, nodes] = [countOption('--runs', 5), countOption('--nodes', 64)];
const variants = ['min-pk', 'min-sig'];
const message = new TextEncoder().encode('tutti');
/** Keys of the sums. */
const registrySize = 1024;
/** Of each operation, in one round. */
const repetitions = 30;

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

/** CPU time, which a busy machine does not stretch. */
function timeOf(operation) {
  const started = process.cpuUsage();
  for (let i = 0; i < repetitions; i++) operation();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / repetitions;
}

const operations = Object.fromEntries(await Promise.all(variants.map(async (one) => [one, await operationsOf(one)])));
const names = Object.keys(operations['min-pk']);
const times = Object.fromEntries(variants.map((one) => [one, Object.fromEntries(names.map((name) => [name, []]))]));
for (let run = 0; run < runs + 1; run++)
  for (const name of names)
    for (const one of run % 2 === 0 ? variants : [...variants].reverse()) {
      const time = timeOf(operations[one][name]);
      // The first one warms up.
      if (run > 0) times[one][name].push(time);
    }

const bytes = [
  ['key, bytes', 48, 96],
  ['signature or proof of possession, bytes', 96, 48],
  ['registry of 1024: key, proof, identity proof, kB', (1024 * (48 + 96 + 96)) / 1000, (1024 * (96 + 48 + 48)) / 1000],
];
const table = [
  '| | min-pk | min-sig | ratio |',
  '| --- | ---: | ---: | ---: |',
  ...bytes.map(([name, a, b]) => `| ${name} | ${Math.round(a)} | ${Math.round(b)} | ${(b / a).toFixed(2)} |`),
  ...names.map((name) => {
    const [a, b] = variants.map((one) => median(times[one][name]));
    const ratio = median(times['min-pk'][name].map((time, run) => times['min-sig'][name][run] / time));
    return `| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${ratio.toFixed(2)} |`;
  }),
].join('\n');
console.log(table);
const clusters = clusterPairs('--variant', variants, { runs, nodes });
console.log(clusters);
if (!process.argv.includes('--dry'))
  writeFileSync(
    join(root, 'docs', 'records', 'bench-variants.md'),
    wrapMarkdown(`# Signing in G1, or in G2

Measured by \`scripts/bench/variants.mjs\` (\`npm run bench -- variants\` writes this page). draft-irtf-cfrg-bls-signature, section 2.1: min-pk has keys in G1 and signatures in G2, min-sig the other way round. Source: [\`suite.ts\`](../../packages/wasm-bls/src/suite.ts).

\`tutti cluster --variant min-sig\` runs Handel on the latter, \`tutti keygen --variant min-sig\` makes a registry of it. Whoever reads a registry takes the variant that it says.

## One thread

The WebAssembly kernel, CPU time, both variants in turn, ${runs} rounds of ${repetitions} calls; a cell is the median of the rounds, the ratio the median of their ratios. ${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}. Adding two signatures includes reading both.

${table}

## A cluster

${nodes} nodes in one process over UDP on loopback, period 50 ms, threshold 99 %, ${runs} runs of each variant in turn, with the same seeds. A cell is the median of the runs. CPU is everything that the nodes' process used from the common start until all had reached the threshold.

${clusters}
`),
  );
