/**
 * The kernel against other BLS libraries, interleaved in one process: each round asks every contender for every
 * operation in turn, and a ratio is taken within a round, so that a machine that speeds up or slows down does so for
 * all.
 *
 *     npm run bench -- kernel [--rounds 15] [--dry]
 *
 * Prints the tables, and writes docs/records/bench-kernel.md unless --dry.
 */
import { machine, options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { grouped } from '../../../scripts/markdown.mjs';
import { measure, moduleSizes } from './libraries.mjs';
import { callsFor, median, sampleMs, timed } from './sampling.mjs';
import { batches, batchSizes, kernelSteps } from './steps.mjs';
import { comparison, shownMs } from './tables.mjs';

/** Samples of a table of operations, `rounds` each, round-robin, the order turned by one each round. */
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

async function run(rounds) {
  const rows = await measure({ rounds, told: (operation) => console.error(operation) });
  const steps = interleave(await kernelSteps(), rounds);
  const stepCells = Object.entries(steps).map(([name, ms]) => [name, shownMs(median(ms))]);
  const [wire, decoded] = [await batchRows(96, rounds), await batchRows(192, rounds)];
  return {
    batches: table(
      ['claims at a time', 'ms of CPU a claim, signatures from bytes', 'ratio', 'decoded before', 'ratio'],
      wire.map((cells, i) => [...cells, ...decoded[i].slice(1)]),
    ),
    comparison: comparison('ms of CPU for one call (ratio to the kernel)', rows),
    steps: table(['step', 'ms of CPU'], stepCells),
  };
}

/** What a claim of a batch costs, and its ratio to a claim verified singly, by the batch's size. */
async function batchRows(signatureBytes, rounds) {
  const { single, ...samples } = interleave(await batches(signatureBytes), rounds);
  const cells = batchSizes.map((size) => {
    const each = samples[size].map((ms) => ms / size);
    return [size, shownMs(median(each)), median(each.map((ms, round) => ms / single[round])).toFixed(3)];
  });
  return [['1, by verify', shownMs(median(single)), '1'], ...cells];
}

function pageText({ batches, comparison, steps }, rounds) {
  const { scalar, simd, wide } = moduleSizes();
  return `# The kernel against other BLS libraries

Measured by \`packages/wasm-bls/bench/kernel.mjs\` (\`npm run bench -- kernel\` writes this page); it bears on Handel v1.03, section 6, where a node's CPU is spent on verification, one contribution at a time.

One process, one thread, ${rounds} rounds, each of which runs every operation of every library in turn (${sampleMs} ms of CPU or more at a time). Times are the process's own CPU time, because the machine may be shared. A cell is the median of the rounds; a ratio is the median of the rounds' own ratios, over 1 where the kernel is faster. All libraries were first checked to agree on every answer.

${machine()}.

${comparison}

Bytes in, answer out: a key or a signature read from bytes is checked to be on the curve and in its subgroup each time. \`@chainsafe/blst\` is the same library as the kernel's, in assembly. An empty cell means that the library has no such operation. Our kernel adds points that it keeps, by handle ([kept-points.md](../kept-points.md)); the others add objects. All hash the message each time, even where keys are already decoded. For a batch on one message, our kernel and native blst sum keys and signatures under random coefficients; herumi computes a pairing for each. The kernel with SIMD ([field.md](field.md)) runs in a process of its own, between the others' samples; in Node 20 relaxed SIMD is behind a flag, which the benchmark sets. \`npm run bench -- chromium\` measures the same in a browser, and writes its own page.

The modules: ${grouped(scalar.bytes)} bytes, ${grouped(scalar.gzipBytes)} gzipped; with SIMD ${grouped(simd.bytes)} bytes, ${grouped(simd.gzipBytes)} gzipped; with wide arithmetic ${grouped(wide.bytes)} bytes, ${grouped(wide.gzipBytes)} gzipped.

## What a verification by the kernel is made of

${steps}

\`verify\` validates a key, decodes a signature, hashes the message, and takes two pairings; \`round.verify\` has keys and message ready, and sums keys instead: the present ones, or the whole run minus the absent ones.

Both pairings share one Miller loop and one final exponentiation. Keeping the lines of the message's point from one verification to the next would save its part of that loop, but each pair would then need a loop of its own. They are not kept: it was tried, and was a little slower.

## Many claims at a time

${batches}

\`round.verifyBatch\` checks all claims at once: keys and signatures are summed under random coefficients of 64 bits, and the sums take one pair of pairings. The ratio is to \`round.verify\` of one claim, in the same rounds; a claim has 32 signers out of 64. What each claim still costs is its sum of keys, the decoding and subgroup check of a signature that comes as bytes, and its part of the two weighted sums. If a batch fails, \`roundVerdicts\` finds who lied by halving it ([bench-lies.md](bench-lies.md)).
`;
}

const { rounds, dry } = options({ rounds: 15, dry: false });
writeRecord('bench-kernel', pageText(await run(rounds), rounds), !dry);
