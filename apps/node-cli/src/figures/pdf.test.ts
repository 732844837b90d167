import { drawRows, onPaper } from '@tutti/lab/drawing';
import { backgrounds } from '@tutti/lab/theme';
import { expect, it } from 'vitest';
import { pdfOf } from './pdf.ts';

const at = (x: string, mean: number) => {
  const interval = { low: mean - 20, high: mean + 20 };
  return { x, y: { min: mean - 50, mean, max: mean + 60 }, interval, live: 8, reached: 8 };
};
const drawing = drawRows(
  {
    left: { label: 'time', unit: 'ms', scale: 'linear' },
    drawn: [
      { name: 'Handel', points: [at('silent', 400), at('invalid', 500)] },
      { name: 'baseline', points: [at('silent', 450), at('invalid', 600)] },
    ],
  },
  720,
);
const facts = { title: 'Rows', creator: 'Tutti', created: new Date(0) };

it.each(backgrounds)('a figure on %s is one page, with both fonts, and the same file each time', async (background) => {
  const svg = onPaper([{ title: 'Rows', drawing }], 'Rows', background);
  const pdf = Buffer.from(await pdfOf(svg, facts));
  const text = pdf.toString('latin1');
  expect(text).toMatch(/^%PDF-1\.\d\n/);
  expect(text.match(/\/Type \/Page\n/g)).toHaveLength(1);
  const [, width, height] = /width="(\d+)" height="([\d.]+)"/.exec(svg)!.map(Number);
  const [, right, top] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)!.map(Number);
  expect([right, top]).toEqual([0.75 * width!, expect.closeTo(0.75 * height!, 2)]);
  expect(new Set(text.match(/DejaVuSans(-Bold)?/g))).toEqual(new Set(['DejaVuSans', 'DejaVuSans-Bold']));
  expect(Buffer.from(await pdfOf(svg, facts)).equals(pdf)).toBe(true);
});

it('every series has its colours in the PDF, with no selector unknown to the renderer', () => {
  const svg = onPaper([{ title: 'Rows', drawing }], 'Rows');
  const style = /<style>([^<]*)<\/style>/.exec(svg)![1]!;
  for (const selector of style.match(/[^{}]+(?=\{)/g)!) expect(selector).toMatch(/^(text|\.\w+)$/);
  expect(svg.match(/class="stroke interval"/g)).toHaveLength(4);
});
