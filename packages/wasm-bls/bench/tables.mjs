/** What the pages of the benchmarks write their figures with. */
import { operations } from './contenders.mjs';

/** The libraries' columns, the kernel's first. */
const columnsOf = [
  ['scalar', 'kernel (blst, WASM)'],
  ['simd', 'kernel with SIMD'],
  ['wide', 'kernel with wide arithmetic'],
  ['noble', 'noble-curves (JS)'],
  ['herumi', 'bls-eth-wasm (herumi)'],
  ['native', '@chainsafe/blst (native)'],
  ['chromium', 'kernel with SIMD, in Chromium'],
];

export const shownMs = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));
const row = (cells) => `| ${cells.join(' | ')} |`;
export const table = (head, rows) =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

/** Rows of interleaved(), with a column for each library that has any. */
export function comparison(title, rows) {
  const columns = columnsOf.filter(([name]) => rows.some(({ ms }) => (ms[name] ?? null) !== null));
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
