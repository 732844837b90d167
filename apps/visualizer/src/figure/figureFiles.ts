import { version } from '@tutti/core';
import type { Figure } from '@tutti/lab';
import { type FigurePlan, sweepOf } from './figurePlan.ts';

/** Of PNG's checksum, by byte. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The bytes of a PNG's header: its signature, and the first chunk, which has 13 bytes and 12 around them. */
const headBytes = 8 + 25;

/** A PNG that says in itself where it is from: a text chunk after its head. */
export async function withText(png: Blob, text: string): Promise<Blob> {
  const data = new TextEncoder().encode(`iTXtDescription\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(data.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length - 4);
  chunk.set(data, 4);
  let crc = 0xffffffff;
  for (const byte of data) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8);
  view.setUint32(data.length + 4, (crc ^ 0xffffffff) >>> 0);
  const bytes = new Uint8Array(await png.arrayBuffer());
  return new Blob([bytes.slice(0, headBytes), chunk, bytes.slice(headBytes)], { type: 'image/png' });
}

/** What a figure says of itself: the command that prints the same numbers, its seeds, and the version. */
export function originOf(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan));
  return `Tutti ${version}; seeds 1 to ${plan.seeds}; bars: 95 % of the mean over seeds; tutti sweep figure.json --out runs.csv, figure.json: ${sweep}`;
}

/** One row per mark, after a line that says where the numbers are from. */
export function figureCsv(plan: FigurePlan, figure: Figure): string {
  const rows = figure.charts[0]!.drawn.flatMap(({ name, measure, points }) =>
    points.map(({ x, y, interval, runs }) => {
      const seeds = runs.filter((run) => measure.of(run) !== undefined).length;
      return [name, x, y?.mean ?? '', interval?.low ?? '', interval?.high ?? '', seeds].join(',');
    }),
  );
  return [`# ${originOf(plan)}`, `protocol,${plan.x},${plan.y},low,high,seeds`, ...rows, ''].join('\n');
}
