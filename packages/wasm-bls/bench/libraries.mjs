/**
 * Times of BLS libraries side by side, in Node: contenders.mjs says what they do. The kernels with SIMD and with wide
 * arithmetic are asked in processes of their own, since a thread has one kernel.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { contender, libraries, operations } from './contenders.mjs';
import { interleaved } from './interleaved.mjs';

export { libraries, operations } from './contenders.mjs';

/** A kernel in another process, which this one waits for; no operations if the engine does not run it. */
async function kernelContender(name) {
  const child = fork(fileURLToPath(new URL('./kernel-process.mjs', import.meta.url)), [name], {
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

/** The kernel's modules, as they are sent. */
export function moduleSizes() {
  const size = (name) => {
    const bytes = readFileSync(new URL(`../kernel/${name}`, import.meta.url));
    return { bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length };
  };
  return {
    scalar: size('tutti_bls_bg.wasm'),
    simd: size('tutti_bls_simd_bg.wasm'),
    wide: size('tutti_bls_wide_bg.wasm'),
  };
}

/**
 * Times of every library at every operation, interleaved: each round asks all of them for one operation in turn.
 *
 * @param rounds - samples of each, 1 or more; a cell is their median.
 * @param only - names of operations; undefined is all.
 * @param told - called with each operation's name before it is measured.
 * @returns a row an operation: `ms` of CPU for one call by column, null where a library lacks the operation; `ratio` to
 * the scalar kernel,
 *   the median of the rounds' own ratios, over 1 where the kernel is faster.
 * @throws AssertionError if two libraries disagree on an answer.
 */
export async function measure({ rounds, only = Object.keys(operations), told = () => {} }) {
  const all = {};
  const beside = {};
  try {
    for (const name of ['simd', 'wide']) beside[name] = await kernelContender(name);
    for (const name of libraries) all[name] = beside[name] ?? (await contender(name));
    return await interleaved(all, { rounds, only, told });
  } finally {
    for (const { close } of Object.values(beside)) close();
  }
}
