import type { MapCell } from '../results.ts';
import type { Drawing } from './lines.ts';
import { element, escaped, textWidth } from './marks.ts';

const rowHeight = 26;
const headHeight = 22;
const groupHeight = 26;

/** Sufficient and failing slot lengths, by system and value. */
export interface SlotMap {
  /** Slot lengths in ascending order, s. */
  readonly slotSeconds: readonly number[];
  /** Cells, each with the value of the varied setting. */
  readonly cells: readonly (MapCell & { readonly value: string })[];
}

const enoughColour = '#f3d58a';
const lessColour = '#e3e1da';
const frontierColour = '#1b1e24';
const ownColour = '#2f66b3';

/**
 * Draws a map with one row per system and value, and one column per slot length. Simulated cells show a percentage. A
 * frontier separates failing and sufficient lengths. A dot marks the system's own slot.
 */
export function drawMap({ slotSeconds, cells }: SlotMap, width: number): Drawing {
  const presets = [...new Set(cells.map(({ preset }) => preset))];
  const left = Math.max(0, ...cells.map(({ value }) => textWidth(value))) + 16;
  const column = (width - left) / slotSeconds.length;
  const parts: string[] = [];
  let y = 0;
  for (const preset of presets) {
    parts.push(text(preset, 0, y + 18, 'start', true));
    y += groupHeight;
    for (const cell of cells.filter((one) => one.preset === preset)) {
      parts.push(...rowParts(cell, slotSeconds, y, left, column));
      y += rowHeight;
    }
  }
  slotSeconds.forEach((seconds, index) => {
    parts.push(text(`${seconds} s`, left + (index + 0.5) * column, y + 16, 'middle'));
  });
  y += headHeight;
  return { svg: [...parts, ...keyParts(y)].join(''), width, height: y + 30 };
}

function text(words: string, x: number, y: number, anchor: 'start' | 'middle', ink = false): string {
  return element('text', { x, y, 'text-anchor': anchor, ...(ink && { class: 'ink' }) }, escaped(words));
}

/** Draws a row: its value, a cell per length, the frontier and the dot. */
function rowParts(
  { value, slotSeconds: shortest, ownSeconds, simulated }: SlotMap['cells'][number],
  slotSeconds: readonly number[],
  y: number,
  left: number,
  column: number,
): string[] {
  const cells = slotSeconds.flatMap((seconds, index) => {
    const fill = shortest !== null && seconds >= shortest ? enoughColour : lessColour;
    const x = left + index * column;
    const here = simulated.find((one) => one.slotSeconds === seconds);
    return [
      element('rect', { x: x + 1, y: y + 1, width: column - 2, height: rowHeight - 2, fill }),
      ...(here === undefined
        ? []
        : [text(`${Math.floor(10 * here.inReachPercent) / 10}`, x + 7, y + 17, 'start', true)]),
    ];
  });
  // The shortest slot itself may have no column.
  const at = slotSeconds.filter((one) => shortest === null || one < shortest).length;
  return [
    text(value, 8, y + 17, 'start'),
    ...cells,
    element('rect', { x: left + at * column - 1.5, y, width: 3, height: rowHeight, fill: frontierColour }),
    dot(left + placeOf(ownSeconds, slotSeconds) * column, y + rowHeight / 2),
  ];
}

function dot(cx: number, cy: number): string {
  return element('circle', { cx, cy, r: 4, fill: ownColour, stroke: '#ffffff' });
}

/** Draws a legend for the colours, the frontier and the dot, in one line. */
function keyParts(y: number): string[] {
  const parts: string[] = [];
  let x = 0;
  for (const [fill, words] of [
    [enoughColour, '99 % of the votes in the next block'],
    [lessColour, 'less'],
  ] as const) {
    parts.push(element('rect', { x, y: y + 6, width: 14, height: 14, fill }), text(words, x + 20, y + 18, 'start'));
    x += 20 + textWidth(words) + 18;
  }
  parts.push(
    element('rect', { x, y: y + 5, width: 3, height: 16, fill: frontierColour }),
    text('frontier', x + 10, y + 18, 'start'),
  );
  x += 10 + textWidth('frontier') + 18;
  return [...parts, dot(x + 4, y + 13), text("the system's slot", x + 14, y + 18, 'start')];
}

/**
 * Returns the position of a length, in columns. A length with its own column is at the column's middle; any other
 * length is proportionally between the middles of two columns. The position is 0 for a length below the first column's,
 * and the number of columns for a length above the last column's.
 */
function placeOf(seconds: number, slotSeconds: readonly number[]): number {
  const right = slotSeconds.findIndex((one) => one >= seconds);
  if (right === -1) return slotSeconds.length;
  if (right === 0) return seconds === slotSeconds[0] ? 0.5 : 0;
  const [before, after] = [slotSeconds[right - 1]!, slotSeconds[right]!];
  return right - 0.5 + (seconds - before) / (after - before);
}
