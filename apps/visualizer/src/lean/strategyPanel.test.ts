import { expect, test } from 'vitest';
import { strategyLayout } from './strategyPanel.ts';

test.each([4, 16, 32, 128])('%i provers: lanes and times are at their coordinates', (provers) => {
  const layout = strategyLayout(300, { subnets: 8, provers, slotMs: 4000 });
  for (const position of [0, provers - 1]) {
    const at = layout.at(layout.x(1234), layout.y(position) + layout.lanes.height / 2)!;
    expect(at.position).toBe(position);
    expect(at.timeMs).toBeCloseTo(1234);
  }
  expect(layout.at(layout.x(1234), layout.y(provers) + 1)).toBeUndefined();
  expect(layout.at(4, layout.y(0))).toBeUndefined();
  expect(layout.y(provers)).toBeLessThan(layout.height);
});

test('columns fill the width, and have numbers if there is space', () => {
  const of = (subnets: number) => strategyLayout(290, { subnets, provers: 8, slotMs: 4000 }).columns;
  expect(of(8).width * 8).toBe(260);
  expect([of(8).every, of(32).every]).toEqual([1, 2]);
});
