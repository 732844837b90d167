import { thresholdText } from '@tutti/core';

/** Minimum width of an answer, columns. Tables and text never wrap below it. */
const minWidth = 40;

/** Returns the columns available for an answer: the terminal's, or any number for a program. */
export function answerWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stdout): number {
  return isTTY && columns ? Math.max(minWidth, columns) : Number.POSITIVE_INFINITY;
}

/** Wraps each line between words. A word that exceeds the width is broken. */
export function wrapped(text: string, width = answerWidth()): string {
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : wrappedLine(line, width)))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest].join('\n');
}

/** Some columns of a table, by index, with the width of each. */
export type Block = readonly { readonly column: number; readonly width: number }[];

const gap = 2;
/** Minimum width of the first column. Below it, other columns move to a second block. */
const minLabel = 24;

/**
 * Fits a table to a width. The first column and the headers wrap first. If that is not enough, the columns are split
 * over several blocks, each with the first column.
 */
export function blocksOf(head: readonly string[], rows: readonly (readonly string[])[], width: number): Block[] {
  const cells = head.map((_, column) => rows.map((row) => row[column]!));
  const natural = head.map((name, column) => longest([name, ...cells[column]!]));
  const all = natural.map((_, column) => column);
  if (total(natural) <= width) return [all.map((column) => ({ column, width: natural[column]! }))];
  const label = Math.min(natural[0]!, minLabel);
  const min = natural.map((_, column) =>
    column === 0 ? label : Math.min(longest([...head[column]!.split(' '), ...cells[column]!]), width - label - gap),
  );
  const blocks: number[][] = [[]];
  for (const column of all.slice(1)) {
    const last = blocks.at(-1)!;
    if (last.length > 0 && total([0, ...last, column].map((each) => min[each]!)) > width) blocks.push([column]);
    else last.push(column);
  }
  return blocks.map((columns) => widened([0, ...columns], min, natural, width));
}

/** Distributes a block's spare width to its columns, from the first to the last. */
function widened(columns: readonly number[], min: readonly number[], natural: readonly number[], width: number) {
  let spare = width - total(columns.map((column) => min[column]!));
  return columns.map((column) => {
    const more = Math.min(spare, natural[column]! - min[column]!);
    spare -= more;
    return { column, width: min[column]! + more };
  });
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + gap + width, -gap);
}

/** Formats by number of decimals. They are cached, because creating one takes as long as formatting fifty numbers. */
const formats = new Map<number, Intl.NumberFormat>();

/** Formats a number with digits in groups of three, independent of the locale. */
export function grouped(value: number, digits = 0): string {
  let format = formats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format.format(value);
}

/** Formats a number with four significant digits; integers have all digits. */
export function fourDigits(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  const size = Math.abs(value);
  if (size < 0.001) return value.toExponential(2);
  return grouped(value, size >= 1000 ? 0 : 3 - Math.floor(Math.log10(size)));
}

/** Returns a count with its noun: "1 node", "1,024 nodes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** Returns "All 64 nodes", or "The only node" for 1. */
export function allCounted(value: number, one: string): string {
  return value === 1 ? `The only ${one}` : `All ${counted(value, one)}`;
}

/** Returns the threshold of a run with its number of signatures: `99 % (1,014 signatures)`. */
export function reachedText(threshold: number, count: number): string {
  const signatures = counted(count, 'signature');
  return threshold > 1 ? signatures : `${thresholdText(threshold)} (${signatures})`;
}
