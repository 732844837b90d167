/**
 * Common parts of benchmarks: options, runs of `tutti` and of programs in separate processes, alternating runs in
 * pairs, medians, the description of the machine, and the pages that benchmarks write.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { writeRecordSection } from '../pages.mjs';
import { root } from '../run.mjs';

/**
 * Returns the options of the command line. The default of an option determines its kind: a number must be over 0,
 * `false` is a flag, and `undefined` is an optional option. Other arguments are in `rest`.
 */
export function options(defaults, args = process.argv.slice(2)) {
  const fail = (line) => {
    console.error(line);
    process.exit(2);
  };
  const kinds = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: value === false ? 'boolean' : 'string' }]),
  );
  const given = () => {
    try {
      return parseArgs({ args, options: kinds, allowPositionals: true });
    } catch (error) {
      return fail(error.message);
    }
  };
  const { values, positionals } = given();
  for (const [name, text] of Object.entries(values)) {
    if (typeof defaults[name] !== 'number') continue;
    values[name] = Number(text);
    if (!(values[name] > 0)) fail(`--${name}: expected a number greater than 0, got ${text}`);
  }
  return { ...defaults, ...values, rest: positionals };
}

/** Calls the benchmark that the first argument names, with the arguments after the name. */
export function byName(benchmarks) {
  const [name] = process.argv.splice(2, 1);
  return benchmarks[name]();
}

/**
 * Runs `tutti` with --json, from this checkout or from a built checkout in another directory, and returns its output.
 */
export function tutti(args, { directory = root, quiet = true } = {}) {
  const out = execFileSync('node', [join(directory, 'apps/node-cli/bin/tutti.js'), ...args.map(String), '--json'], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
  });
  return JSON.parse(out);
}

/**
 * Runs a program in a separate Node process.
 *
 * @param program text of a module that sets `result`.
 * @returns the result, with the process's CPU seconds and its peak memory in bytes, including start-up and loading.
 */
export function ownProcess(program) {
  const telling = `
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.log(JSON.stringify({ ...result, seconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 }));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', `let result; ${program}; ${telling}`], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(out);
}

/** Calls a function with a temporary folder, which is removed afterwards. */
export function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the description of the machine for all pages. */
export function machine() {
  return `${cpus().length} cores, ${cpus()[0].model.trim()}, Node ${process.versions.node}`;
}

export function machineLine() {
  return `Machine: ${machine()}.`;
}

/** Prints a record and, if `isWritten`, writes it into the page of docs/ that contains it. */
export function writeRecord(name, text, isWritten = true) {
  console.log(text);
  if (isWritten) writeRecordSection(name, text);
}

/** Returns the CPU seconds that this process has used so far. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Measures a call. @returns `ms`, the CPU time in milliseconds, which other processes on the machine affect less than
 * elapsed time; and `value`, the result.
 */
export function timed(operation) {
  const start = cpuSeconds();
  const value = operation();
  return { ms: 1000 * (cpuSeconds() - start), value };
}

export const bytesPerMib = 2 ** 20;

/**
 * Returns the memory of this process after a garbage collection, including the kernel's, bytes. @param kernel the
 * kernel's memory.
 */
export function held(kernel) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, external, kernel: kernel.buffer.byteLength, rss };
}

export function mib(bytes) {
  return `${(bytes / bytesPerMib).toFixed(2)} MiB`;
}

const row = (cells) => `| ${cells.join(' | ')} |`;

/** Returns rows as a Markdown table with right-aligned numbers. */
export function table(head, rows) {
  return [row(head), row(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
}

/** Returns rows as a table. @param shown columns: for each, the header and the function that returns a row's cell. */
export function columns(rows, shown) {
  const cells = rows.map((row) => shown.map(([, cell]) => cell(row)));
  return table(
    shown.map(([head]) => head),
    cells,
  );
}
