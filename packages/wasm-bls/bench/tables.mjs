/** What the pages of the benchmarks write their figures with. */
import { table } from '../../../scripts/bench/frame.mjs';
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
