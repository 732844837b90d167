import { expect, it } from 'vitest';
import { onPaper } from '../drawing.ts';
import { drawMap } from './map.ts';
import { drawRows } from './rows.ts';

const cell = {
  preset: 'horn',
  value: 'i7',
  ownSeconds: 22,
  slotSeconds: 8,
  simulated: [{ slotSeconds: 8, inReachPercent: 99.87 }],
};
const map = { slotSeconds: [4, 8, 16], cells: [cell, { ...cell, value: 'pi', slotSeconds: null }] };

it('drawMap(map, width) has a cell for every length, the simulated cells as numbers, a frontier and a dot in each row', () => {
  const { svg, width } = drawMap(map, 720);
  expect(width).toBe(720);
  expect(svg.match(/fill="#f3d58a"/g)).toHaveLength(2 + 1);
  expect(svg.match(/fill="#e3e1da"/g)).toHaveLength(4 + 1);
  expect(svg.match(/<circle/g)).toHaveLength(2 + 1);
  expect(svg).toContain('>99.8<');
});

it('the frontier is after the last shorter length, even if the shortest slot has no column', () => {
  const frontierOf = (slotSeconds: number | null) =>
    drawMap({ slotSeconds: [4, 8, 16], cells: [{ ...cell, slotSeconds }] }, 720).svg.match(
      /x="[\d.]+"(?= y="26" width="3")/,
    );
  expect(frontierOf(7)).toEqual(frontierOf(8));
  expect(frontierOf(20)).toEqual(frontierOf(null));
});

it('a drawing without content has finite sizes', () => {
  const left = { label: 'time', unit: 'ms', scale: 'linear' } as const;
  const empty = [drawMap({ slotSeconds: [4], cells: [] }, 720), drawRows({ left, drawn: [] }, 720)].map(
    ({ svg }) => svg,
  );
  for (const svg of [...empty, onPaper([], 'empty')]) expect(svg).not.toMatch(/Infinity|NaN/);
});
