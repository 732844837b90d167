import { expect, it } from 'vitest';
import { levelsLayout } from './levelsView.ts';

it.each([1, 6, 20])('has a row for each of %d levels, the highest on top, within the picture', (levels) => {
  for (const width of [350, 520, 900]) {
    const { rowY, barHeight, height, left, right } = levelsLayout(levels, width);
    expect(0 < left && left < right && right < width).toBe(true);
    for (let level = 1; level < levels; level++) expect(rowY(level) - rowY(level + 1)).toBeGreaterThan(barHeight);
    expect(rowY(levels)).toBeGreaterThan(0);
    expect(rowY(1) + barHeight).toBeLessThan(height);
  }
});
