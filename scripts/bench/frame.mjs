/**
 * What benchmarks share: their options, runs of `tutti` and of programs in processes of their own, pairs of turns, medians,
 * the machine that they ran on, and the page that they write.
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

export { median } from '../../packages/wasm-bls/bench/sampling.mjs';

/**
 * The options of the command line, by their defaults: a number is over 0, `false` is a flag, `undefined` an option that
 * may be left out. Arguments that are not options are in `rest`.
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
    if (!(values[name] > 0)) fail(`--${name}: expected a number over 0, got ${text}`);
  }
  return { ...defaults, ...values, rest: positionals };
}

/** Calls the benchmark that the command line names first; its own arguments are those after the name. */
export function byName(benchmarks) {
  const [name] = process.argv.splice(2, 1);
  return benchmarks[name]();
}

/** Runs `tutti` with --json, of this checkout or of a built one in another directory, and returns its output. */
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
 * Runs a program in a Node process of its own.
 *
 * @param program a module's text, which sets `result`.
 * @returns the result, with the process's CPU seconds and the most memory that it had, starting and loading included.
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

/** Uses a folder that is there as long as that takes. */
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

/** The machine, as each page names it. */
export function machine() {
  return `${cpus().length} cores, ${cpus()[0].model.trim()}, Node ${process.versions.node}`;
}

export function machineLine() {
  return `Machine: ${machine()}.`;
}

/** Prints a record, and writes it into the page of docs/ that has its place if `isWritten`. */
export function writeRecord(name, text, isWritten = true) {
  console.log(text);
  if (isWritten) writeRecordSection(name, text);
}

/** CPU seconds of this process so far. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Milliseconds of CPU that a call takes, the process's own, for the machine may be shared; and the call's `value`. */
export function timed(operation) {
  const start = cpuSeconds();
  const value = operation();
  return { ms: 1000 * (cpuSeconds() - start), value };
}

const bytesPerMib = 2 ** 20;

/**
 * Memory of this process after a garbage collection, and of the kernel in it, bytes. @param kernel the kernel's memory.
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

/** Rows as a table of Markdown, numbers to the right. */
export function table(head, rows) {
  return [row(head), row(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
}

/** Rows as a table, by its columns: each a head, and what it shows of a row. */
export function columns(rows, shown) {
  const cells = rows.map((row) => shown.map(([, cell]) => cell(row)));
  return table(
    shown.map(([head]) => head),
    cells,
  );
}
