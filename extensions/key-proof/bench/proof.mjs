/**
 * The succinct proof of an aggregated key (Horn: "Aggregation using SNARKs") by number of keys, on both libraries, each
 * time against a pairing check of the same library in the same moments.
 *
 *     npm run bench -- proof [--largest 15] [--largest-noble 10] [--dry]
 *
 * Sizes are powers of two, from 2^8 to what is given. Prints the tables, and writes records/proof.md unless --dry.
 */
import assert from 'node:assert/strict';
import {
  hashGenerators,
  loadG1,
  mostMultiplicity,
  proofSetting,
  prove,
  statementOf,
  verifyBatch,
  verifyProof,
} from '@tutti/key-proof';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { machine, median, options, table, timed, writeRecord } from '../../../scripts/bench/frame.mjs';

const smallest = 8;
/** Keys of the committee on which a batch is tried, and its proofs: Horn's collections of a committee. */
const batchKeys = 2 ** 10;
const batch = 16;
/** CPU that is spent on repeating what is quick. */
const repeatMs = 1000;
const mostRepeats = 9;

/** A pairing check: a signature of one key, read before, on a message hashed before. */
function pairingCheck(bls) {
  const message = new Uint8Array(32).fill(7);
  const secretKey = insecureSecretKey(bls, 1, 0);
  const round = bls.round([bls.publicKey(secretKey)], message);
  const signature = bls.decodeSignature(bls.sign(secretKey, message)).point;
  const check = () => assert(round.verify(0, Uint8Array.of(1), signature));
  for (let i = 0; i < 20; i++) check();
  return () => median(Array.from({ length: 5 }, () => timed(check).ms));
}

/**
 * Medians of an operation's time and of its ratio to the pairing checks right before and after it; and what it gave.
 */
function measured(pairing, operation) {
  const samples = [];
  let value;
  let before = pairing();
  for (let spent = 0; samples.length === 0 || (spent < repeatMs && samples.length < mostRepeats); ) {
    const run = timed(operation);
    const after = pairing();
    samples.push({ ms: run.ms, ratio: (2 * run.ms) / (before + after) });
    before = after;
    spent += run.ms;
    value = run.value;
  }
  return { ms: median(samples.map(({ ms }) => ms)), ratio: median(samples.map(({ ratio }) => ratio)), value };
}

const shown = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(4));
const cell = ({ ms, ratio }) => `x ${shown(ratio)} (${shown(ms)} ms)`;

/** Everybody has signed: the costliest case. */
const multiplicitiesOf = (count, seed) =>
  Uint8Array.from({ length: count }, (_, i) => 1 + ((Math.imul(i + seed + 1, 0x9e3779b1) >>> 16) % mostMultiplicity));

async function measureLibrary(kernel, largest, quick) {
  const [bls, group] = await Promise.all([loadBls({ kernel }), loadG1({ kernel })]);
  const pairing = pairingCheck(bls);
  const count = 2 ** largest;
  const publicKeys = Array.from({ length: count }, (_, i) => quick.publicKey(insecureSecretKey(quick, 1, i)));
  const generating = measured(pairing, () => hashGenerators(group, count));
  const generators = generating.value;
  const rows = [];
  for (let log = smallest; log <= largest; log++) {
    const keys = publicKeys.slice(0, 2 ** log);
    const ready = measured(pairing, () => proofSetting(group, keys, generators));
    const setting = ready.value;
    const multiplicities = multiplicitiesOf(keys.length, 0);
    const statement = statementOf(setting, multiplicities);
    const proving = measured(pairing, () => prove(setting, multiplicities, statement));
    const proof = proving.value;
    const verifying = measured(pairing, () => verifyProof(setting, { statement, proof }));
    assert(verifying.value);
    const unbound = { ...statement, bits: statement.bits.with(0, statement.bits[0] ^ 1) };
    assert(!verifyProof(setting, { statement: unbound, proof }));
    rows.push({ log, ready, proving, verifying, bytes: proof.length + statement.key.length });
    console.error(`${group.name} 2^${log}: proved x ${shown(proving.ratio)}, verified x ${shown(verifying.ratio)}`);
  }
  const hashed = 2 * count + 1;
  const perGenerator = { ms: generating.ms / hashed, ratio: generating.ratio / hashed };
  return {
    name: group.name,
    pairingMs: pairing(),
    perGenerator,
    rows,
    batches: batches(group, pairing, publicKeys, generators),
  };
}

