/**
 * Benchmark times of BLS libraries in Node; their operations are in contenders.mjs. Each thread can have only one
 * kernel. The kernels with SIMD, with wide arithmetic and with blst's own arithmetic therefore run in separate
 * processes.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { gzipSync } from 'node:zlib';
import { arithmetics } from '@tutti/wasm-bls/kernel';
import { contender, libraries, operations } from './contenders.mjs';
import { median } from './sampling.mjs';

export { libraries, operations } from './contenders.mjs';

/**
 * Returns a kernel that runs in another process. The contender has no operations if the engine does not run the kernel.
 */
async function kernelContender(name) {
  const child = fork(import.meta.filename, [name], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit').then(([code]) => ({ code }));
  const next = () => Promise.race([once(child, 'message').then(([message]) => message), exit]);
  const ask = async (...request) => {
    child.send(request);
    const { value, code } = await next();
    if (code !== undefined) throw new Error(`${name}: the process ended with ${code} at ${request.join(' ')}`);
    return value;
  };
  const { has = [], code = 0 } = await next();
  if (code !== 0) throw new Error(`${name}: the process ended with ${code} before it was asked anything`);
  return {
    has,
    answer: (operation) => ask('answer', operation),
    calls: (operation) => ask('calls', operation),
    sample: (operation, calls) => ask('sample', operation, calls),
    close: () => child.kill(),
  };
}

/**
 * Serves a kernel in the other process. A request consists of the name of one of the contender's functions, and its
 * arguments. If the engine does not run the kernel, the process ends without an error before the first request.
 */
async function serveKernel(name) {
  // In Node 20, relaxed SIMD requires this flag. Newer versions of Node neither recognise nor require the flag.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
  const kernel = await contender(name).catch((error) => {
    if (error.code === 'kernel-rejected') process.exit(0);
    throw error;
  });
  process.on('message', ([asked, ...args]) => process.send({ value: kernel[asked](...args) }));
  process.on('disconnect', () => process.exit());
  process.send({ has: kernel.has });
}

/** Returns the sizes of the kernel's modules, uncompressed and gzipped, in bytes. */
export function moduleSizes() {
  const size = (name) => {
    const bytes = readFileSync(new URL(`../kernel/${name}`, import.meta.url));
    return { bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length };
  };
  return Object.fromEntries(
    arithmetics.map((name) => [name, size(`tutti_bls${name === 'scalar' ? '' : `_${name}`}_bg.wasm`)]),
  );
}

/**
 * Measures every library at every operation, interleaved: each round measures all libraries at one operation in turn.
 *
 * @param rounds - number of samples of each library and operation, 1 or more; a cell is the median of its samples.
 * @param only - names of the operations to measure; undefined selects all operations.
 * @param onOperation - called with each operation's name before the operation is measured.
 * @returns one row per operation: by column, `ms`, the CPU time of one call, null if a library lacks the operation; and
 * `ratio` to the scalar kernel, the median of the rounds' own ratios, over 1 if the kernel is faster.
 * @throws AssertionError if two libraries return different answers.
 */
export async function measure({ rounds, only = Object.keys(operations), onOperation = () => {} }) {
  const all = {};
  const others = {};
  try {
    for (const name of arithmetics.slice(1)) others[name] = await kernelContender(name);
    for (const name of libraries) all[name] = others[name] ?? (await contender(name));
    return await interleaved(all, { rounds, only, onOperation });
  } finally {
    for (const { close } of Object.values(others)) close();
  }
}

/**
 * Measures contenders at operations: each round measures all contenders at one operation in turn, and starts one
 * contender later than the previous round.
 *
 * @param all - contenders by name, as in contenders.mjs; their answers may be promises.
 * @returns rows as from {@link measure}.
 */
async function interleaved(all, { rounds, only, onOperation }) {
  const rows = [];
  for (const operation of only) {
    await onOperation(operation);
    const present = libraries.filter((name) => all[name]?.has.includes(operation));
    const calls = {};
    const answers = {};
    for (const name of present) {
      answers[name] = await all[name].answer(operation);
      assert.deepEqual(answers[name], answers[present[0]], `${name}: ${operation}`);
      calls[name] = await all[name].calls(operation);
    }
    const samples = Object.fromEntries(present.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (let i = 0; i < present.length; i++) {
        const name = present[(i + round) % present.length];
        samples[name].push(await all[name].sample(operation, calls[name]));
      }
    const cell = (f) => Object.fromEntries(libraries.map((name) => [name, samples[name] ? f(samples[name]) : null]));
    rows.push({
      operation,
      ms: cell(median),
      ratio: cell((ms) => (samples.scalar ? median(ms.map((value, round) => value / samples.scalar[round])) : null)),
    });
  }
  return rows;
}

if (process.argv[1] === import.meta.filename) await serveKernel(process.argv[2]);
