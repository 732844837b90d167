/** What benchmarks share: their one argument, the machine that they ran on, medians, and the page that they write. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { root } from '../run.mjs';
import { wrapMarkdown } from '../wrapMarkdown.mjs';

/** The largest size to try: what follows `--max` on the command line, or that of the whole table. */
export function largestOf(whole) {
  const at = process.argv.indexOf('--max');
  return at < 0 ? whole : Number(process.argv[at + 1]);
}

/** The machine, as each page names it. */
export function machineLine() {
  return `Machine: ${cpus().length} cores, ${cpus()[0].model.trim()}, Node ${process.versions.node}.`;
}

/** The middle of numbers; of two in the middle the larger. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Prints a page, and writes it to docs/records/NAME.md. */
export function writeRecord(name, page) {
  console.log(page);
  writeFileSync(`${root}docs/records/${name}.md`, wrapMarkdown(page));
}