/** A committee's collections: one at a time, together, and together with some that are corrupted. */
function batches(group, pairing, publicKeys, generators) {
  const setting = proofSetting(group, publicKeys.slice(0, batchKeys), generators);
  const valid = Array.from({ length: batch }, (_, seed) => {
    const multiplicities = multiplicitiesOf(setting.keyCount, seed);
    const statement = statementOf(setting, multiplicities);
    return { statement, proof: prove(setting, multiplicities, statement) };
  });
  const corrupted = (bad) =>
    valid.map((one, i) => (bad.includes(i) ? { ...one, proof: valid[(i + 1) % batch].proof } : one));
  const together = (bad) => {
    const batch = corrupted(bad);
    const result = measured(pairing, () => verifyBatch(setting, batch));
    assert.deepEqual(result.value.invalid, bad);
    return [`${result.value.sums}`, cell(result)];
  };
  const single = measured(pairing, () => valid.every((one) => verifyProof(setting, one)));
  assert(single.value);
  return [
    ['one at a time', `${batch}`, cell(single)],
    ['together, all valid', ...together([])],
    ['together, the first corrupted', ...together([0])],
    ['together, the last corrupted', ...together([batch - 1])],
    ['together, every fourth corrupted', ...together([0, 4, 8, 12])],
    ['together, all corrupted', ...together([...valid.keys()])],
  ];
}

function libraryText({ name, pairingMs, perGenerator, rows, batches }) {
  const sizes = rows.map(({ log, ready, proving, verifying, bytes }) => [
    `2^${log}`,
    `${bytes}`,
    cell(proving),
    cell(verifying),
    cell(ready),
  ]);
  return `## ${name}

A pairing check takes ${shown(pairingMs)} ms of CPU, a generator ${cell(perGenerator)}.

${table(['keys', 'bytes, key included', 'prove', 'verify', 'read the keys, once a committee'], sizes)}

${batch} proofs about ${batchKeys} keys:

${table(['', 'sums over all keys', 'time'], batches)}
`;
}

function pageText(libraries) {
  const { log, verifying, bytes } = libraries[0].rows.at(-1);
  return `# What a succinct proof costs

Measured by \`npm run bench -- proof\`, which writes this page; it bears on Horn, "Aggregation using SNARKs". What is proved: [the README](../README.md).

A ratio is to a pairing check (one signature verified, key and signature read and message hashed before) of the same library, measured right before and after, on one thread; beside it is the process's own CPU time, because the machine may be shared. Each cell is the median of up to ${mostRepeats} runs; what takes more than ${repeatMs / 1000} s is run once.

${machine()}.

| | the post, 2^15 keys | here, 2^${log} keys, ${libraries[0].name} |
| --- | ---: | ---: |
| length of a proof, with the aggregated key | about 3 KB | ${bytes} bytes |
| what it proves | key and multiplicities | key, multiplicities of four bits, and the bitfield |
| verification | about 0.5 s | ${(verifying.ms / 1000).toFixed(2)} s |

The post names neither machine nor library for its half second. Everybody has signed; with fewer signers, a proof is about these alone, and costs less.

${libraries.map(libraryText).join('\n')}
Verifying reads the proof's points, checks that they are in the subgroup, and computes one sum over three points a signer. Proving halves two lists of points round after round, and each halving multiplies every second point by a challenge, of 128 bits in one list and of 255 in the other. A batch takes one sum for all proofs; each step of the search for corrupted ones takes one more.
`;
}

const given = options({ largest: 15, 'largest-noble': 10, dry: false });
const largest = { wasm: given.largest, noble: given['largest-noble'] };
for (const most of Object.values(largest))
  if (!(Number.isInteger(most) && most >= Math.log2(batchKeys) && most <= 20))
    throw new RangeError(`expected the largest to be an integer from ${Math.log2(batchKeys)} to 20, got ${most}`);
const quick = await loadBls();
const libraries = [];
for (const kernel of ['wasm', 'noble']) libraries.push(await measureLibrary(kernel, largest[kernel], quick));
writeRecord('proof', pageText(libraries), !given.dry, 'extensions/key-proof/records');
