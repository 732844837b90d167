/** Two kinds of cluster in turn, on the same seeds: what the benchmarks of points and of variants measure. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

/** A flag's count, of 1 or more, or the default. */
export function countOption(name, otherwise) {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`${name}: expected an integer of 1 or more, got ${process.argv[at + 1]}`);
  process.exit(2);
}

function cluster(folder, nodes, flag, value, seed) {
  const flags = ['--nodes', nodes, '--period', 50, '--processes', 1, '--timeout', 600, '--json', '--force'];
  const args = ['cluster', ...flags, flag, value, '--seed', seed, '--out', join(folder, 'cluster.json')];
  const document = execFileSync('node', ['apps/node-cli/bin/tutti.js', ...args.map(String)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(document);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/**
 * Runs clusters with one flag's two values in turn, so that a machine that slows down does so for both.
 *
 * @returns a table, in Markdown: the median of the runs, and of their ratios.
 */
export function clusterPairs(flag, kinds, { runs, nodes }) {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-pairs-'));
  const pairs = Array.from({ length: runs }, (_, run) => {
    const order = run % 2 === 0 ? kinds : [...kinds].reverse();
    const documents = Object.fromEntries(order.map((kind) => [kind, cluster(folder, nodes, flag, kind, run + 1)]));
    console.error(`run ${run + 1} of ${runs}`);
    return documents;
  });
  rmSync(folder, { recursive: true });
  const figures = [
    ['kB sent per node', (run) => run.bytesSent.mean / 1000, 1],
    ['checks per node', (run) => run.checked.mean, 1],
    ['CPU of a node, ms', (run) => (1000 * run.cpuSeconds) / nodes, 1],
    ['CPU of a check, ms', (run) => (1000 * run.cpuSeconds) / (nodes * run.checked.mean), 2],
  ];
  return [
    `| | ${kinds.join(' | ')} | ratio |`,
    '| --- | ---: | ---: | ---: |',
    ...figures.map(([name, of, digits]) => {
      const [a, b] = kinds.map((kind) => median(pairs.map((pair) => of(pair[kind]))));
      const ratio = median(pairs.map((pair) => of(pair[kinds[1]]) / of(pair[kinds[0]])));
      return `| ${name} | ${a.toFixed(digits)} | ${b.toFixed(digits)} | ${ratio.toFixed(2)} |`;
    }),
  ].join('\n');
}
