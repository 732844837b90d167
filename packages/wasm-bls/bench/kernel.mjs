/**
 * Compares the kernel with other BLS libraries in interleaved measurements. Each round measures every contender at
 * every operation, one after another. Ratios are computed within a round, so that a change in the machine's speed
 * affects all contenders alike.
 *
 *     npm run bench -- kernel [--rounds 15] [--only verify,batch-128] [--dry]
 *
 * Prints the tables and, unless --dry is given, writes the records to docs/benchmarks/bls-kernel.md. With --only, the
 * program measures just the named operations, in one table: the record in docs/guides/bls.md.
 */
import assert from 'node:assert/strict';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { machine, options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { grouped } from '../../../scripts/markdown.mjs';
import { measure, moduleSizes, operations } from './libraries.mjs';
import { callsFor, median, shownMs, timed } from './sampling.mjs';

/** Columns of the libraries, with the kernel's column first. */
const columnsOf = [
  ['scalar', 'kernel (blst, WASM)'],
  ['simd', 'kernel with SIMD'],
  ['wide', 'kernel with wide arithmetic'],
  ['upstream', "kernel with blst's own arithmetic"],
  ['noble', 'noble-curves (JS)'],
  ['herumi', 'bls-eth-wasm (herumi)'],
  ['native', '@chainsafe/blst (native)'],
];

const onOperation = (operation) => console.error(operation);

/**
 * Returns a table of the rows from measure(), with a column for each library that supports at least one of the
 * operations.
 */
function comparison(title, rows, libraries = columnsOf) {
  const columns = libraries.filter(([name]) => rows.some(({ ms }) => (ms[name] ?? null) !== null));
  const cells = rows.map(({ operation, ms, ratio }) => [
    `\`${operation}\`: ${operations[operation]}`,
    ...columns.map(([name]) => {
      if (ms[name] === null) return '';
      return name === 'scalar' || (ratio[name] ?? null) === null
        ? shownMs(ms[name])
        : `${shownMs(ms[name])} (x ${ratio[name].toFixed(2)})`;
    }),
  ]);
  return table([title, ...columns.map(([, title]) => title)], cells);
}

/**
 * Takes `rounds` samples of each operation in a table, in round-robin order. Each round starts one operation later than
 * the previous round.
 */
function interleave(operations, rounds) {
  const entries = Object.entries(operations).map(([name, operation]) => ({
    name,
    operation,
    calls: callsFor(operation),
    samples: [],
  }));
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < entries.length; i++) {
      const { operation, calls, samples } = entries[(i + round) % entries.length];
      samples.push(timed(operation, calls));
    }
  return Object.fromEntries(entries.map(({ name, samples }) => [name, samples]));
}

/**
 * Number of signers in an aggregate: the size of a committee, and the number of signatures that this project plans to
 * sum in one verification.
 */
const signerCount = 128;

/** Inputs that all contenders share: keys derived from seeds, one message, and the signatures on it. */
function inputs(bls) {
  const message = new Uint8Array(32).fill(7);
  const secretKeys = Array.from({ length: signerCount }, (_, i) => insecureSecretKey(bls, 1, i));
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));
  const signatures = secretKeys.map((key) => bls.sign(key, message));
  return { message, secretKeys, publicKeys, signatures, aggregate: bls.aggregateSignatures(signatures) };
}

/**
 * Steps of the kernel's own verification, and the overhead of a call: a call that marshals a round's arguments and is
 * rejected immediately.
 */
async function kernelSteps() {
  const bls = await loadBls({ engine: 'wasm' });
  const { message, publicKeys, signatures, aggregate } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const everyone = new Uint8Array(signerCount / 8).fill(0xff);
  const half = new Uint8Array(signerCount / 8).fill(0x55);
  const point = bls.decodeSignature(aggregate).point;
  return {
    'round.verify, all of 128 (signature from bytes)': () => round.verify(0, everyone, aggregate),
    'round.verify, all of 128 (decoded signature)': () => round.verify(0, everyone, point),
    'round.verify, every second of 128 (decoded signature)': () => round.verify(0, half, point),
    'validate a key': () => bls.validatePublicKey(publicKeys[0]),
    'decode a signature': () => bls.decodeSignature(signatures[0]),
    'hash the message': () => bls.hashToCurve(message),
    'call overhead of round.verify': () => round.verify(0, new Uint8Array(signerCount / 8), point),
  };
}

