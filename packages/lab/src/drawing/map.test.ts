import { expect, it } from 'vitest';
import { drawMap } from './map.ts';

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