/** Batch sizes, as numbers of claims verified together. */
const batchSizes = [1, 2, 4, 8, 16, 32, 64];

/**
 * Operations that verify one claim singly, and batches of several sizes. Each claim has every second signer within half
 * of all signers, starting with a different signer.
 */
async function batches(signatureBytes) {
  const bls = await loadBls({ engine: 'wasm' });
  const { message, publicKeys, signatures } = inputs(bls);
  const round = bls.round(publicKeys, message);
  const claims = Array.from({ length: Math.max(...batchSizes) }, (_, first) => {
    const signers = signatures.slice(first, first + signerCount / 2).filter((_, i) => i % 2 === 0);
    const signature = bls.aggregateSignatures(signers);
    return {
      first,
      bits: new Uint8Array(signerCount / 16).fill(0x55),
      signature: signatureBytes === 96 ? signature : bls.decodeSignature(signature).point,
    };
  });
  const [{ first, bits, signature }] = claims;
  const operations = { single: () => round.verify(first, bits, signature) };
  for (const size of batchSizes) {
    const batch = claims.slice(0, size);
    operations[size] = () => round.verifyBatch(batch);
  }
  for (const [name, operation] of Object.entries(operations)) assert.equal(operation(), true, `batch: ${name}`);
  return operations;
}

/** Returns, by batch size, the cost per claim in a batch, and its ratio to the cost of a claim verified singly. */
async function batchRows(signatureBytes, rounds) {
  const { single, ...samples } = interleave(await batches(signatureBytes), rounds);
  const cells = batchSizes.map((size) => {
    const each = samples[size].map((ms) => ms / size);
    return [size, shownMs(median(each)), median(each.map((ms, round) => ms / single[round])).toFixed(3)];
  });
  return [['1, by verify', shownMs(median(single)), '1'], ...cells];
}

/** Returns the records of docs/benchmarks/bls-kernel.md: all operations, the kernel's own steps, and batches. */
async function allRecords({ rounds, only }) {
  const rows = await measure({ rounds, only, onOperation });
  const steps = interleave(await kernelSteps(), rounds);
  const stepCells = Object.entries(steps).map(([name, ms]) => [name, shownMs(median(ms))]);
  const [wire, decoded] = [await batchRows(96, rounds), await batchRows(192, rounds)];
  const batched = table(
    ['claims at a time', 'ms of CPU per claim, signatures from bytes', 'ratio', 'decoded before', 'ratio'],
    wire.map((cells, i) => [...cells, ...decoded[i].slice(1)]),
  );
  const sizes = Object.entries(moduleSizes()).map(
    ([name, { bytes, gzipBytes }]) => `${name} ${grouped(bytes)} bytes, ${grouped(gzipBytes)} gzipped`,
  );
  return {
    kernel: `${machine()}, ${rounds} rounds.

${comparison('ms of CPU per call (ratio to the kernel)', rows)}

Modules: ${sizes.join('; ')}.`,
    'kernel-steps': table(['step', 'ms of CPU'], stepCells),
    'kernel-batches': batched,
  };
}

/** Returns the record of the chosen operations: one table, with the libraries' names as in loadBls. */
async function chosenRecord({ rounds, only }) {
  const rows = await measure({ rounds, only, onOperation });
  return {
    'kernel-engines': `${machine()}, ${rounds} rounds.\n\n${comparison(
      'ms of CPU per call (ratio to scalar)',
      rows,
      columnsOf.map(([name]) => [name, `\`${name}\``]),
    )}`,
  };
}

const { rounds, only, dry } = options({ rounds: 15, only: undefined, dry: false });
const chosen = only?.split(',') ?? Object.keys(operations);
const unknown = chosen.find((name) => !Object.hasOwn(operations, name));
if (unknown !== undefined)
  throw new RangeError(`--only: expected ${Object.keys(operations).join(' or ')}, got ${unknown}`);
const records = await (only === undefined ? allRecords : chosenRecord)({ rounds, only: chosen });
for (const [name, text] of Object.entries(records)) writeRecord(name, text, !dry);
